import { describe, expect, test } from 'vitest';
import { type IncrementalLogDet, incrementalLogDet } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { seeded } from '../kernel/random.ts';
import { det, psd } from './kernels.ts';

function start(k: number[][], logQuality = new Float64Array(k.length)): IncrementalLogDet {
  return incrementalLogDet(
    Float64Array.from(k, (row, i) => row[i]),
    logQuality,
  );
}

describe('incrementalLogDet', () => {
  test('60 random kernels: the value is log det by LU, every gain the log of a ratio', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(30);
      const k = psd(random, n, n + 2);
      const logQuality = Float64Array.from({ length: n }, () => 2 * random.normal());
      const target = start(k, logQuality);
      const items: number[] = [];
      let logQ = 0;
      for (const i of random.permutation(n).slice(0, 12)) {
        const gain = target.gain(i);
        const ratio = Math.log(det(k, [...items, i]) / det(k, items)) + 2 * logQuality[i];
        expect(gain).toBeCloseTo(ratio, 6);
        const before = target.value;
        target.pick(i, k[i]);
        items.push(i);
        logQ += logQuality[i];
        expect(target.value).toBe(before + gain);
        expect(target.value).toBeCloseTo(Math.log(det(k, items)) + 2 * logQ, 6);
        expect([target.gain(i) > Number.NEGATIVE_INFINITY, target.gain(i)]).toEqual([false, Number.NEGATIVE_INFINITY]);
      }
    }
  });

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

  test('of duplicates, at most one is ever eligible', () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(28);
      const base = psd(random, n, n + 1);
      // Every second item is the one before it, with unit diagonal as in a similarity kernel.
      const scale = base.map((row, i) => 1 / Math.sqrt(row[i]));
      const unit = base.map((row, i) => row.map((v, j) => (i === j ? 1 : v * scale[i] * scale[j])));
      const of = (i: number) => i - (i % 2);
      const k = unit.map((_, i) => unit.map((_, j) => unit[of(i)][of(j)]));
      const target = start(k);
      for (const i of random.permutation(n)) {
        if (!(target.gain(i) > Number.NEGATIVE_INFINITY)) continue;
        target.pick(i, k[i]);
        const twin = i % 2 === 0 ? i + 1 : i - 1;
        if (twin < n)
          expect(target.gain(twin) > Number.NEGATIVE_INFINITY, `seed ${seed}, n ${n}, item ${i}`).toBe(false);
      }
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
