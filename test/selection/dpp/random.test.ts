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
