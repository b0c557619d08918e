import { expect, test } from 'vitest';
import { WorkCancelledError } from '../../../src/digest/errors.ts';
import { cancellable } from '../../../src/digest/threads/thread-calls.ts';
import { type EightBitRows, portable } from '../../../src/models/index.ts';

test('products stop between two calls where the flag is raised, and are the same where it is not', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const left = Float32Array.of(1, 2, 3, 4);
  const right = Float32Array.of(5, 6, 7, 8);
  const plain = await portable.prepare(right, 2, 2);
  const watched = await cancellable(portable, flag).prepare(right, 2, 2);
  expect(watched.rows).toBe(plain.rows);
  expect(await watched.multiply(left, 2)).toEqual(await plain.multiply(left, 2));
  Atomics.store(flag, 0, 1);
  await expect(watched.multiply(left, 2)).rejects.toBeInstanceOf(WorkCancelledError);
  await expect(cancellable(portable, flag).prepare(right, 2, 2)).rejects.toBeInstanceOf(WorkCancelledError);
  expect(cancellable(portable, null)).toBe(portable);
});

test('best matches stop as well', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const rows: EightBitRows = { values: Uint8Array.of(128), scales: Float32Array.of(0), perItem: 1 };
  const found = { there: Float32Array.of(0), back: Float32Array.of(0) };
  const watched = cancellable({ ...portable, prepareMatches: () => async () => found }, flag);
  const matches = watched.prepareMatches(rows, 1);
  expect(await matches(rows)).toBe(found);
  Atomics.store(flag, 0, 1);
  await expect(matches(rows)).rejects.toBeInstanceOf(WorkCancelledError);
  expect(() => watched.prepareMatches(rows, 1)).toThrow(WorkCancelledError);
});
