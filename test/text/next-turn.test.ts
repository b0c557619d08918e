import { expect, test } from 'vitest';
import { nextTurn } from '../../src/text/index.ts';

/** Holds the event loop. */
function hold(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('each turn lets what waits for input and output run, however long the work between two of them takes', async () => {
  let turn = 0;
  let counting: ReturnType<typeof setImmediate>;
  const count = (): void => {
    turn++;
    counting = setImmediate(count);
  };
  counting = setImmediate(count);
  const seen: number[] = [];
  for (let step = 0; step < 10; step++) {
    await nextTurn();
    seen.push(turn);
    hold(3);
  }
  clearImmediate(counting);
  expect(new Set(seen).size).toBe(10);
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
