import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { themes } from '../../src/summary/themes.ts';

function matrix(n: number, value: (i: number, j: number) => number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return i === j ? 1 : value(Math.min(i, j), Math.max(i, j));
  });
}

describe('themes', () => {
  it('finds the groups of a block matrix', () => {
    const blocks = matrix(9, (i, j) => (i % 3 === j % 3 ? 0.8 : 0.1));
    expect(themes(blocks, 9)).toEqual([
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
    ]);
  });

  it('gathers what resembles nothing', () => {
    const pair = matrix(6, (i, j) => (i === 0 && j === 1 ? 0.9 : 0.1 - 0.001 * (i + j)));
    expect(themes(pair, 6)).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ]);
  });

  it('keeps linked points together', () => {
    const blocks = matrix(6, (i, j) => (i < 3 === j < 3 ? 0.8 : 0.1));
    const found = themes(blocks, 6, [[0, 5]]);
    expect(found.some((theme) => theme.includes(0) && theme.includes(5))).toBe(true);
  });

  it('places every point once, at most five together', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer(), (n, seed) => {
        const noise = matrix(n, (i, j) => Math.sin((i + 1) * 12.9898 + (j + 1) * 78.233 + seed) ** 3);
        const found = themes(noise, n);
        expect(found.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, index) => index));
        expect(Math.max(0, ...found.map((theme) => theme.length))).toBeLessThanOrEqual(5);
        expect(themes(Float32Array.from(noise), n)).toEqual(found);
      }),
    );
  });
});
