import { determinant, EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { givenKernel } from '../../../src/selection/index.ts';
import { type Kernel, similarityKernel } from '../../../src/selection/kernel/kernel.ts';
import { sampledKernel } from '../../../src/selection/strategies/sampling.ts';
import { furthest, type Random, seeded, unitRows } from '../kernel/random.ts';
import { cosines, gaussians, indefinite, repeated, symmetric, wholeNumbers } from './problems.ts';

const hashesOf = (n: number) => Array.from({ length: n }, (_, i) => `${i}`);
const given = (l: number[][]) => givenKernel(Float64Array.from(l.flat()), l.length);

/** Eigenvalues and vectors by ml-matrix. */
function eigenOf(l: number[][]) {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(new Matrix(l), { assumeSymmetric: true });
  return { values: realEigenvalues, vectors: eigenvectorMatrix };
}

/** L by the eigenvalues that are kept. */
function rebuilt({ values, vectors }: ReturnType<typeof eigenOf>, keeps: (value: number) => boolean): number[][] {
  const kept = Matrix.diag(values.map((v) => (keeps(v) ? v : 0)));
  return vectors.mmul(kept).mmul(vectors.transpose()).to2DArray();
}

const plusIdentity = (l: number[][]) => new Matrix(l.map((row, i) => row.map((v, j) => (i === j ? v + 1 : v))));

/** Everything there is to know of a DPP, against the formulas of Kulesza & Taskar. */
async function expectFormulas(kernel: Kernel, l: number[][]): Promise<void> {
  const n = l.length;
  const eigen = eigenOf(l);
  const part = rebuilt(eigen, (v) => v > 0);
  const absolute = eigen.values.reduce((sum, v) => sum + Math.abs(v), 0);
  const negative = eigen.values.reduce((sum, v) => sum + Math.max(0, -v), 0);
  const sampled = await sampledKernel(kernel, hashesOf(n), null);
  const { dpp } = sampled;
  expect(dpp.n).toBe(n);
  expect(sampled.landmarks).toBe(null);
  expect(sampled.residual).toBeCloseTo(0, 8);
  expect(sampled.totalVariation).toBeCloseTo(0, 8);
  expect(sampled.clippedMass).toBeCloseTo(absolute === 0 ? 0 : negative / absolute, 9);
  expect(dpp.logNormalizer).toBeCloseTo(Math.log(determinant(plusIdentity(part))), 7);
  const marginals = new Matrix(part).mmul(inverse(plusIdentity(part)));
  expect(furthest(dpp.marginals(), marginals.diagonal())).toBeLessThan(1e-8);
  expect(
    furthest(
      dpp.diagonal(),
      part.map((row, i) => row[i]),
    ),
  ).toBeLessThan(1e-8);
  for (let i = 0; i < n; i++) expect(furthest(dpp.row(i), part[i])).toBeLessThan(1e-8);
}

describe('up to a few dozen items: exact, by the formulas', () => {
  const families: [string, (random: Random, n: number) => number[][]][] = [
    ['positive definite', (random, n) => cosines(random, n)],
    ['of a Gaussian', gaussians],
    ['of repeated items', repeated],
    ['of a low rank', (random, n) => wholeNumbers(random, n, 1 + Math.floor(n / 4))],
    ['indefinite', indefinite],
    ['of zeros', (_, n) => symmetric(n, () => 0)],
  ];
  test.each(families)('kernels %s', async (_, family) => {
    for (const n of [1, 2, 3, 8, 25, 60]) {
      const random = seeded(n);
      const k = family(random, n);
      const q = k.map(() => Math.exp(0.5 * random.normal()));
      const l = symmetric(n, (i, j) => k[i][j] * q[i] * q[j]);
      await expectFormulas(given(l), l);
    }
  });

  test('a kernel over similarities, with its qualities', async () => {
    const n = 20;
    const random = seeded(4);
    const vectors = unitRows(random, n, 10);
    const s = new Float32Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let c = 0; c < 10; c++) s[i * n + j] += vectors[i * 10 + c] * vectors[j * 10 + c];
      }
      s[i * n + i] = 1;
    }
    const logQuality = Float64Array.from({ length: n }, () => random.normal());
    const options = { similarity: 'cosine', form: 'gaussian', sigma: 0.7 } as const;
    const rows = async (i: number) => s.subarray(i * n, (i + 1) * n);
    const kernel = await similarityKernel(rows, null, null, logQuality, options);
    const l = symmetric(n, (i, j) => {
      const distance = Math.sqrt(Math.max(0, 2 - 2 * s[i * n + j]));
      return Math.exp(-(distance ** 2) / (2 * 0.49) + logQuality[i] + logQuality[j]);
    });
    await expectFormulas(kernel, l);
  });

  test('the rank is that of the positive semi-definite part', async () => {
    const nothing = await sampledKernel(given([]), [], null);
    expect([nothing.dpp.marginals(), nothing.dpp.logNormalizer, nothing.clippedMass]).toEqual([
      new Float64Array(0),
      0,
      0,
    ]);
    const rankOf = async (l: number[][]) => (await sampledKernel(given(l), hashesOf(l.length), null)).dpp.rank;
    expect(await rankOf([])).toBe(0);
    expect(await rankOf(symmetric(5, () => 0))).toBe(0);
    expect(await rankOf(symmetric(5, () => 3))).toBe(1);
    expect(await rankOf(symmetric(6, (i, j) => (i % 3 === j % 3 ? 1 : 0)))).toBe(3);
    expect(await rankOf(cosines(seeded(1), 20))).toBe(20);
    expect(await rankOf(symmetric(2, (i, j) => (i === j ? 1 : 2)))).toBe(1);
    expect(await rankOf(symmetric(2, (i, j) => (i === j ? 0 : 1)))).toBe(1);
  });
});
