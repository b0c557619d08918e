import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import {
  agreement,
  CENTRING_LEAST,
  NONE,
  PARAPHRASE,
  salience,
  supports,
} from '../../../src/selection/kernel/agreement.ts';
import { coverage, sources } from '../../../src/selection/kernel/coverage.ts';
import { centring, type Reference } from '../../../src/selection/kernel/reference.ts';
import { fullReference, furthest, landmarkReference, randomSimilarities, seeded } from './random.ts';

const OPTIONS = { paraphrase: 0.9, unlike: -0.5 };
const NOTHING = { plain: null, wording: null, cosines: null };

function agree(reference: Reference, cosines: Float32Array | null = null) {
  return agreement(reference, centring(reference), { ...NOTHING, cosines }, OPTIONS, portable);
}

/** Random points with their similarities, cosines and documents. */
function points(seed: number, n: number, documentCount: number) {
  const random = seeded(seed);
  const s = randomSimilarities(random, n);
  const cosines = randomSimilarities(random, n);
  const documents = Int32Array.from({ length: n }, () => random.below(documentCount));
  return { random, s, cosines, documents };
}

/** W as DESIGN.md defines it, i covers j, from whole matrices. */
function weights(
  s: Float32Array,
  { levels, values }: { levels: Float32Array; values: Float32Array },
  documents: Int32Array,
  n: number,
  t: number,
): number[][] {
  const small = n < CENTRING_LEAST;
  let mean = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (i !== j) mean += s[i * n + j] / (n * (n - 1));
  const w = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => {
      if (documents[i] === documents[j] || values[j * n + i] === NONE) return 0;
      if (values[j * n + i] === PARAPHRASE && !small) return Number.NaN;
      return Math.max(0, (small ? s[j * n + i] - mean : levels[j * n + i]) - t);
    }),
  );
  const largest = Math.max(0, ...w.flat().filter((v) => !Number.isNaN(v)));
  for (const row of w) for (let j = 0; j < n; j++) if (Number.isNaN(row[j])) row[j] = largest === 0 ? 1 : largest;
  for (let j = 0; j < n; j++) w[j][j] = Math.max(...w.map((row) => row[j]));
  return w;
}

function bruteForce(w: number[][], picked: readonly number[]): number {
  const cov = (chosen: readonly number[]) =>
    w.reduce((sum, _, j) => sum + chosen.reduce((most, i) => Math.max(most, w[i][j]), 0), 0);
  const best = Math.max(0, ...w.map((_, i) => cov([i])));
  return best === 0 ? 0 : cov(picked) / best;
}

describe('coverage', () => {
  test('equals sum_j max_i W_ij from scratch, in units of the best single point', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 6 }),
        async (seed, n, d) => {
          const { random, s, cosines, documents } = points(seed, n, d);
          const reference = fullReference(s, n);
          const agreed = await agree(reference, cosines);
          const t = random.next() * 0.3 - 0.1;
          const cover = coverage(reference, agreed, documents, t);
          const w = weights(s, agreed, documents, n, t);
          const order = random.permutation(n).slice(0, 6);
          const state = cover.start();
          expect(cover.threshold).toBe(t);
          expect(state.value).toBe(0);
          for (const [k, i] of order.entries()) {
            const promised = state.gain(i);
            const before = state.value;
            state.add(i);
            expect(state.value - before).toBeCloseTo(promised, 10);
            expect(state.value).toBeCloseTo(bruteForce(w, order.slice(0, k + 1)), 5);
          }
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  test('monotone and submodular; the best single point has gain 1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 2, max: 30 }), async (seed, n) => {
        const { random, s, documents } = points(seed, n, 4);
        const reference = fullReference(s, n);
        const cover = coverage(reference, await agree(reference), documents, { percentile: 60 });
        const [small, large] = [cover.start(), cover.start()];
        const single = Array.from({ length: n }, (_, i) => small.gain(i));
        const best = Math.max(...single);
        if (best > 0) expect(best).toBeCloseTo(1, 12);
        const order = random.permutation(n);
        for (const [k, i] of order.entries()) {
          if (k % 2 === 0) small.add(i);
          large.add(i); // always a superset of the small one
          for (let j = 0; j < n; j++) {
            expect(large.gain(j)).toBeGreaterThanOrEqual(0);
            expect(large.gain(j)).toBeLessThanOrEqual(small.gain(j) + 1e-12);
          }
        }
        for (let j = 0; j < n; j++) expect(large.gain(j)).toBe(0);
      }),
      { seed: 2, numRuns: 40 },
    );
  });
});

/** Second-order agreement in double precision straight from the docstring of `agreement`. */
function naiveAgreement(s: number[][], plain: number[][], wording: number[][]): number[][] {
  const n = s.length;
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const centre = (m: number[][]) => {
    const means = m.map(mean);
    return m.map((row, i) => row.map((v, j) => v - means[i] - means[j] + mean(means)));
  };
  const apart = (m: number[][]) => m.flatMap((row, i) => row.filter((_, j) => j !== i));
  const zz = (m: number[][]) => {
    const c = centre(m);
    const values = apart(c);
    const deviation = Math.sqrt(mean(values.map((v) => (v - mean(values)) ** 2)));
    return c.map((row) => row.map((v) => (v - mean(values)) / deviation));
  };
  const profile = (m: number[][]) => {
    const sorted = apart(m).sort((a, b) => a - b);
    const floor = sorted[Math.ceil(0.6 * sorted.length) - 1];
    const features = m.map((row, i) => row.map((v, j) => (i === j ? 0 : Math.max(0, v - floor))));
    const norms = features.map((row) => Math.hypot(...row) || 1);
    return features.map((a, i) =>
      features.map((b, j) => a.reduce((sum, v, k) => sum + v * b[k], 0) / (norms[i] * norms[j])),
    );
  };
  const [a, b, c] = [s, plain, wording].map(zz);
  const blended = a.map((row, i) => row.map((v, j) => v - 0.5 * b[i][j] + 0.4 * c[i][j]));
  return centre(profile(profile(blended))).map((row) => row.slice(0, n));
}

const square = (m: Float32Array, n: number) => Array.from({ length: n }, (_, i) => [...m.subarray(i * n, (i + 1) * n)]);

describe('agreement', () => {
  test.each([20, 33])('%i points: what the formula gives in double precision', async (n) => {
    const random = seeded(n);
    const [s, plain, wording] = [1, 2, 3].map(() => randomSimilarities(random, n));
    const reference = fullReference(s, n);
    const agreed = await agreement(
      reference,
      centring(reference),
      { plain, wording, cosines: null },
      OPTIONS,
      portable,
    );
    const expected = naiveAgreement(square(s, n), square(plain, n), square(wording, n)).flat();
    expect(furthest(agreed.levels, expected)).toBeLessThan(2e-5);
  });

  test.each([7, 19, 20, 40])('%i points: a row on demand is the row of the reference', async (n) => {
    const { s, cosines } = points(n, n, 3);
    const reference = fullReference(s, n);
    const agreed = await agree(reference, cosines);
    for (let i = 0; i < n; i++) {
      const row = agreed.row(i, s.subarray(i * n, (i + 1) * n), cosines.subarray(i * n, (i + 1) * n));
      expect(furthest(row, agreed.values.subarray(i * n, (i + 1) * n))).toBeLessThan(1e-6);
    }
  });

  test.each([6, 30])('%i points: paraphrases on S, none on the cosine, S speaks first', async (n) => {
    const { s, cosines } = points(9, n, 3);
    const reference = fullReference(s, n);
    const { values, levels } = await agree(reference, cosines);
    const seen = new Set<number>();
    for (let at = 0; at < n * n; at++) {
      const expected = s[at] >= OPTIONS.paraphrase ? PARAPHRASE : cosines[at] < OPTIONS.unlike ? NONE : levels[at];
      expect(values[at]).toBe(expected);
      seen.add(expected);
    }
    expect(seen.has(PARAPHRASE) && seen.has(NONE)).toBe(true);
    expect((await agree(reference)).values.includes(NONE)).toBe(false);
  });
});

describe('salience', () => {
  test('counts distinct other documents, as written down', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 30 }), async (seed, n) => {
        const { s, documents } = points(seed, n, 6);
        const indices = Array.from({ length: n }, (_, i) => i).filter((i) => i % 3 !== 1);
        const reference = landmarkReference(s, n, indices);
        const { values } = await agree(reference);
        const found = salience(reference, values, documents, 0.05);
        const expected = Array.from({ length: n }, (_, i) => {
          const who = indices.filter((j, r) => documents[j] !== documents[i] && supports(values[r * n + i], 0.05, n));
          return new Set(who.map((j) => documents[j])).size;
        });
        expect([...found]).toEqual(expected);
      }),
      { seed: 6, numRuns: 60 },
    );
  });
});

/** Points of a few documents, and an order in which all of them are taken. */
const cases = fc
  .array(fc.record({ document: fc.nat(5), quality: fc.double({ min: 1e-6, max: 1e3, noNaN: true }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .chain((points) =>
    fc.record({
      documents: fc.constant(Int32Array.from(points, ({ document }) => document)),
      quality: fc.constant(Float64Array.from(points, ({ quality }) => quality)),
      order: fc.shuffledSubarray([...points.keys()], { minLength: points.length }),
    }),
  );

/** sum over documents of the root of the quality taken from each, document by document. */
function worthOf(documents: Int32Array, quality: Float64Array, taken: readonly number[]): number {
  let value = 0;
  for (const document of new Set(documents)) {
    let sum = 0;
    for (const i of taken) if (documents[i] === document) sum += quality[i];
    value += Math.sqrt(sum);
  }
  return value;
}

/** Rounding of a sum of some size. */
const slack = (value: number) => 1e-9 * Math.max(1, value);

describe('sources', () => {
  test('the value is the sum of the gains, and that of the formula', () => {
    fc.assert(
      fc.property(cases, ({ documents, quality, order }) => {
        const state = sources(documents, quality);
        let sum = 0;
        expect(state.value).toBe(0);
        order.forEach((i, place) => {
          sum += state.gain(i);
          state.add(i);
          const expected = worthOf(documents, quality, order.slice(0, place + 1));
          expect(Math.abs(state.value - expected)).toBeLessThan(slack(expected));
          expect(Math.abs(sum - expected)).toBeLessThan(slack(expected));
        });
      }),
    );
  });

  test('monotone and submodular: no point takes anything away, nor adds more to more', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), ({ documents, quality, order }, a, b) => {
        const [less, more] = [a % order.length, b % order.length].sort((x, y) => x - y);
        const small = sources(documents, quality);
        for (const i of order.slice(0, less)) small.add(i);
        const large = sources(documents, quality);
        for (const i of order.slice(0, more)) large.add(i);
        expect(large.value).toBeGreaterThanOrEqual(small.value);
        for (const i of order.slice(more)) {
          expect(large.gain(i)).toBeGreaterThan(0);
          expect(large.gain(i)).toBeLessThanOrEqual(small.gain(i) + slack(small.gain(i)));
        }
      }),
    );
  });
});
