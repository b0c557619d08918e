import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pacer } from '../../../src/server/middleware/shed-early.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When each of so many refusals comes that are asked for at once, in milliseconds. */
async function refusedAt(pause: () => Promise<void>, count: number): Promise<number[]> {
  const start = Date.now();
  const times: number[] = [];
  const all = Array.from({ length: count }, () => pause().then(() => times.push(Date.now() - start)));
  await vi.advanceTimersByTimeAsync(1500);
  await Promise.all(all);
  return times;
}

test('a single refusal comes at once, and so does one after another', async () => {
  const pause = pacer(Date.now);
  expect(await refusedAt(pause, 1)).toEqual([0]);
  expect(await refusedAt(pause, 1)).toEqual([0]);
});

test('of many at once 500 a second are refused, and nobody waits for more than a second', async () => {
  const times = await refusedAt(pacer(Date.now), 400);
  expect(times).toEqual(Array.from({ length: 400 }, (_, index) => 2 * index));
  const more = await refusedAt(pacer(Date.now), 600);
  expect(Math.max(...more)).toBe(1000);
});

test('callers who come again as soon as they are refused are refused 500 times a second', async () => {
  const pause = pacer(Date.now);
  let refusals = 0;
  let isOver = false;
  const callers = Array.from({ length: 300 }, async () => {
    while (!isOver) {
      await pause();
      refusals++;
    }
  });
  await vi.advanceTimersByTimeAsync(2000);
  expect(refusals).toBeLessThan(1010);
  expect(refusals).toBeGreaterThan(990);
  isOver = true;
  await vi.advanceTimersByTimeAsync(2000);
  await Promise.all(callers);
});
