import { seededRandom, shuffled } from '../../selection/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import {
  copiesOf,
  type HaystackOptions,
  planDocuments,
  type SettledDocument,
  writeDocument,
} from './haystack-documents.ts';
import { askOutline, COMPARED, type Insight, ofSubtopics, SORTED } from './haystack-outline.ts';
import type { Maker } from './maker.ts';

const COLLECTION = 'haystack';

/** Labels follow what the documents tell. */
function casesOf(insights: readonly Insight[], documents: readonly SettledDocument[], domain: string): BenchmarkCase[] {
  return ofSubtopics(insights).flatMap(({ subtopic, insights: all }, place): BenchmarkCase[] => {
    const own = all
      .map(({ text }) => ({ text, documents: holdersOf(text, documents) }))
      .filter((each) => each.documents.length > 0)
      .map((each, number) => ({ id: `s${place + 1}-i${number + 1}`, ...each }));
    const passages = documents.flatMap((document) => passagesOf(document, own));
    const ids = { id: `s${place + 1}`, collection: COLLECTION, intent: subtopic.query, domain };
    return own.length === 0 ? [] : [{ ...ids, insights: own, passages }];
  });
}

function holdersOf(insight: string, documents: readonly SettledDocument[]): string[] {
  return documents.flatMap(({ id, told }) => (told.has(insight) ? [id] : []));
}

function passagesOf(
  { id: document, told }: SettledDocument,
  insights: readonly { readonly id: string; readonly text: string }[],
) {
  const found = insights.flatMap(({ id, text }) =>
    (told.get(text) ?? []).map(({ start, end }) => ({ id, start, end })),
  );
  return [...groupBy(found, ({ start, end }) => `${start} ${end}`).values()]
    .map((same) => ({ document, start: same[0].start, end: same[0].end, insights: same.map(({ id }) => id) }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

const LIKELY_EDITS = 0.5;
const TOKENS = { rules: 400, insight: 35, word: 1.4, found: 60 };

/** Laban et al. 2024, section 3.2: outline, dealing, writing, checking and editing. */
export function haystackMaker(options: HaystackOptions): Maker {
  const { insights, seeds, seed, ...own } = options;
  return {
    ...{ step: 'haystack', version: 8 },
    options: {
      ...{ ...own, insights: `${insights.least}-${insights.most}` },
      seeds: seeds.length === 0 ? null : contentHash(JSON.stringify(seeds.map(({ text }) => text))),
    },
    expected() {
      const { documents, kind, words } = options;
      const count = Math.ceil((options.subtopics * (insights.least + insights.most)) / 2);
      const load = (count * copiesOf(count, options)) / documents;
      const chapters = kind === 'news' ? 1 : Math.max(1, Math.ceil(load));
      const edited = Math.min(options.edits, LIKELY_EDITS) * documents;
      // Chapters of a conversation are also checked one by one.
      const readings = documents * (kind === 'news' ? 1 : 1 + chapters) + edited;
      const [listed, text] = [count * TOKENS.insight, words * TOKENS.word];
      return [
        [2 + Math.ceil(count / SORTED) + Math.ceil(count / COMPARED), TOKENS.rules + listed, listed / 2],
        [documents * chapters, TOKENS.rules + (load * TOKENS.insight) / chapters, text / chapters],
        [readings, TOKENS.rules + listed + text, load * TOKENS.found],
        [edited, TOKENS.rules + text, text],
      ];
    },
    async make(model) {
      const random = seededRandom(seed);
      const outline = await askOutline(model, options, random);
      const texts = outline.map(({ text }) => text);
      const plans = texts.length === 0 ? [] : planDocuments(texts, options, random);
      const material = { ...options, all: shuffled(texts, random) };
      const documents = (await Promise.all(plans.map((plan) => writeDocument(model, plan, material)))).flat();
      const cases = casesOf(outline, documents, options.kind);
      model.count('documents', documents.length);
      model.count('rare', texts.filter((text) => holdersOf(text, documents).length < options.least).length);
      if (cases.length === 0) return null;
      const shown = documents.map(({ id, text }) => ({ id, text }));
      const collections = [{ id: COLLECTION, topic: options.topic, documents: shown }];
      return { name: options.topic, collections, cases, made: [] };
    },
  };
}
