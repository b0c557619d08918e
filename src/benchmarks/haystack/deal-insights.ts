import type { Random } from '../../dpp/random.ts';
import type { PlacedInsight } from './haystack-options.ts';
import { shuffled } from './shuffled.ts';

/**
 * Deals insights to documents: every one to as many, at least `least`, and to so many that no document is empty; no document
 * gets one twice, and their numbers differ by at most one. Insights of a subtopic follow each other, so that a document tells
 * of few subtopics.
 *
 * @returns places of insights, for each document; where it stands says nothing of what it tells
 */
export function dealInsights(
  insights: readonly PlacedInsight[],
  { documents, least }: { readonly documents: number; readonly least: number },
  random: Random,
): number[][] {
  if (insights.length === 0) return Array.from({ length: documents }, () => []);
  const rounds = Math.min(documents, Math.max(least, Math.ceil(documents / insights.length)));
  const total = rounds * insights.length;
  const ends = Array.from({ length: documents }, (_, place) => Math.round(((place + 1) * total) / documents));
  const dealt: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The document that the round before left open must not get the same again.
    const end = ends.find((each) => each > dealt.length) ?? total;
    const start = ends.findLast((each) => each <= dealt.length) ?? 0;
    dealt.push(...roundAfter(dealt.slice(start), end - dealt.length, insights, random));
  }
  const loads = ends.map((end, place) => dealt.slice(ends[place - 1] ?? 0, end));
  return shuffled(loads, random);
}

/** All insights once, subtopic by subtopic; none of those in the open document is among the first that it takes. */
function roundAfter(
  open: readonly number[],
  taken: number,
  insights: readonly PlacedInsight[],
  random: Random,
): number[] {
  const groups = new Map<number, number[]>();
  for (const [place, { subtopic }] of insights.entries())
    groups.set(subtopic, [...(groups.get(subtopic) ?? []), place]);
  const touched = new Set(open.map((place) => insights[place].subtopic));
  const drawn = shuffled([...groups.entries()], random);
  const order = [
    ...drawn.filter(([subtopic]) => !touched.has(subtopic)),
    ...drawn.filter(([subtopic]) => touched.has(subtopic)),
  ].flatMap(([, places]) => shuffled(places, random));
  const held = new Set(open);
  const first = order.filter((place) => !held.has(place)).slice(0, taken);
  const isFirst = new Set(first);
  return [...first, ...order.filter((place) => !isFirst.has(place))];
}
