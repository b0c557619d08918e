import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copiesOf, dealEvenly, dealInsights } from '../../../src/lab/haystack/plan-documents.ts';
import { seededRandom } from '../../../src/selection/index.ts';

const insightsOf = (sizes: readonly number[], name = 'insight') =>
  sizes.flatMap((size, subtopic) =>
    Array.from({ length: size }, (_, at) => ({ text: `${name} ${subtopic} ${at}`, subtopic })),
  );

const cases = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 10 }),
    documents: fc.integer({ min: 1, max: 100 }),
    least: fc.integer({ min: 1, max: 12 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ sizes, documents, least, seed }) => ({ sizes, documents, least: Math.min(least, documents), seed }));

function deal(sizes: readonly number[], documents: number, least: number, seed: number) {
  const insights = insightsOf(sizes);
  const dealt = dealInsights(insights, { documents, least }, seededRandom(seed));
  /** Of a document, how many insights of each subtopic it tells. */
  const mixes = dealt.map((hand) =>
    sizes.map((_, at) => hand.filter((place) => insights[place].subtopic === at).length),
  );
  /** Documents of each insight. */
  const lists = insights.map((_, place) => dealt.flatMap((hand, at) => (hand.includes(place) ? [at] : [])));
  return { insights, dealt, mixes, lists };
}

/** Pairs of insights of one subtopic: how many there are, and how many are in the very same documents. */
function twins({ insights, lists }: ReturnType<typeof deal>): { readonly pairs: number; readonly same: number } {
  const pairs = insights.flatMap(({ subtopic }, one) =>
    insights.slice(0, one).flatMap((other, two) => (other.subtopic === subtopic ? [[lists[one], lists[two]]] : [])),
  );
  return { pairs: pairs.length, same: pairs.filter(([one, two]) => one.join() === two.join()).length };
}

test('every insight is in as many documents, at least as asked; none twice in one; loads differ by one at most', () => {
  fc.assert(
    fc.property(cases, ({ sizes, documents, least, seed }) => {
      const { dealt, lists, insights } = deal(sizes, documents, least, seed);
      const loads = dealt.map(({ length }) => length);
      expect(dealt).toHaveLength(documents);
      expect(copiesOf(insights.length, { documents, least })).toBeGreaterThanOrEqual(least);
      expect(new Set(lists.map(({ length }) => length))).toEqual(
        new Set([copiesOf(insights.length, { documents, least })]),
      );
      expect(dealt.every((hand) => new Set(hand).size === hand.length)).toBe(true);
      expect(Math.min(...loads)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a document tells its share of each subtopic, rounded up or down, so that it tells of several where it can', () => {
  fc.assert(
    fc.property(cases, ({ sizes, documents, least, seed }) => {
      const { mixes, dealt, insights } = deal(sizes, documents, least, seed);
      const copies = copiesOf(insights.length, { documents, least });
      for (const [subtopic, size] of sizes.entries()) {
        const share = (size * copies) / documents;
        const told = mixes.map((mix) => mix[subtopic]);
        expect(Math.min(...told)).toBeGreaterThanOrEqual(Math.floor(share));
        expect(Math.max(...told)).toBeLessThanOrEqual(Math.ceil(share));
      }
      const loads = dealt.map(({ length }) => length);
      const largest = Math.max(...sizes) / insights.length;
      // With a share of one the half of two are of other subtopics, or more.
      if (Math.min(...loads) < 2 || largest > 1 / 2) return;
      const several = mixes.filter((mix) => mix.filter((count) => count > 0).length >= 2);
      expect(several.length).toBeGreaterThan(documents / 2);
    }),
  );
});

test.each([
  [Array.from({ length: 10 }, () => 7), 100, 5],
  [[10, 5, 5, 8, 6, 7], 60, 5],
  [[8, 8], 12, 5],
  [Array.from({ length: 10 }, () => 7), 20, 8],
])('insights of a subtopic have documents of their own: %j to %d, each to %d', (sizes, documents, least) => {
  const all = Array.from({ length: 20 }, (_, seed) => twins(deal(sizes, documents, least, seed)));
  const [pairs, same] = (['pairs', 'same'] as const).map((of) => all.reduce((sum, each) => sum + each[of], 0));
  expect(pairs).toBeGreaterThan(500);
  expect(same / pairs).toBeLessThan(0.01);
});

test('subtopics meet in ever other company: not two of them are always together', () => {
  const { mixes } = deal(
    Array.from({ length: 10 }, () => 6),
    100,
    5,
    3,
  );
  const pairs = mixes.flatMap((mix) => {
    const told = [...mix.keys()].filter((subtopic) => mix[subtopic] > 0);
    return told.flatMap((one) => told.filter((other) => other > one).map((other) => `${one} ${other}`));
  });
  // 100 documents with 3 subtopics each have 300 pairs of the 45 that there are.
  expect(new Set(pairs).size).toBeGreaterThan(40);
});

test('the seed and the sizes decide, whatever the insights say', () => {
  const sizes = Array.from({ length: 10 }, () => 6);
  const dealt = (seed: number, name?: string) =>
    dealInsights(insightsOf(sizes, name), { documents: 100, least: 5 }, seededRandom(seed));
  expect(dealt(3)).toEqual(dealt(3, 'another'));
  expect(dealt(3)).not.toEqual(dealt(4));
});

test('items are dealt out, however their copies differ', () => {
  const given = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }).chain((copies) =>
    fc.record({
      copies: fc.constant(copies),
      hands: fc.integer({ min: Math.max(...copies), max: 40 }),
      seed: fc.integer({ min: 0, max: 1000 }),
    }),
  );
  fc.assert(
    fc.property(given, ({ copies, hands, seed }) => {
      const total = copies.reduce((sum, count) => sum + count, 0);
      const sizes = Array.from({ length: hands }, (_, at) => Math.floor(total / hands) + Number(at < total % hands));
      const dealt = dealEvenly(copies, sizes, seededRandom(seed));
      expect(dealt.map((hand) => new Set(hand).size)).toEqual(sizes);
      expect(copies.map((_, item) => dealt.filter((hand) => hand.includes(item)).length)).toEqual(copies);
    }),
  );
});
