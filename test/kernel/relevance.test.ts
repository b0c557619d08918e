import { describe, expect, test } from 'vitest';
import { type RelevanceInput, relevance } from '../../src/kernel/relevance.ts';
import { coherence, contextVectors, spread, termsAround } from '../../src/kernel/surroundings.ts';
import { normalizeRows } from '../../src/linear-algebra/normalize-rows.ts';
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
    const n = 40;
    const rows = Array.from({ length: n }, () => normals(random, 3));
    const documents = Array.from({ length: n }, (_, i) => (i < 1 ? 0 : i < 25 ? 1 : i < 27 ? 2 : 3));
    const before = rows.map((row) => row.slice());
    const found = spread(rows, documents, reach);
    for (let i = 0; i < n; i++) {
      const expected = [0, 0, 0];
      for (let j = 0; j < n; j++) {
        if (documents[i] !== documents[j]) continue;
        for (let c = 0; c < 3; c++) expected[c] += Math.exp(-Math.abs(i - j) / reach) * rows[j][c];
      }
      expect(furthest(found[i], expected)).toBeLessThan(2e-5);
    }
    expect(rows).toEqual(before);
    expect(spread([], [], reach)).toEqual([]);
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

  test('coherence: 0 for documents of one point, for few points, for equal vectors', () => {
    const talk = drifting(4, 60, 16, 0.95);
    expect(
      coherence(
        talk,
        Int32Array.from({ length: 60 }, (_, i) => i),
      ),
    ).toBe(0);
    for (const n of [0, 1, 2, 3]) expect(coherence(talk.slice(0, n), new Int32Array(n))).toBe(0);
    expect(coherence(new Array(30).fill(talk[0]), new Int32Array(30))).toBeLessThanOrEqual(1);
    expect(coherence(new Array(30).fill(new Float32Array(16)), new Int32Array(30))).toBe(0);
  });

  test('context vectors are unit vectors; a lone point is its own', () => {
    const talk = drifting(5, 20, 8, 0.5);
    const documents = Int32Array.from({ length: 20 }, (_, i) => (i < 19 ? 0 : 1));
    const found = contextVectors(talk, documents);
    for (const vector of found) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(furthest(found[19], talk[19])).toBeLessThan(1e-6);
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

describe('relevance', () => {
  const D = 24;

  function input(overrides: Partial<RelevanceInput> = {}, n = 60): RelevanceInput {
    const random = seeded(n);
    return {
      vectors: unitVectors(random, n, D),
      texts: Array.from({ length: n }, (_, i) => `point number ${i} of ${i % 7 === 0 ? 'tram' : 'garden'}`),
      speakers: new Array(n).fill(undefined),
      documents: Int32Array.from({ length: n }, (_, i) => Math.floor(i / 10)),
      foreign: new Uint8Array(n),
      facets: [],
      surroundings: 0,
      centred: true,
      ...overrides,
    };
  }

  const facet = (seed: number, text = 'what about trams') => ({ text, vector: unitVectors(seeded(seed), 1, D)[0] });

  test('no facets: everyone is as relevant, with and without points', () => {
    const found = relevance(input());
    expect([...found.values]).toEqual(new Array(60).fill(1));
    expect(found.best).toEqual([]);
    expect(relevance(input({}, 0)).values).toHaveLength(0);
    const none = relevance(input({ facets: [facet(1)] }, 0));
    expect([none.values.length, none.best]).toEqual([0, [{ cosine: 0, words: 0 }]]);
  });

  test('the value is that of the best facet, and the first of equals is named', () => {
    const facets = [facet(1), facet(2), facet(3)];
    const all = relevance(input({ facets }));
    const alone = facets.map((each) => relevance(input({ facets: [each] })));
    for (let i = 0; i < 60; i++) {
      const values = alone.map((each) => each.values[i]);
      expect(all.values[i]).toBe(Math.max(...values));
      expect(all.facets[i]).toBe(values.indexOf(Math.max(...values)));
    }
    expect(all.best).toEqual(alone.flatMap((each) => each.best));
    expect(relevance(input({ facets: [facets[0], facets[0]] })).facets.every((f) => f === 0)).toBe(true);
  });

  test('best: the plain cosine over points of known languages', () => {
    const given = input({ facets: [facet(1)] });
    const cosines = given.vectors.map((vector) => dot(vector, given.facets[0].vector));
    const top = cosines.indexOf(Math.max(...cosines));
    expect(relevance(given).best[0].cosine).toBe(cosines[top]);
    const foreign = new Uint8Array(60);
    foreign[top] = 1;
    const second = Math.max(...cosines.filter((_, i) => i !== top));
    expect(relevance({ ...given, foreign }).best[0].cosine).toBe(second);
  });

  test('a point that is the question itself comes first', () => {
    const vectors = unitVectors(seeded(8), 60, D);
    const found = relevance(input({ vectors, facets: [{ text: 'x', vector: vectors[17] }] }));
    expect(found.values.indexOf(Math.max(...found.values))).toBe(17);
  });

  test('not centred: the plain cosine with the facet', () => {
    const given = input({ facets: [facet(1), facet(2)], centred: false });
    const found = relevance(given);
    const cosines = given.facets.map(({ vector }) => given.vectors.map((each) => dot(each, vector)));
    expect(
      furthest(
        found.values,
        given.vectors.map((_, i) => Math.max(cosines[0][i], cosines[1][i])),
      ),
    ).toBeLessThan(1e-6);
    expect([...found.facets]).toEqual(given.vectors.map((_, i) => (cosines[1][i] > cosines[0][i] ? 1 : 0)));
    expect(relevance({ ...given, centred: true }).values).not.toEqual(found.values);
  });

  test('a hub that all points share is taken out: it does not change who is most relevant', () => {
    const random = seeded(21);
    const hub = normals(random, D).map((v) => 3 * v);
    const own = Array.from({ length: 60 }, () => normals(random, D));
    const add = (v: Float32Array) =>
      normalizeRows(
        v.map((x, c) => x + hub[c]),
        1,
        D,
      );
    const query = { text: 'x', vector: add(own[5].map((v) => 2 * v)) };
    const found = relevance(input({ vectors: own.map(add), facets: [query] }));
    expect(found.values.indexOf(Math.max(...found.values))).toBe(5);
  });

  test('foreign points: the share of the words decides, whatever the vectors say', () => {
    const foreign = Uint8Array.from({ length: 60 }, (_, i) => (i < 30 ? 1 : 0));
    const given = input({ foreign, facets: [facet(1, 'tram')] });
    const found = relevance(given);
    const native = relevance({ ...given, foreign: new Uint8Array(60) });
    for (let i = 0; i < 60; i++) expect(found.values[i]).toBe(i < 30 ? (i % 7 === 0 ? 1 : 0) : native.values[i]);
    expect(found.best[0].words).toBe(1);
  });

  test('surroundings count as far as asked and as the text runs on, and report it', () => {
    const vectors = drifting(3, 60, D, 0.9);
    const documents = new Int32Array(60);
    const given = input({ vectors, documents, facets: [facet(2)] });
    const off = relevance(given);
    const half = relevance({ ...given, surroundings: 0.5 });
    const full = relevance({ ...given, surroundings: 1 });
    expect([off.surroundings, off.context]).toEqual([0, null]);
    expect(full.surroundings).toBe(coherence(vectors, documents));
    expect(half.surroundings).toBe(full.surroundings / 2);
    expect(full.surroundings).toBeGreaterThan(0);
    // The mixture is linear in the share.
    for (let i = 0; i < 60; i++) expect(half.values[i]).toBeCloseTo((off.values[i] + full.values[i]) / 2, 6);
    expect(full.context).toEqual(contextVectors(vectors, documents));
    const mixed = relevance(input({ facets: [facet(2)], surroundings: 1 }));
    expect([mixed.surroundings, mixed.context]).toEqual([0, null]);
  });

  test('in running text the speaker who is asked about counts more', () => {
    const vectors = drifting(3, 60, D, 0.9);
    const speakers = Array.from({ length: 60 }, (_, i) => (i === 9 ? 'Professor Weber' : 'Al'));
    const given = input({
      vectors,
      documents: new Int32Array(60),
      facets: [facet(2, 'What does professor weber say, and Al?')],
      surroundings: 1,
    });
    const without = relevance(given);
    const named = relevance({ ...given, speakers });
    for (let i = 0; i < 60; i++) {
      const more = named.values[i] - without.values[i];
      if (i === 9) expect(more).toBeGreaterThan(0.005);
      else expect(more).toBe(0);
    }
  });

  describe('given scores', () => {
    const scores = [
      Float64Array.from({ length: 60 }, (_, i) => i / 60),
      Float64Array.from({ length: 60 }, (_, i) => (i === 3 ? -0.1 : 0.5)),
    ];

    test('stand in place of the cosines: the best facet, nothing mixed in, no vectors read', () => {
      const vectors = drifting(3, 60, D, 0.9);
      const given = input({ vectors, documents: new Int32Array(60), facets: [facet(1), facet(2)], surroundings: 1 });
      const found = relevance({ ...given, scores });
      expect([...found.values]).toEqual(Array.from({ length: 60 }, (_, i) => Math.max(scores[0][i], scores[1][i])));
      expect([...found.facets]).toEqual(Array.from({ length: 60 }, (_, i) => (i === 3 || i >= 30 ? 0 : 1)));
      expect(found.best.map(({ cosine }) => cosine)).toEqual([59 / 60, 0.5]);
      expect([found.surroundings, found.context]).toEqual([0, null]);
      expect(relevance({ ...given, scores, vectors: [] })).toEqual(found);
    });

    test('in a language that the scorer does not know the words decide', () => {
      const foreign = Uint8Array.from({ length: 60 }, (_, i) => (i === 7 ? 1 : 0));
      const found = relevance(input({ facets: [facet(1, 'tram')], scores: [scores[0]], foreign }));
      expect(found.values[7]).toBe(1);
      expect(found.values[8]).toBe(8 / 60);
    });

    test('of logits the best may be below zero; without points there is none', () => {
      const logits = Float64Array.from({ length: 60 }, (_, i) => -1 - i);
      expect(relevance(input({ facets: [facet(1)], scores: [logits] })).best[0].cosine).toBe(-1);
      const none = relevance(input({ facets: [facet(1)], scores: [new Float64Array(0)] }, 0));
      expect(none.best).toEqual([{ cosine: Number.NEGATIVE_INFINITY, words: 0 }]);
    });
  });
});
