import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { contentHash, dateText, nextTurn } from '../../src/text/index.ts';

/** The hash of runtimes that have none of their own. */
async function portableHash(): Promise<typeof contentHash> {
  const own = process.getBuiltinModule;
  vi.resetModules();
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    return (await import('../../src/text/runtime.ts')).contentHash;
  } finally {
    Object.assign(process, { getBuiltinModule: own });
  }
}

test('the published SHA-256 of the empty text and of "abc"', () => {
  expect(contentHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(contentHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('agrees with node:crypto on any well-formed text, wherever it runs', async () => {
  const portable = await portableHash();
  expect(String(portable) === String(contentHash)).toBe(process.getBuiltinModule === undefined);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const known = createHash('sha256').update(text, 'utf8').digest('hex');
      expect([contentHash(text), portable(text)]).toEqual([known, known]);
    }),
  );
});

test('dates are the same in every runtime, and what is none stays as it is', () => {
  expect(dateText('2024-02-29')).toBe('Thursday 29 February 2024');
  expect(dateText('2024-02-29T23:30:00Z')).toBe('Thursday 29 February 2024');
  expect(dateText('spring')).toBe('spring');
});

/** Holds the event loop. */
function hold(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('what waits for input and output runs between two turns, however long the work of others in between takes', async () => {
  let turn = 0;
  let counting: ReturnType<typeof setImmediate>;
  const count = (): void => {
    turn++;
    counting = setImmediate(count);
  };
  counting = setImmediate(count);
  const turnsOf = async (): Promise<number[]> => {
    const seen: number[] = [];
    for (let step = 0; step < 10; step++) {
      await nextTurn();
      seen.push(turn);
      hold(3);
    }
    return seen;
  };
  const all = await Promise.all([turnsOf(), turnsOf(), turnsOf()]);
  clearImmediate(counting);
  for (const seen of all) expect(new Set(seen).size).toBe(10);
});

test('it comes where there are timers alone', async () => {
  const own = globalThis.setImmediate;
  try {
    Reflect.deleteProperty(globalThis, 'setImmediate');
    await nextTurn();
  } finally {
    globalThis.setImmediate = own;
  }
});
