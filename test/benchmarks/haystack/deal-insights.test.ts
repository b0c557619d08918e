import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dealInsights } from '../../../src/benchmarks/haystack/deal-insights.ts';
import { seededRandom } from '../../../src/dpp/random.ts';

const cases = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 10 }),
    documents: fc.integer({ min: 1, max: 100 }),
    least: fc.integer({ min: 1, max: 12 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ sizes, documents, least, seed }) => ({
    insights: sizes.flatMap((size, subtopic) =>
      Array.from({ length: size }, (_, at) => ({ text: `${subtopic} ${at}`, subtopic })),
    ),
    smallest: Math.min(...sizes),
    subtopics: sizes.length,
    documents,
    least: Math.min(least, documents),
    seed,
  }));

test('every insight is in as many documents, at least as asked; none twice in one; loads differ by one at most', () => {
  fc.assert(
    fc.property(cases, ({ insights, documents, least, seed, smallest, subtopics }) => {
      const dealt = dealInsights(insights, { documents, least }, seededRandom(seed));
      const counts = insights.map((_, place) => dealt.filter((hand) => hand.includes(place)).length);
      const loads = dealt.map(({ length }) => length);
      const most = Math.max(...loads);
      expect(dealt).toHaveLength(documents);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(least);
      expect(new Set(counts).size).toBe(1);
      expect(dealt.every((hand) => new Set(hand).size === hand.length)).toBe(true);
      expect(Math.min(...loads)).toBeGreaterThanOrEqual(1);
      expect(most - Math.min(...loads)).toBeLessThanOrEqual(1);
      if (most > smallest || subtopics < 4) return;
      const told = dealt.map((hand) => new Set(hand.map((place) => insights[place].subtopic)).size);
      expect(Math.max(...told)).toBeLessThanOrEqual(2);
    }),
  );
});

test('the seed decides', () => {
  const insights = Array.from({ length: 60 }, (_, place) => ({ text: String(place), subtopic: Math.floor(place / 6) }));
  const deal = (seed: number) => dealInsights(insights, { documents: 100, least: 5 }, seededRandom(seed));
  expect(deal(3)).toEqual(deal(3));
  expect(deal(3)).not.toEqual(deal(4));
});
