import { shuffled } from '../../selection/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import { type SettledDocument, writeDocument } from './haystack-documents.ts';
import { askOutline, COMPARED, type Insight, ofSubtopics, SORTED } from './haystack-outline.ts';
import { copiesOf, drawsFor, type HaystackOptions, planDocuments } from './haystack-plan.ts';
import { type Maker, summed } from './maker.ts';

const COLLECTION = 'haystack';
/** Labels follow what the documents tell. */
function assembleHaystack(
  insights: readonly Insight[],
  documents: readonly SettledDocument[],
  { topic, kind, least }: HaystackOptions,
) {
  const all = insights.map((insight) => ({
    ...insight,
    documents: documents.filter(({ told }) => told.has(insight.text)).map(({ id }) => id),
  }));
  const told = all.filter((each) => each.documents.length > 0);
  const cases = ofSubtopics(insights).flatMap(({ subtopic }, place): BenchmarkCase[] => {
    const own = told
      .filter((each) => each.subtopic === subtopic)
      .map(({ text, documents: holders }, number) => ({
        id: `s${place + 1}-i${number + 1}`,
        text,
        documents: holders,
      }));
    const passages = documents.flatMap((document) => passagesOf(document, own));
    const ids = { id: `s${place + 1}`, collection: COLLECTION, intent: subtopic.query, domain: kind };
    return own.length === 0 ? [] : [{ ...ids, insights: own, passages }];
  });
  const texts = documents.map(({ id, text }) => ({ id, text }));
  const set = { name: topic, collections: [{ id: COLLECTION, topic, documents: texts }], cases, made: [] };
  const rare = all.filter((each) => each.documents.length < least);
  const toldNowhere = all.length - told.length;
  const counts = { documents: documents.length, cases: cases.length, insights: told.length, toldNowhere };
  return { set, rare, counts: { ...counts, rare: rare.length } };
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
    ...{ step: 'haystack', version: 7 },
    options: {
      ...{ ...own, insights: `${insights.least}-${insights.most}` },
      seeds: seeds.length === 0 ? null : contentHash(JSON.stringify(seeds.map(({ text }) => text))),
    },
    expected() {
      const { documents, kind, words } = options;
      const count = Math.ceil((options.subtopics * (insights.least + insights.most)) / 2);
      const load = (count * copiesOf(count, options)) / documents;
      const chapters = kind === 'news' ? 1 : Math.max(1, Math.ceil(load));
      const edited = options.edits === 0 ? 0 : LIKELY_EDITS * documents;
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
      const outline = await askOutline(model, options);
      const texts = outline.insights.map(({ text }) => text);
      const material = { insights: shuffled(outline.insights, drawsFor('showing', seed)), options };
      const plans = texts.length === 0 ? [] : planDocuments(texts, options);
      const written = await Promise.all(plans.map((plan) => writeDocument(model, plan, material)));
      const documents = written.flatMap((each) => each.documents);
      const { set, rare, counts } = assembleHaystack(outline.insights, documents, options);
      return {
        set: set.cases.length === 0 ? null : set,
        counts: { ...outline.counts, ...counts, ...summed(written.map((each) => each.counts)) },
        notes: rare.map((each) => `In ${each.documents.length} documents alone: ${each.text}`),
      };
    },
  };
}
