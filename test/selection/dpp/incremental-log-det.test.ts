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
  test('200 random kernels: the value is log det by LU, every gain the log of a ratio', () => {
    for (let seed = 0; seed < 200; seed++) {
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

  test('the order of the picks does not change the value; gains only fall', () => {
    const random = seeded(1);
    const k = psd(random, 12, 14);
    const totals = [1, 2, 3].map((seed) => {
      const target = start(k);
      let before = Array.from({ length: 12 }, (_, i) => target.gain(i));
      for (const i of seeded(seed).permutation(12)) {
        target.pick(i, k[i]);
        const now = before.map((_, j) => target.gain(j));
        now.forEach((gain, j) => {
          expect(gain).toBeLessThanOrEqual(before[j] + 1e-9);
        });
        before = now;
      }
      return target.value;
    });
    for (const total of totals) expect(total).toBeCloseTo(totals[0], 8);
  });

  test('a kernel of rank r: greedy finds r items and then none', () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(29);
      const rank = 1 + random.below(Math.min(n - 1, 6));
      // Small whole numbers, so that the kernel itself is exact.
      const a = Array.from({ length: n }, () => Array.from({ length: rank }, () => random.below(7) - 3));
      const k = a.map((x) => a.map((y) => x.reduce((sum, v, c) => sum + v * y[c], 0)));
      const target = start(k);
      let picks = 0;
      for (;;) {
        const gains = Array.from({ length: n }, (_, i) => target.gain(i));
        const best = gains.indexOf(Math.max(...gains));
        if (gains[best] === Number.NEGATIVE_INFINITY) break;
        target.pick(best, k[best]);
        picks++;
      }
      expect(picks).toBeLessThanOrEqual(rank);
      expect(Number.isFinite(target.value)).toBe(true);
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

  test('greedy picks one of items that are all the same, nothing of zero rows, nothing of nothing', () => {
    const greedy = (k: number[][]): number[] => {
      const target = start(k);
      const picks: number[] = [];
      for (;;) {
        const gains = k.map((_, i) => target.gain(i));
        const best = gains.indexOf(Math.max(...gains));
        if (best < 0 || gains[best] === Number.NEGATIVE_INFINITY) return picks;
        target.pick(best, k[best]);
        picks.push(best);
      }
    };
    for (const value of [1, 0.3, 1e-200, 1e200]) {
      for (const n of [1, 2, 3, 50])
        expect(greedy(Array.from({ length: n }, () => new Array(n).fill(value)))).toEqual([0]);
    }
    expect(greedy(Array.from({ length: 4 }, () => new Array(4).fill(0)))).toEqual([]);
    expect(
      greedy([
        [0, 0, 0],
        [0, 2, 0],
        [0, 0, 3],
      ]),
    ).toEqual([2, 1]);
    expect(greedy([])).toEqual([]);
  });

  test('of duplicates, at most one is ever eligible', () => {
    for (let seed = 0; seed < 300; seed++) {
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
    for (let step = 1; step < 20_000; step++) {
      const d = step / 7919;
      const target = start([
        [d, d],
        [d, d],
      ]);
      target.pick(0, [d, d]);
      expect(target.gain(1) > Number.NEGATIVE_INFINITY, `diagonal ${d}`).toBe(false);
    }
  });

  test('duplicates whose rows differ by Float32 rounding, but not from each other', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = seeded(seed);
      const n = 12;
      const base = psd(random, n, 30).map((row) => row.map((v) => v / 30));
      const k = base.map((row, i) => row.map((v, j) => (i === j ? 1 : 0.5 * v)));
      for (let j = 0; j < n; j++) {
        k[1][j] = j < 2 ? 1 : k[0][j] * (1 + 2 ** -23 * (random.next() - 0.5));
        k[j][1] = k[1][j];
      }
      k[0][1] = 1;
      const target = start(k);
      const picked = random.permutation(n).filter((i) => {
        if (!(target.gain(i) > Number.NEGATIVE_INFINITY)) return false;
        target.pick(i, k[i]);
        return true;
      });
      expect(picked.includes(0) && picked.includes(1)).toBe(false);
      expect(Number.isFinite(target.value)).toBe(true);
      const both = start(k);
      for (const i of [5, 7, 2, 0]) both.pick(i, k[i]);
      expect(both.gain(1) > Number.NEGATIVE_INFINITY).toBe(false);
    }
  });

  test('qualities from 1e-150 to 1e150 add to the value and do not touch eligibility', () => {
    const random = seeded(4);
    const k = psd(random, 9, 11);
    const q = [1e-150, 1e150, 1, 1e-150, 1e150, 1e75, 1e-75, 1, 1e150];
    const [plain, weighted] = [start(k), start(k, Float64Array.from(q, Math.log))];
    let sum = 0;
    for (const i of random.permutation(9)) {
      expect(weighted.gain(i)).toBeCloseTo(plain.gain(i) + 2 * Math.log(q[i]), 9);
      expect(weighted.gain(i) > Number.NEGATIVE_INFINITY).toBe(plain.gain(i) > Number.NEGATIVE_INFINITY);
      plain.pick(i, k[i]);
      weighted.pick(i, k[i]);
      sum += 2 * Math.log(q[i]);
    }
    expect(weighted.value).toBeCloseTo(plain.value + sum, 8);
  });
});
