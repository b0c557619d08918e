import { inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { cosineSimilarity, type SelectionOptions, select } from '../../../src/selection/index.ts';
import { euclideanDistance, gaussian } from '../../../src/selection/kernel/kernel.ts';
import { SHRUNK } from '../../../src/selection/strategies/select.ts';
import { seeded } from '../kernel/random.ts';
import { inputOf, kernelInput } from './inputs.ts';
import { BARE } from './problems.ts';

const N = 40;
const DIMENSIONS = 12;
const SCORE: SelectionOptions = {
  ...BARE,
  strategy: 'dpp-sample',
  size: null,
  kernel: { similarity: 'cosine', form: 'gaussian', sigma: 1, idf: 0 },
  relevance: { form: 'score', weight: 0.5 },
};

/** Unit vectors in a row. */
const VECTORS = (() => {
  const random = seeded(5);
  const rows = Array.from({ length: N }, () => Array.from({ length: DIMENSIONS }, () => random.normal()));
  return rows.map((row) => row.map((value) => value / Math.hypot(...row)));
})();
const similarity = () => cosineSimilarity(Float32Array.from(VECTORS.flat()), N, DIMENSIONS, portable);

/** Trace of L (L + I)^-1 by ml-matrix, of L = q K q. */
function sizeOf(q: readonly number[]): number {
  const k = gaussian(euclideanDistance, 1);
  const cosine = (i: number, j: number) => VECTORS[i].reduce((sum, value, c) => sum + value * VECTORS[j][c], 0);
  const l = new Matrix(q.map((qi, i) => q.map((qj, j) => qi * qj * (i === j ? 1 : k(cosine(i, j))))));
  return l.mmul(inverse(Matrix.add(l, Matrix.eye(N)))).trace();
}

const drawn = (relevance: readonly number[], options: Partial<SelectionOptions> = {}) =>
  select(inputOf(similarity(), { relevance: Float64Array.from(relevance) }), { ...SCORE, ...options }, portable);

describe('a draw that low relevance makes small', () => {
  test.each([0.05, 0.1, 0.2, 0.4, 0.6, 0.9])(
    'is told from others by the two expected sizes, at cosines near %d',
    async (near) => {
      const relevance = VECTORS.map((_, i) => near * (0.5 + i / N));
      const [size, without] = [sizeOf(relevance.map((r) => Math.max(r, 1e-3))), sizeOf(VECTORS.map(() => 1))];
      const { expectedSize, shrunkFrom } = await drawn(relevance);
      expect(expectedSize).toBeCloseTo(size, 4);
      if (size < SHRUNK * without) expect(shrunkFrom).toBeCloseTo(without, 4);
      else expect(shrunkFrom).toBe(null);
    },
  );

  test.each<[string, Partial<SelectionOptions>]>([
    ['relevance counts by its differences alone', { relevance: { form: 'exponential', weight: 0.5 } }],
    ['the request names the size', { strategy: 'k-dpp', size: { keyPoints: 3 } }],
    ['nothing is drawn', { strategy: 'dpp-map', size: { keyPoints: 3 } }],
  ])('is not looked for where %s', async (_, options) => {
    expect(
      (
        await drawn(
          VECTORS.map((_, i) => (i % 2 === 0 ? 0.1 : 0.05)),
          options,
        )
      ).shrunkFrom,
    ).toBe(null);
  });

  test('is not looked for where there is no relevance, or the kernel is given', async () => {
    expect((await drawn(VECTORS.map(() => 1))).shrunkFrom).toBe(null);
    const l = [
      [1e-4, 0],
      [0, 1e-4],
    ];
    expect((await select(kernelInput(l, { relevance: Float64Array.of(0.1, 0.2) }), SCORE, portable)).shrunkFrom).toBe(
      null,
    );
  });
});
