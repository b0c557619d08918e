import { describe, expect, test } from 'vitest';
import { givenKernel } from '../../../src/selection/index.ts';
import { medianSigma, similarityKernel } from '../../../src/selection/kernel/kernel.ts';
import type { Reference } from '../../../src/selection/kernel/reference.ts';
import { fullReference, furthest, randomSimilarities, seeded, givenSimilarity as similarityBy } from './random.ts';

const N = 12;
/** With two items that are the same. */
const S = (() => {
  const s = randomSimilarities(seeded(1), N);
  for (let j = 0; j < N; j++) {
    s[7 * N + j] = s[2 * N + j];
    s[j * N + 7] = s[j * N + 2];
  }
  s[2 * N + 7] = 1;
  s[7 * N + 2] = 1;
  s[7 * N + 7] = 1;
  return s;
})();
const LOG_QUALITY = Float64Array.from({ length: N }, (_, i) => Math.sin(i));

const rowsOf = (s: Float32Array) => async (i: number) => s.subarray(i * N, (i + 1) * N);
const FULL = fullReference(S, N);

const distances = {
  bertscore: (s: number) => 1 - s,
  cosine: (s: number) => Math.sqrt(Math.max(0, 2 - 2 * s)),
};

/** The median of the distances of different items, at least 1e-3. */
function median({ indices, similarities }: Reference, distance: (s: number) => number): number {
  const apart = indices
    .flatMap((index, r) =>
      Array.from({ length: N }, (_, i) => (i === index ? [] : [distance(similarities[r * N + i])])).flat(),
    )
    .sort((a, b) => a - b);
  return Math.max(1e-3, (apart[(apart.length - 1) >> 1] + apart[apart.length >> 1]) / 2);
}

const bell = (distance: number, sigma: number) => Math.exp(-(distance ** 2) / (2 * sigma ** 2));

const forms = (['bertscore', 'cosine'] as const).flatMap((similarity) => [
  { similarity, form: 'linear', sigma: 0.3 } as const,
  { similarity, form: 'gaussian', sigma: 0.1 } as const,
  { similarity, form: 'gaussian', sigma: 1 } as const,
  { similarity, form: 'gaussian', sigma: 'median' } as const,
]);

describe.each(forms)('a kernel over similarities: %o', (options) => {
  const distance = distances[options.similarity];
  const sigmaOf = (reference: Reference) => (options.sigma === 'median' ? median(reference, distance) : options.sigma);
  const entryOf = (s: number, reference: Reference) =>
    options.form === 'linear' ? s : bell(distance(s), sigmaOf(reference));

  test('rows by the formula', async () => {
    const kernel = await similarityKernel(rowsOf(S), FULL, null, LOG_QUALITY, options);
    expect([kernel.n, [...kernel.diagonal], kernel.logQuality]).toEqual([N, new Array(N).fill(1), LOG_QUALITY]);
    for (let i = 0; i < N; i++) {
      const expected = [...S.subarray(i * N, (i + 1) * N)].map((s) => entryOf(s, FULL));
      const row = await kernel.row(i);
      expect(row).toBeInstanceOf(Float64Array);
      expect(furthest(row, expected)).toBeLessThan(1e-12);
      expect(row[i]).toBe(1);
    }
    expect((await kernel.row(2))[7]).toBe(1);
  });

  test('the matrix is q_i K_ij q_j, exactly symmetric', async () => {
    const kernel = await similarityKernel(rowsOf(S), FULL, null, LOG_QUALITY, options);
    for (const isRead of [false, true]) {
      if (isRead) for (let i = 0; i < N; i += 2) await kernel.row(i);
      const matrix = await kernel.matrix();
      expect(matrix).toHaveLength(N * N);
      for (let i = 0; i < N; i++) {
        for (let j = 0; j < N; j++) {
          const expected = Math.exp(LOG_QUALITY[i] + LOG_QUALITY[j]) * entryOf(S[i * N + j], FULL);
          expect(Math.abs(matrix[i * N + j] - expected)).toBeLessThan(1e-12);
          expect(matrix[i * N + j]).toBe(matrix[j * N + i]);
        }
      }
    }
  });
});

describe('a kernel over similarities', () => {
  const options = { similarity: 'bertscore', form: 'gaussian', sigma: 0.5 } as const;

  test('what is certain to be in a random set is capped, so that nothing overflows; tiny stays tiny', async () => {
    const logQuality = Float64Array.from({ length: N }, (_, i) => [345, -345, 60, 59, -20, 0][i % 6]);
    const kernel = await similarityKernel(rowsOf(S), null, null, logQuality, options);
    const q = logQuality.map((log) => Math.exp(Math.min(60, log)));
    const matrix = await kernel.matrix();
    for (let i = 0; i < N; i++) {
      const k = await kernel.row(i);
      for (let j = 0; j < N; j++) {
        expect(Number.isFinite(matrix[i * N + j])).toBe(true);
        const expected = q[i] * k[j] * q[j];
        expect(Math.abs(matrix[i * N + j] - expected)).toBeLessThanOrEqual(1e-14 * expected);
      }
    }
    expect(matrix[0] / Math.exp(120)).toBeCloseTo(1, 10);
    expect(matrix[N + 1]).toBeGreaterThan(0);
    expect(kernel.logQuality).toBe(logQuality); // the MAP sees them as they are
  });
});

describe('a context', () => {
  const around = randomSimilarities(seeded(5), N);
  const sigma = medianSigma(fullReference(around, N), distances.bertscore);

  test.each([0.25, 1])(
    'with a share of %d scales K by how near the surroundings are, but for the same words',
    async (share) => {
      for (const similarity of ['bertscore', 'cosine'] as const) {
        for (const form of ['gaussian', 'linear'] as const) {
          const options = { similarity, form, sigma: 0.8 };
          const context = { similarity: similarityBy(around, N), share };
          const bare = await similarityKernel(rowsOf(S), FULL, null, LOG_QUALITY, options);
          const kernel = await similarityKernel(rowsOf(S), FULL, context, LOG_QUALITY, options);
          expect(kernel.isPositive).toBe(false);
          for (let i = 0; i < N; i++) {
            const plain = await bare.row(i);
            const expected = plain.map((value, j) =>
              S[i * N + j] >= 1 ? value : value * bell(1 - around[i * N + j], sigma) ** share,
            );
            expect(furthest(await kernel.row(i), expected)).toBeLessThan(1e-6);
          }
          expect((await kernel.row(2))[7]).toBe(1);
        }
      }
    },
  );
});

describe('a given kernel', () => {
  test('K_ij = L_ij / sqrt(L_ii L_jj), q_i = sqrt(L_ii)', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(10);
      const l = new Float64Array(n * n);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          l[i * n + j] = i === j ? 5 * random.next() : random.normal();
          l[j * n + i] = l[i * n + j];
        }
      }
      const kernel = givenKernel(l, n);
      expect([kernel.n, [...kernel.diagonal]]).toEqual([n, new Array(n).fill(1)]);
      expect([kernel.isPositive, kernel.sigma]).toEqual([false, null]);
      expect(await kernel.matrix()).toBe(l);
      for (let i = 0; i < n; i++) {
        const row = await kernel.row(i);
        expect(kernel.logQuality[i]).toBeCloseTo(Math.log(l[i * n + i]) / 2, 12);
        expect(row[i]).toBe(1);
        for (let j = 0; j < n; j++) {
          if (i !== j) expect(row[j] / (l[i * n + j] / Math.sqrt(l[i * n + i] * l[j * n + j]))).toBeCloseTo(1, 12);
          const back = Math.exp(kernel.logQuality[i] + kernel.logQuality[j]) * row[j];
          expect(Math.abs(back - l[i * n + j])).toBeLessThan(1e-12);
          expect((await kernel.row(j))[i] - row[j]).toBeCloseTo(0, 14);
        }
      }
    }
  });

  test('entries from 1e-300 to 1e300: neither products nor quotients leave the range', async () => {
    const powers = [300, -300, 0, 150, -151, 299, -299];
    const n = powers.length;
    const l = new Float64Array(n * n);
    // Half of what is possible; the powers are halved one by one, for their sum would overflow as a product.
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) l[i * n + j] = (i === j ? 1 : 0.5) * 10 ** (powers[i] / 2) * 10 ** (powers[j] / 2);
    }
    const kernel = givenKernel(l, n);
    for (let i = 0; i < n; i++) {
      expect(kernel.logQuality[i]).toBeCloseTo((powers[i] / 2) * Math.LN10, 9);
      const row = await kernel.row(i);
      for (let j = 0; j < n; j++) expect(row[j]).toBeCloseTo(i === j ? 1 : 0.5, 12);
    }
  });
});
