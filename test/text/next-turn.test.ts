import { expect, test } from 'vitest';
import { nextTurn } from '../../src/text/index.ts';

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
