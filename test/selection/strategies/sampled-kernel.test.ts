import { determinant, EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { nystromFactor } from '../../../src/selection/dpp/low-rank.ts';
import { givenKernel } from '../../../src/selection/index.ts';
import { type Kernel, similarityKernel } from '../../../src/selection/kernel/kernel.ts';
import { sampledKernel, sampledObjective } from '../../../src/selection/strategies/sampling.ts';
import { furthest, type Random, seeded, unitRows } from '../kernel/random.ts';
import {
  cosines,
  coverageBy,
  covering,
  gaussians,
  indefinite,
  plain,
  repeated,
  scoreOf,
  strategyInput,
  symmetric,
  wholeNumbers,
} from './problems.ts';

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

  test('a hundred, of full rank, of a low one and indefinite', async () => {
    const n = 100;
    for (const l of [cosines(seeded(1), n, 150), cosines(seeded(2), n, 20), indefinite(seeded(3), n)]) {
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

  test('sets of a size are as exact: nothing is left out', async () => {
    for (const size of [0, 1, 5, 30]) {
      const { residual, totalVariation, dpp } = await sampledKernel(given(cosines(seeded(1), 30)), hashesOf(30), size);
      expect([residual, totalVariation]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
      expect(dpp.rank).toBe(30);
    }
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

describe('the Nyström approximation', () => {
  const landmarkRows = (l: number[][], landmarks: readonly number[]) =>
    Float64Array.from(landmarks.flatMap((i) => l[i]));
  const product = (factor: Float64Array, rank: number, i: number, j: number) => {
    let sum = 0;
    for (let c = 0; c < rank; c++) sum += factor[i * rank + c] * factor[j * rank + c];
    return sum;
  };

  test('from all items: L without what is no larger than its largest negative eigenvalue is deep', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(20);
      // Slightly indefinite, as a Gaussian of a distance that is none.
      const k = cosines(random, n);
      const l = symmetric(n, (i, j) => k[i][j] + 0.3 * random.normal());
      const eigen = eigenOf(l);
      const noise = Math.max(1e-12, ...eigen.values.map((v) => -v));
      const expected = rebuilt(eigen, (v) => v > noise);
      const every = Array.from({ length: n }, (_, i) => i);
      const { factor, rank, clippedMass } = nystromFactor(landmarkRows(l, every), every, n);
      expect(rank).toBe(eigen.values.filter((v) => v > noise).length);
      const absolute = eigen.values.reduce((sum, v) => sum + Math.abs(v), 0);
      expect(clippedMass).toBeCloseTo(eigen.values.reduce((sum, v) => sum + Math.max(0, -v), 0) / absolute, 9);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) expect(Math.abs(product(factor, rank, i, j) - expected[i][j])).toBeLessThan(1e-8);
      }
    }
  });

  test('from landmarks that span a kernel of their rank: the kernel itself', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = seeded(seed);
      const n = 12 + random.below(20);
      const l = cosines(random, n, 5);
      const landmarks = random
        .permutation(n)
        .slice(0, 9)
        .sort((a, b) => a - b);
      const { factor, rank, clippedMass } = nystromFactor(landmarkRows(l, landmarks), landmarks, n);
      expect(clippedMass).toBeLessThan(1e-12);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) expect(Math.abs(product(factor, rank, i, j) - l[i][j])).toBeLessThan(1e-6);
      }
    }
  });

  test('from some landmarks of a kernel of full rank: exact among them, never more than there is elsewhere', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = seeded(seed);
      const n = 15;
      const l = cosines(random, n);
      const landmarks = [0, 3, 7, 11];
      const { factor, rank } = nystromFactor(landmarkRows(l, landmarks), landmarks, n);
      expect(rank).toBe(4);
      for (const i of landmarks) {
        for (let j = 0; j < n; j++) expect(product(factor, rank, i, j)).toBeCloseTo(l[i][j], 9);
      }
      for (let i = 0; i < n; i++) expect(product(factor, rank, i, i)).toBeLessThanOrEqual(l[i][i] + 1e-9);
    }
  });
});

test('the objective of drawn sets is that of the kernel they were drawn from, coverage and all', async () => {
  for (const mu of [0, 2]) {
    const random = seeded(5);
    const n = 7;
    const l = indefinite(random, n);
    const problem = { ...plain(l), w: covering(random, n), mu };
    const { dpp } = await sampledKernel(given(l), hashesOf(n), null);
    const part = { ...problem, k: rebuilt(eigenOf(l), (v) => v > 0) };
    const target = sampledObjective(dpp, strategyInput(problem, { coverage: coverageBy(problem.w) }))();
    const picked: number[] = [];
    for (const item of [4, 0, 2]) {
      await target.pick(item);
      picked.push(item);
      expect(target.value).toBeCloseTo(scoreOf(part, picked), 6);
      expect(target.logDeterminant).toBeCloseTo(scoreOf({ ...part, mu: 0 }, picked), 6);
    }
  }
});
