import type { BenchmarkCase, LabelledPassage } from '../benchmark-set.ts';
import { type Counts, type Haystack, type HaystackOptions, insightsOf, type Subtopic } from './haystack-options.ts';
import { headlineOf, type SettledDocument } from './write-until-valid.ts';

/**
 * The documents with a case for every subtopic. Insights that no document tells are left out, and so are cases without any.
 *
 * @returns null for the haystack where nothing is left
 */
export function assembleHaystack(
  subtopics: readonly Subtopic[],
  documents: readonly SettledDocument[],
  { topic, kind, least }: HaystackOptions,
): { readonly haystack: Haystack | null; readonly counts: Counts } {
  const all = insightsOf(subtopics).map(({ text, subtopic }, place) => ({
    text,
    subtopic,
    place,
    documents: documents.filter(({ told }) => told.has(place)).map(({ id }) => id),
  }));
  const told = all.filter((insight) => insight.documents.length > 0);
  const cases = subtopics.flatMap(({ query }, subtopic): BenchmarkCase[] => {
    const own = told.filter((insight) => insight.subtopic === subtopic);
    if (own.length === 0) return [];
    const named = own.map((insight, number) => ({ ...insight, id: `s${subtopic + 1}-i${number + 1}` }));
    const passages = passagesOf(named, documents);
    return [
      {
        id: `s${subtopic + 1}`,
        collection: COLLECTION,
        intent: query,
        domain: kind,
        insights: named.map(({ id, text, documents: ids }) => ({ id, text, documents: ids })),
        ...(passages.length > 0 && { passages }),
      },
    ];
  });
  const rare = all.filter((insight) => insight.documents.length < least);
  const counts = {
    documents: documents.length,
    cases: cases.length,
    insights: told.length,
    rare: rare.length,
    toldNowhere: all.length - told.length,
  };
  if (cases.length === 0) return { haystack: null, counts };
  const collection = {
    id: COLLECTION,
    topic,
    documents: documents.map(({ id, text }) => {
      const title = kind === 'news' ? headlineOf(text) : undefined;
      return { id, ...(title !== undefined && { title }), text };
    }),
  };
  return {
    haystack: {
      name: topic,
      collections: [collection],
      cases,
      rare: rare.map(({ text, documents: ids }) => ({ text, documents: ids.length })),
    },
    counts,
  };
}

/** Of a haystack there is one. */
export const COLLECTION = 'haystack';

/** The words that tell insights, in the order of documents and text; what tells several stands once. */
function passagesOf(
  insights: readonly { readonly id: string; readonly place: number }[],
  documents: readonly SettledDocument[],
): LabelledPassage[] {
  return documents.flatMap(({ id: document, told }) => {
    const found = new Map<string, { start: number; end: number; insights: string[] }>();
    for (const { id, place } of insights) {
      for (const { start, end } of told.get(place) ?? []) {
        const passage = found.get(`${start} ${end}`) ?? { start, end, insights: [] };
        found.set(`${start} ${end}`, { ...passage, insights: [...new Set([...passage.insights, id])] });
      }
    }
    return [...found.values()]
      .sort((a, b) => a.start - b.start || a.end - b.end)
      .map((passage) => ({ document, ...passage }));
  });
}
