import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { select } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { kernelInput } from './inputs.ts';
import { BARE, cosines, gaussians, indefinite, repeated, symmetric } from './problems.ts';

describe('auto', () => {
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

test('a selection may take exactly the words asked for', async () => {
  const identity = symmetric(4, (i, j) => Number(i === j)); // five words each
  for (const words of [10, 14]) {
    const found = await select(kernelInput(identity), { ...BARE, strategy: 'relevance', size: { words } }, portable);
    expect([found.picks.length, found.stoppedBy]).toEqual([2, 'words']);
  }
});
