import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { select } from '../../../src/selection/index.ts';
import { resolveSize } from '../../../src/selection/strategies/candidates.ts';
import { seeded } from '../kernel/random.ts';
import { kernelInput } from './inputs.ts';
import { BARE, cosines, gaussians, indefinite, repeated, symmetric } from './problems.ts';

const WORDS = Int32Array.of(10, 7, 4, 25);
const unasked = () => Promise.reject(new Error('only an automatic size asks how many to expect'));

test('key points: a limit, whatever the words', async () => {
  for (const keyPoints of [0, 1, 3, 99]) {
    const { limit, fits } = await resolveSize({ keyPoints }, WORDS, { points: 1, words: 1 }, unasked);
    expect([limit, fits(3, []), fits(3, [0, 1, 2])]).toEqual([keyPoints, true, true]);
  }
});

test('words: the first pick always fits, later ones up to the budget and not beyond', async () => {
  const { limit, fits } = await resolveSize({ words: 17 }, WORDS, { points: 1, words: 1 }, unasked);
  expect(limit).toBe(Number.POSITIVE_INFINITY);
  expect([fits(3, []), fits(1, [0]), fits(2, [0]), fits(2, [0, 1]), fits(0, [3])]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

describe('auto', () => {
  const FREE = { points: null, words: null };

  test('as many as there may be where that is known, and nobody asks how many to expect', async () => {
    for (const points of [0, 1, 12]) {
      const { limit, fits } = await resolveSize('auto', WORDS, { points, words: 17 }, unasked);
      expect([limit, fits(3, []), fits(1, [0]), fits(2, [0, 1])]).toEqual([points, true, true, false]);
    }
  });

  test('the rounded expected size, at least 1', async () => {
    const limits = await Promise.all(
      [0, 0.2, 1.49, 1.5, 7.6].map(async (size) => (await resolveSize('auto', WORDS, FREE, async () => size)).limit),
    );
    expect(limits).toEqual([1, 1, 1, 2, 8]);
  });

  /** Sum of lambda / (1 + lambda) over the positive eigenvalues, by ml-matrix. */
  function expectedSizeOf(l: number[][]): number {
    const { realEigenvalues } = new EigenvalueDecomposition(new Matrix(l), { assumeSymmetric: true });
    return realEigenvalues.reduce((sum, v) => sum + (v > 0 ? v / (1 + v) : 0), 0);
  }

  test.each([
    ['positive definite', cosines],
    ['of a Gaussian', gaussians],
    ['of repeated items', repeated],
    ['indefinite', indefinite],
  ] as const)('the expected size of kernels %s, by the eigenvalues of ml-matrix', async (_, family) => {
    const limits = new Set<number>();
    for (let seed = 0; seed < 25; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(40);
      const k = family(random, n);
      const q = k.map(() => Math.exp(random.normal()));
      const l = symmetric(n, (i, j) => k[i][j] * q[i] * q[j]);
      const expected = expectedSizeOf(l);
      const limit = Math.max(1, Math.round(expected));
      for (const strategy of ['mmr', 'random'] as const) {
        const found = await select(kernelInput(l), { ...BARE, strategy, size: 'auto' }, portable);
        expect(found.expectedSize, `seed ${seed}`).toBeCloseTo(expected, 8);
        expect([found.picks.length, found.stoppedBy]).toEqual([limit, limit === n ? 'exhausted' : 'size']);
      }
      limits.add(limit);
    }
    expect(limits.size).toBeGreaterThan(5);
  });
});
