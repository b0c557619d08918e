import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeRows } from '../../../src/models/index.ts';
import { LEVEL, type RelevanceInput, relevance } from '../../../src/selection/index.ts';
import { coherence, spread, termsAround } from '../../../src/selection/kernel/surroundings.ts';
import { dot, furthest, normals, seeded, unitVectors } from './random.ts';

/** Unit vectors that keep a share of the one before: a talk that stays with its subject. */
function drifting(seed: number, n: number, d: number, keep: number): Float32Array[] {
  const random = seeded(seed);
  let at = normals(random, d);
  return Array.from({ length: n }, () => {
    at = at.map((v) => keep * v + Math.sqrt(1 - keep ** 2) * random.normal());
    return normalizeRows(Float32Array.from(at), 1, d);
  });
}

describe('surroundings', () => {
  test.each([1, 4, 8])('spread at reach %i is the weighted sum over the document', (reach) => {
    const random = seeded(reach);
    const rows = Array.from({ length: 40 }, () => normals(random, 3));
    const before = rows.map((row) => row.slice());
    spread(rows, reach).forEach((found, i) => {
      const expected = [0, 0, 0];
      rows.forEach((row, j) => {
        for (let c = 0; c < 3; c++) expected[c] += Math.exp(-Math.abs(i - j) / reach) * row[c];
      });
      expect(furthest(found, expected)).toBeLessThan(2e-5);
    });
    expect(rows).toEqual(before);
    expect(spread([], reach)).toEqual([]);
  });

  test('coherence: 0 where neighbours are strangers, 1 where the subject drifts', () => {
    const one = new Int32Array(400);
    for (const seed of [1, 2, 3]) {
      const talk = drifting(seed, 400, 32, 0.9);
      expect(coherence(talk, one)).toBe(1);
      expect(coherence(unitVectors(seeded(seed), 400, 32), one)).toBe(0);
      const shuffled = seeded(seed)
        .permutation(400)
        .map((i) => talk[i]);
      expect(coherence(shuffled, one)).toBe(0);
    }
  });

  test('terms around: the formula, term by term', () => {
    const occurs = [Uint8Array.of(1, 0, 0, 0, 1), Uint8Array.of(0, 1, 1, 0, 0), Uint8Array.of(1, 1, 1, 1, 1)];
    const documents = [0, 0, 0, 1, 1];
    const found = termsAround(occurs, 5, documents);
    const idf = [Math.log(6 / 3), Math.log(6 / 3), 0];
    for (let i = 0; i < 5; i++) {
      const tf = occurs.map((flags) =>
        flags.reduce(
          (sum, flag, j) => sum + (documents[i] === documents[j] ? flag * Math.exp(-Math.abs(i - j) / 8) : 0),
          0,
        ),
      );
      const expected = tf.reduce((sum, f, g) => sum + (idf[g] * f) / (f + 2), 0) / (idf[0] + idf[1]);
      expect(found[i]).toBeCloseTo(expected, 6);
      expect(found[i]).toBeLessThan(1);
    }
    expect([...termsAround([], 3, [0, 0, 0])]).toEqual([0, 0, 0]);
  });
});

const D = 24;

/** Scale of the cosines of random unit vectors. */
const SCALE = { mean: 0, deviation: 0.2 };

function input(overrides: Partial<RelevanceInput> = {}, n = 60): RelevanceInput {
  const random = seeded(n);
  return {
    vectors: unitVectors(random, n, D),
    texts: Array.from({ length: n }, (_, i) => `point number ${i} of ${i % 7 === 0 ? 'tram' : 'garden'}`),
    under: new Array(n).fill(null),
    documents: Int32Array.from({ length: n }, (_, i) => i),
    foreign: new Uint8Array(n),
    facets: [],
    surroundings: 0,
    estimate: true,
    scale: SCALE,
    ...overrides,
  };
}

const facet = (seed: number, text = 'which trams run') => ({ text, vector: unitVectors(seeded(seed), 1, D)[0] });

/** A unit vector at this cosine with a query. */
function near(query: Float32Array, cosine: number, seed: number): Float32Array {
  const [other] = unitVectors(seeded(seed), 1, query.length);
  const along = dot(other, query);
  const apart = normalizeRows(
    other.map((v, c) => v - along * query[c]),
    1,
    query.length,
  );
  return apart.map((v, c) => cosine * query[c] + Math.sqrt(1 - cosine ** 2) * v);
}

describe('relevance', () => {
  test('no facets: everyone is as relevant and passes, with and without points', () => {
    const found = relevance(input());
    expect([...found.values]).toEqual(new Array(60).fill(1));
    expect([...found.eligible]).toEqual(new Array(60).fill(1));
    expect(found.best).toEqual([]);
    expect(relevance(input({}, 0)).values).toHaveLength(0);
    const none = relevance(input({ facets: [facet(1)] }, 0));
    expect([none.values.length, none.eligible.length, none.best]).toEqual([
      0,
      0,
      [{ value: 0, mayAnswer: false, answers: false }],
    ]);
  });

  test('the value is that of the best facet, the first of equals is named, and best is the largest of each', () => {
    const facets = [facet(1), facet(2), facet(3)];
    const all = relevance(input({ facets }));
    const alone = facets.map((each) => relevance(input({ facets: [each] })));
    for (let i = 0; i < 60; i++) {
      const values = alone.map((each) => each.values[i]);
      expect(all.values[i]).toBe(Math.max(...values));
      expect(all.facets[i]).toBe(values.indexOf(Math.max(...values)));
      expect(all.eligible[i]).toBe(Math.max(...alone.map((each) => each.eligible[i])));
    }
    expect(all.best.map(({ value }) => value)).toEqual(alone.map(({ values }) => Math.max(...values)));
    expect(relevance(input({ facets: [facets[0], facets[0]] })).facets.every((f) => f === 0)).toBe(true);
  });

  test('the headers of a row make it no fuller', () => {
    const cells = ['the large blue one at the end', 'twelve of oak', 'the first above the ground'];
    const told = ['Room', 'seats', 'floor'].map((header, n) => [header, cells[n]]);
    const texts = [told.map((cell) => cell.join(': ')).join('; '), cells.join('; '), told.flat().join(' ')];
    const [row = 0, bare = 0, long] = relevance(
      input({ facets: [{ ...facet(1, 'which trams run'), readings: new Float64Array(3) }], texts }, 3),
    ).values;
    expect(row).toBeCloseTo(bare, 12);
    expect(long).toBeGreaterThan(row);
  });

  test('a probability: within (0, 1), whatever is asked of whatever', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 80 }),
        fc.integer(),
        fc.constantFrom('what about trams', 'trams', 'point of a garden?', '', '?'),
        fc.constantFrom(null, SCALE, { mean: 0.8, deviation: 0.02 }),
        fc.constantFrom(0, 0.5, 1),
        fc.constantFrom(3, 10, 100),
        fc.boolean(),
        (n, seed, text, scale, surroundings, length, isRead) => {
          const random = seeded(seed);
          const documents = Int32Array.from({ length: n }, (_, i) => Math.floor(i / length));
          const readings = Float64Array.from({ length: n }, () =>
            random.below(2) === 0 ? Number.NaN : 9 * random.normal(),
          );
          const asked = { ...facet(seed, text), ...(isRead && { readings }) };
          const found = relevance(input({ facets: [asked], scale, surroundings, documents }, n));
          for (const value of found.values) {
            expect(value).toBeGreaterThan(0);
            expect(value).toBeLessThan(1);
          }
        },
      ),
    );
  });

  test('the order of the documents does not matter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 6 }),
        fc.integer(),
        fc.constantFrom('what about trams', 'trams of the garden'),
        fc.constantFrom(null, SCALE),
        (sizes, seed, text, scale) => {
          const n = sizes.reduce((sum, size) => sum + size, 0);
          const documents = Int32Array.from(sizes.flatMap((size, d) => new Array<number>(size).fill(d)));
          const readings = Float64Array.from(unitVectors(seeded(seed), 1, n)[0], (v) => 3 * v - 3);
          const given = input({ documents, scale, surroundings: 1, facets: [{ ...facet(seed, text), readings }] }, n);
          const turned = seeded(seed).permutation(sizes.length);
          const order = turned.flatMap((d) => [...documents.keys()].filter((i) => documents[i] === d));
          const other = relevance({
            ...given,
            vectors: order.map((i) => given.vectors[i]),
            texts: order.map((i) => given.texts[i]),
            documents: Int32Array.from(order, (i) => turned.indexOf(documents[i])),
            facets: given.facets.map((each) => ({ ...each, readings: Float64Array.from(order, (i) => readings[i]) })),
          });
          const found = relevance(given);
          order.forEach((i, at) => {
            expect(other.values[at]).toBeCloseTo(found.values[i], 6);
            expect(other.facets[at]).toBe(found.facets[i]);
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  describe('long documents', () => {
    /** One point in the middle of a stretch that is about the question, and the same point elsewhere. */
    function stretch(points: number) {
      const asked = facet(5, 'what about zeppelins');
      const vectors = unitVectors(seeded(9), points, D);
      const place = Math.floor(points / 4);
      const twin = Math.floor((3 * points) / 4);
      for (let i = place - 3; i <= place + 3; i++) vectors[i] = near(asked.vector, 0.8, i);
      for (const at of [place, twin]) {
        vectors[at - 1] = near(asked.vector, 0, 76);
        vectors[at] = near(asked.vector, 0.1, 77);
      }
      const texts = new Array<string>(points).fill('it was said so');
      return {
        place,
        twin,
        given: input({ vectors, texts, documents: new Int32Array(points), facets: [asked] }, points),
      };
    }

    test('use what stands around a point, as far as asked', () => {
      const { given, place, twin } = stretch(400);
      const [off, half, full] = [0, 0.5, 1].map((surroundings) => relevance({ ...given, surroundings }).values);
      expect(off[place]).toBe(off[twin]);
      expect(half[place]).toBeGreaterThan(half[twin]);
      expect(full[place] / full[twin]).toBeGreaterThan(half[place] / half[twin]);
    });
  });

  test('what a reader says of points counts where it read them, and nowhere else where it read a few', () => {
    const same = new Array<Float32Array>(30).fill(unitVectors(seeded(1), 1, D)[0]);
    const texts = same.map(() => 'it was said so');
    const readings = Float64Array.from({ length: 30 }, (_, i) => (i < 3 ? -4 + 3 * i : Number.NaN));
    const given = input({ vectors: same, texts, facets: [facet(2)] }, 30);
    const { values } = relevance({ ...given, facets: [{ ...facet(2), readings }] });
    expect(values[2]).toBeGreaterThan(values[1]);
    expect(values[1]).toBeGreaterThan(values[0]);
    const unread = relevance(given).values;
    for (let i = 3; i < 30; i++) expect(values[i]).toBe(unread[i]);
  });

  test.each([
    [-9, false, false],
    [0, true, false],
    [9, true, true],
  ])('the best reading alone says whether a facet may be and is answered: %d', (best, mayAnswer, answers) => {
    const readings = Float64Array.from({ length: 30 }, (_, i) => (i === 3 ? best : i % 2 === 0 ? -9 : Number.NaN));
    const found = relevance(input({ facets: [{ ...facet(2), readings }] }, 30));
    expect(found.best).toEqual([{ value: expect.any(Number), mayAnswer, answers }]);
    expect(found.eligible.includes(1)).toBe(mayAnswer);
  });

  test('the kernel takes in what stands around as far as asked and as the text runs on', () => {
    const vectors = drifting(3, 60, D, 0.9);
    const documents = new Int32Array(60);
    const given = input({ vectors, documents, facets: [facet(2)] });
    const off = relevance(given);
    const half = relevance({ ...given, surroundings: 0.5 });
    const full = relevance({ ...given, surroundings: 1 });
    expect(off.surroundings).toBe(0);
    expect(full.surroundings).toBe(coherence(vectors, documents));
    expect(half.surroundings).toBe(full.surroundings / 2);
    expect(full.surroundings).toBeGreaterThan(0);
    const mixed = relevance(input({ facets: [facet(2)], surroundings: 1 }));
    expect(mixed.surroundings).toBe(0);
  });

  test('goes on from what was found before, without reading the texts again', () => {
    const vectors = drifting(3, 60, D, 0.9);
    const under = Array.from({ length: 60 }, (_, i) => (i < 20 ? null : { text: 'a tram', vector: vectors[i] }));
    const given = input({
      vectors,
      under,
      documents: new Int32Array(60),
      facets: [facet(2), facet(1)],
      surroundings: 1,
    });
    const earlier = relevance(given);
    expect(relevance({ ...given, earlier, texts: [], under: [] })).toEqual(earlier);
    const readings = Float64Array.from({ length: 60 }, (_, i) => (i < 10 ? i : Number.NaN));
    const facets = given.facets.map((each) => ({ ...each, readings }));
    expect(relevance({ ...given, facets, earlier, texts: [], under: [] })).toEqual(relevance({ ...given, facets }));
  });

  describe('eligible', () => {
    /** What passes by the rule, facet by facet, from the values of each facet alone. */
    function expected(given: RelevanceInput, least: number): number[] {
      const alone = given.facets.map((each) => relevance({ ...given, facets: [each] }).values);
      return given.vectors.map((_, i) => {
        const isTold = alone.some((values) => {
          const largest = Math.max(...values);
          const own = [...values.keys()].filter((j) => given.documents[j] === given.documents[i]);
          const isFirst = own.every((j) => values[j] < values[i] || (values[j] === values[i] && j >= i));
          const share = isFirst ? LEVEL.ofBestFirst : LEVEL.ofBest;
          return values[i] >= least && values[i] >= largest - (1 - share) * Math.abs(largest);
        });
        return isTold ? 1 : 0;
      });
    }

    test('the level and the share of the best of each facet, lower for the best point of a document', () => {
      const counts = new Set<number>();
      fc.assert(
        fc.property(
          fc.integer(),
          fc.integer({ min: 1, max: 40 }),
          fc.double({ min: 0.05, max: 0.4 }),
          (seed, n, deviation) => {
            const facets = [facet(seed), facet(seed + 1, 'gardens'), facet(seed + 2, 'who pays for the tram')];
            const documents = Int32Array.from({ length: n }, (_, i) => Math.floor(i / 10));
            const given = input({ facets, documents, scale: { mean: 0, deviation } }, n);
            const { eligible } = relevance(given);
            expect([...eligible]).toEqual(expected(given, LEVEL.absolute));
            counts.add(eligible.reduce((sum, each) => sum + each, 0));
          },
        ),
      );
      expect(counts.size).toBeGreaterThan(3);
    });
  });

  describe('given scores', () => {
    const scores = [
      Float64Array.from({ length: 60 }, (_, i) => i / 60),
      Float64Array.from({ length: 60 }, (_, i) => (i === 3 ? -0.1 : 0.5)),
    ];

    test('stand in place of the estimate: the best facet, nothing mixed in, no vectors read', () => {
      const vectors = drifting(3, 60, D, 0.9);
      const given = input({ vectors, documents: new Int32Array(60), facets: [facet(1), facet(2)], surroundings: 1 });
      const found = relevance({ ...given, scores });
      expect([...found.values]).toEqual(Array.from({ length: 60 }, (_, i) => Math.max(scores[0][i], scores[1][i])));
      expect([...found.facets]).toEqual(Array.from({ length: 60 }, (_, i) => (i === 3 || i >= 30 ? 0 : 1)));
      expect(found.best.map(({ value }) => value)).toEqual([59 / 60, 0.5]);
      expect([found.surroundings, found.found]).toEqual([0, null]);
      expect(relevance({ ...given, scores, vectors: [] })).toEqual(found);
    });
  });
});
