import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/selection/index.ts';
import { goodnessOfFit } from './chi-square.ts';

const numbers = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

describe('seededRandom', () => {
  test('the same seed gives the same numbers, another seed others', () => {
    for (const seed of [0, 1, 7, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]) {
      expect(numbers(seed, 100)).toEqual(numbers(seed, 100));
    }
    const firsts = Array.from({ length: 5000 }, (_, seed) => numbers(seed, 3).join());
    expect(new Set(firsts).size).toBe(5000);
  });

  test('uniform on [0, 1): moments, 1,000 cells, neighbours in the stream', () => {
    const count = 200_000;
    for (const seed of [1, 2 ** 40 + 3]) {
      const u = numbers(seed, count);
      expect(Math.min(...u.slice(0, 1000))).toBeGreaterThanOrEqual(0);
      expect(u.every((value) => value >= 0 && value < 1)).toBe(true);
      // Four standard errors of the mean of u^m: variance 1/(2m+1) - 1/(m+1)^2.
      for (const m of [1, 2, 3, 4]) {
        const mean = u.reduce((sum, value) => sum + value ** m, 0) / count;
        const error = Math.sqrt((1 / (2 * m + 1) - 1 / (m + 1) ** 2) / count);
        expect(Math.abs(mean - 1 / (m + 1))).toBeLessThan(4 * error);
      }
      for (const lag of [1, 2, 3, 7]) {
        const product = u.slice(lag).reduce((sum, value, i) => sum + (value - 0.5) * (u[i] - 0.5), 0);
        expect(Math.abs(product / (count - lag))).toBeLessThan(4 / 12 / Math.sqrt(count - lag));
      }
      const cells = new Float64Array(1000);
      for (const value of u) cells[Math.floor(1000 * value)]++;
      expect(goodnessOfFit(cells, new Float64Array(1000).fill(1e-3)).p).toBeGreaterThan(0.001);
      const pairs = new Float64Array(400);
      for (let i = 0; i + 1 < count; i += 2) pairs[20 * Math.floor(20 * u[i]) + Math.floor(20 * u[i + 1])]++;
      expect(goodnessOfFit(pairs, new Float64Array(400).fill(1 / 400)).p).toBeGreaterThan(0.001);
    }
  });

  const firsts = (seedOf: (s: number) => number, place: number): Float64Array =>
    Float64Array.from({ length: 20_000 }, (_, s) => numbers(seedOf(s), place + 1)[place]);
  const families: Readonly<Record<string, (s: number) => number>> = {
    '0, 1, 2, ...': (s) => s,
    'every 1,000th': (s) => 1000 * s,
    'every 65,536th': (s) => 65_536 * s,
    'every 2^32th': (s) => 2 ** 32 * s,
    'down from the largest': (s) => Number.MAX_SAFE_INTEGER - s,
  };

  for (const [name, seedOf] of Object.entries(families)) {
    test(`the first numbers of many seeds are uniform, and those of neighbours independent: ${name}`, () => {
      for (const place of [0, 1, 2, 7]) {
        const u = firsts(seedOf, place);
        expect(new Set(u).size).toBe(u.length);
        const cells = new Float64Array(100);
        for (const value of u) cells[Math.floor(100 * value)]++;
        expect(goodnessOfFit(cells, new Float64Array(100).fill(0.01)).p, `number ${place}`).toBeGreaterThan(0.001);
        for (const lag of [1, 2, 256]) {
          const pairs = new Float64Array(100);
          for (let s = 0; s + lag < u.length; s += lag === 1 ? 2 : 1) {
            if (lag === 1 || Math.floor(s / lag) % 2 === 0) {
              pairs[10 * Math.floor(10 * u[s]) + Math.floor(10 * u[s + lag])]++;
            }
          }
          const fit = goodnessOfFit(pairs, new Float64Array(100).fill(0.01));
          expect(fit.p, `number ${place} of seeds ${lag} apart`).toBeGreaterThan(0.001);
        }
      }
    });
  }
});
