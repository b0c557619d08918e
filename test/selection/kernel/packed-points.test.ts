import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packDocument, partsOf, relevance, scan, unpackDocuments } from '../../../src/selection/index.ts';
import { evidenceOf } from '../../../src/selection/kernel/relevance-estimate.ts';
import { coherence, contextVectors } from '../../../src/selection/kernel/surroundings.ts';
import { furthest, seeded, unitVectors } from './random.ts';

const WORDS = 'bridge council tax treaty farmer milk night train ward forest river school meal budget audit'.split(' ');
const DIMENSIONS = 16;
const SCALE = { mean: 0, deviation: 0.25 };

/** Documents of these lengths, some of whose points stand under one of two headings. */
function scene(seed: number, lengths: readonly number[]) {
  const random = seeded(seed);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[random.below(WORDS.length)]).join(' ');
  const documents = lengths.map((n) => {
    const headings = unitVectors(random, 2, DIMENSIONS).map((vector) => ({ text: words(3), vector }));
    const vectors = unitVectors(random, n, DIMENSIONS);
    if (seed % 3 === 0) vectors[0]?.fill(0); // a text without tokens
    return {
      vectors,
      texts: vectors.map(() => `The ${words(1 + random.below(30))}.`),
      under: vectors.map(() => [null, ...headings][random.below(3)]),
    };
  });
  const all = {
    vectors: documents.flatMap(({ vectors }) => vectors),
    texts: documents.flatMap(({ texts }) => texts),
    under: documents.flatMap(({ under }) => under),
    documents: Int32Array.from(lengths.flatMap((n, document) => Array<number>(n).fill(document))),
    scale: SCALE,
  };
  const [vector] = unitVectors(random, 1, DIMENSIONS);
  const packed = documents.map((document) => packDocument(document, { language: 'eng', words: document.texts.length }));
  return { all, packed, points: unpackDocuments(packed, SCALE), vector };
}

const SCENES = [
  fc.integer({ min: 1, max: 1000 }),
  fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 }),
] as const;

test('what is packed tells the same as the texts and vectors', () => {
  fc.assert(
    fc.property(...SCENES, (seed, lengths) => {
      const { all, points, vector } = scene(seed, lengths);
      const given = evidenceOf(all);
      expect(points.documents).toEqual(all.documents);
      expect(points.shape).toEqual(given.shape);
      expect(points.holders(WORDS)).toEqual(given.holders(WORDS));
      expect(furthest(points.points.dots(vector), given.points.dots(vector))).toBeLessThan(5e-5);
      const weights = all.texts.map((_, i) => (i % 4) / 2);
      expect(furthest(points.points.sum(weights), given.points.sum(weights))).toBeLessThan(1e-3);
      expect(furthest(points.points.norms(), given.points.norms())).toBeLessThan(1e-5);
      expect(furthest(points.points.squares, given.points.squares)).toBeLessThan(1e-5);
      expect(points.coherence()).toBeCloseTo(coherence(all.vectors, all.documents), 3);
      const wanted = [...all.texts.keys()].filter((i) => i % 3 === 0);
      const around = contextVectors(all.vectors, all.documents, wanted);
      points.contextOf(wanted).forEach((own, i) => {
        expect(furthest(own, around[i])).toBeLessThan(1e-4);
      });
      expect(points.facts.map((facts) => facts.points)).toEqual(lengths);
      expect(points.facts.every(({ language }) => language === 'eng')).toBe(true);
    }),
    { seed: 21 },
  );
});

test('a long document goes in parts that tell of it as one does, and one cut off is refused', () => {
  const { all, packed, points, vector } = scene(4, [5, 6100, 0, 3]);
  expect(packed.map(([first]) => partsOf(first))).toEqual(packed.map(({ length }) => length));
  expect(packed.map(({ length }) => length)).toEqual([1, 3, 1, 1]);
  expect(Math.max(...packed.flat().map(({ byteLength }) => byteLength))).toBeLessThan(1_600_000);
  expect(points.starts).toEqual([0, 5, 6105, 6105]);
  expect(furthest(points.points.dots(vector), evidenceOf(all).points.dots(vector))).toBeLessThan(5e-5);
  expect(furthest(points.points.norms(), evidenceOf(all).points.norms())).toBeLessThan(1e-4);
  const [first] = packed[0];
  expect(() => unpackDocuments([[first.slice(0, -8)]], SCALE)).toThrow(RangeError);
});

test('of the points that a scan names relevance says the same as of all', () => {
  const asked = [
    fc.constantFrom('What did the council say of the tax?', 'milk and night trains'),
    fc.boolean(),
  ] as const;
  fc.assert(
    fc.property(...SCENES, ...asked, (seed, lengths, text, isSplit) => {
      const { all, points, vector } = scene(seed, lengths);
      const other = { text: 'Who sold the forest?', vector: Float32Array.from(vector, (value) => -value) };
      const facets = isSplit ? [{ text, vector }, other] : [{ text, vector }];
      const whole = relevance({
        ...all,
        foreign: new Uint8Array(all.texts.length),
        facets,
        surroundings: 1,
        estimate: true,
      });
      const most = 10;
      const isWhole = lengths.map((_, document) => document % 5 === 4);
      const { indices, ...earlier } = scan(points, facets, {
        surroundings: 1,
        most: { kept: most, read: 0 },
        isWhole,
      });
      const named = new Set(indices);
      facets.forEach((_, f) => {
        const best = [...whole.values.keys()]
          .filter((i) => whole.facets[i] === f)
          .sort((a, b) => whole.values[b] - whole.values[a])
          .slice(0, most - 2); // the last ones may be a rounding apart
        expect(best.filter((i) => !named.has(i))).toEqual([]);
      });
      expect(all.documents.every((document, i) => !isWhole[document] || named.has(i))).toBe(true);
      const part = relevance({
        ...{ vectors: [], texts: [], under: [], scale: SCALE, facets, surroundings: 1, estimate: true, earlier },
        documents: Int32Array.from(indices, (i) => all.documents[i]),
        foreign: new Uint8Array(indices.length),
      });
      expect(
        furthest(
          part.values,
          indices.map((i) => whole.values[i]),
        ),
      ).toBeLessThan(1e-3);
      expect(part.surroundings).toBeCloseTo(whole.surroundings, 3);
    }),
    { seed: 22 },
  );
});
