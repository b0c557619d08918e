import { describe, expect, test } from 'vitest';
import { type IncrementalLogDet, incrementalLogDet } from '../../../src/selection/dpp/pivoted-cholesky.ts';

function start(k: number[][], logQuality = new Float64Array(k.length)): IncrementalLogDet {
  return incrementalLogDet(
    Float64Array.from(k, (row, i) => row[i]),
    logQuality,
  );
}

describe('incrementalLogDet', () => {
  test('zero and indefinite kernels: no NaN, no item that depends on another', () => {
    const swap = start([
      [0, 1],
      [1, 0],
    ]);
    expect([swap.gain(0) > Number.NEGATIVE_INFINITY, swap.gain(1) > Number.NEGATIVE_INFINITY, swap.value]).toEqual([
      false,
      false,
      0,
    ]);
    swap.pick(0, [0, 1]);
    expect([swap.value, swap.gain(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    const indefinite = start([
      [1, 2],
      [2, 1],
    ]);
    indefinite.pick(0, [1, 2]);
    expect([indefinite.gain(1) > Number.NEGATIVE_INFINITY, indefinite.gain(1), indefinite.value]).toEqual([
      false,
      Number.NEGATIVE_INFINITY,
      0,
    ]);
    const negative = start([[-1]]);
    expect([negative.gain(0) > Number.NEGATIVE_INFINITY, negative.gain(0)]).toEqual([false, Number.NEGATIVE_INFINITY]);
    expect(start([]).value).toBe(0);
  });

  test('picking twice, or what depends on a pick, is worth -Infinity and changes no gain', () => {
    const k = [
      [4, 2, 1],
      [2, 1, 0.5],
      [1, 0.5, 3],
    ];
    for (const again of [0, 1]) {
      const target = start(k);
      target.pick(0, k[0]);
      expect(target.value).toBeCloseTo(Math.log(4), 14);
      target.pick(again, k[again]);
      expect(target.value).toBe(Number.NEGATIVE_INFINITY);
      expect(target.gain(2)).toBeCloseTo(Math.log(3 - 1 / 4), 14);
      target.pick(2, k[2]);
      expect([target.value, target.gain(2) > Number.NEGATIVE_INFINITY]).toEqual([Number.NEGATIVE_INFINITY, false]);
    }
  });

  // The rounding of a pick is more than n eps where n is 2 or 3 and the diagonal is not 1.
  test('of two duplicates on any diagonal, none is left once the other is picked', () => {
    for (let step = 1; step < 2000; step++) {
      const d = step / 7919;
      const target = start([
        [d, d],
        [d, d],
      ]);
      target.pick(0, [d, d]);
      expect(target.gain(1) > Number.NEGATIVE_INFINITY, `diagonal ${d}`).toBe(false);
    }
  });
});
