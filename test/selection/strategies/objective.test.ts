import { expect, test } from 'vitest';
import { objectiveOf, plain } from './problems.ts';

const start = (k: number[][]) => objectiveOf(plain(k));
const NONE = Number.NEGATIVE_INFINITY;

// The rounding of a pick is more than n eps for n of 2 or 3 and a diagonal other than 1.
test('of two duplicates on any diagonal, none is left once the other is picked', async () => {
  for (let step = 1; step < 2000; step++) {
    const d = step / 7919;
    const target = start([
      [d, d],
      [d, d],
    ]);
    await target.pick(0);
    expect(target.gain(1), `diagonal ${d}`).toBe(NONE);
    target.release();
  }
});
