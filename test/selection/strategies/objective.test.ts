import { expect, test } from 'vitest';
import { objectiveOf, plain } from './problems.ts';

const start = (k: number[][]) => objectiveOf(plain(k));
const NONE = Number.NEGATIVE_INFINITY;

test('zero and indefinite kernels: no NaN, no item that depends on another', async () => {
  const swap = start([
    [0, 1],
    [1, 0],
  ]);
  expect([swap.gain(0), swap.gain(1), swap.value]).toEqual([NONE, NONE, 0]);
  await swap.pick(0);
  expect([swap.value, swap.gain(1)]).toEqual([NONE, NONE]);
  const indefinite = start([
    [1, 2],
    [2, 1],
  ]);
  await indefinite.pick(0);
  expect([indefinite.gain(1), indefinite.value]).toEqual([NONE, 0]);
  expect([start([[-1]]).gain(0), start([]).value]).toEqual([NONE, 0]);
});

test.each([0, 1])('picking %i after 0, on which it depends, is worth -Infinity and changes no gain', async (again) => {
  const target = start([
    [4, 2, 1],
    [2, 1, 0.5],
    [1, 0.5, 3],
  ]);
  await target.pick(0);
  expect(target.value).toBeCloseTo(Math.log(4), 14);
  await target.pick(again);
  expect(target.value).toBe(NONE);
  expect(target.gain(2)).toBeCloseTo(Math.log(3 - 1 / 4), 14);
  await target.pick(2);
  expect([target.value, target.gain(2)]).toEqual([NONE, NONE]);
});

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
