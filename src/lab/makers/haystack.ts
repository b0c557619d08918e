import { shuffled } from '../../selection/index.ts';
import { contentHash } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
import { type Settled, type SettledDocument, writeUntilValid } from './haystack-documents.ts';
import { askOutline, COMPARED, insightsOf, SORTED, type Subtopic } from './haystack-outline.ts';
import { copiesOf, drawsFor, type HaystackOptions, planDocuments } from './haystack-plan.ts';
import { type Counts, countNotes, type Maker, summed, totalCalls } from './maker.ts';

export const COLLECTION = 'haystack';
const MAX_HEADLINE_LENGTH = 200;
const MAX_NAMED = 10;

function headlineOf(text: string): string | undefined {
  const [first, ...more] = text.split('\n');
  const headline = first.replace(/^[#*_\s]+|[*_\s]+$/g, '');
  const hasText = more.some((each) => each.trim() !== '');
  return headline !== '' && headline.length <= MAX_HEADLINE_LENGTH && hasText ? headline : undefined;
}

export function rareNotes(insights: readonly { readonly text: string; readonly documents: readonly string[] }[]) {
  const more = insights.length > MAX_NAMED ? [`  and ${insights.length - MAX_NAMED} more`] : [];
  return [...insights.slice(0, MAX_NAMED).map(({ text, documents }) => `  in ${documents.length}: ${text}`), ...more];
}

function assembleHaystack(
  subtopics: readonly Subtopic[],
  documents: readonly SettledDocument[],
  { topic, kind, least }: HaystackOptions,
) {
  const all = insightsOf(subtopics).map((each, place) => ({
    ...each,
    place,
    documents: documents.filter(({ told }) => told.has(place)).map(({ id }) => id),
  }));
  const told = all.filter((each) => each.documents.length > 0);
  const cases = subtopics.flatMap(({ query }, place): BenchmarkCase[] => {
    const own = told
      .filter((each) => each.subtopic === place)
      .map((each, number) => ({ ...each, id: `s${place + 1}-i${number + 1}` }));
    if (own.length === 0) return [];
    const insights = own.map(({ id, text, documents: ids }) => ({ id, text, documents: ids }));
    const passages = documents.flatMap((document) => passagesOf(document, own));
    const ids = { id: `s${place + 1}`, collection: COLLECTION };
    return [{ ...ids, intent: query, domain: kind, insights, ...(passages.length > 0 && { passages }) }];
  });
  const titled = documents.map(({ id, text }) => {
    const title = kind === 'news' ? headlineOf(text) : undefined;
    return { id, ...(title !== undefined && { title }), text };
  });
  const rare = all.filter((each) => each.documents.length < least);
  const set = { name: topic, collections: [{ id: COLLECTION, topic, documents: titled }], cases, made: [] };
  const sizes = { documents: documents.length, cases: cases.length, insights: told.length };
  return { set, rare, counts: { ...sizes, rare: rare.length, toldNowhere: all.length - told.length } };
}

function passagesOf(
  { id: document, told }: SettledDocument,
  insights: readonly { readonly id: string; readonly place: number }[],
) {
  const found = new Map<string, { start: number; end: number; insights: string[] }>();
  for (const { id, place } of insights) {
    for (const { start, end } of told.get(place) ?? []) {
      const before = found.get(`${start} ${end}`)?.insights ?? [];
      found.set(`${start} ${end}`, { start, end, insights: [...new Set([...before, id])] });
    }
  }
  const passages = [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  return passages.map((passage) => ({ document, ...passage }));
}

interface HaystackAnswers {
  readonly subtopics: readonly Subtopic[];
  readonly settled: readonly Settled[];
  readonly counts: Counts;
}

const NOTES_BY_COUNT = {
  subtopicsGiven: 'Subtopics of the outline',
  insightsGiven: 'Insights of the outline',
  sentBack: 'Of them were too vague and sent back once',
  unreadSubtopics: 'Subtopics passed over, as they have not the form that was asked for',
  unreadInsights: 'Insights passed over, as they have not the form that was asked for',
  unspecific: 'Insights dropped, without a number, date or name, or longer than a sentence',
  repeatedInsights: 'Insights dropped, there before',
  surplusInsights: 'Insights dropped, beyond those wanted of their subtopic',
  overlappingInsights: 'Insights dropped that overlap with another one',
  recategorised: 'Insights dropped, sorted to another subtopic, or to none, when seen without theirs',
  uncategorised: 'Insights that stayed where they were, as the model did not say where they belong',
  surplusSubtopics: 'Subtopics dropped, named twice, or beyond --subtopics',
  overlappingSubtopics: 'Subtopics dropped that overlap with another one',
  thinSubtopics: 'Subtopics dropped with too few insights for --insights',
  subtopicsOverlappedThin: 'Subtopics dropped that kept too few insights after overlaps',
  subtopicsLeftThin: 'Subtopics dropped that kept too few insights after sorting',
  unwritten:
    'Documents left out, as the model wrote nothing for them (--retry, --restart or another --model may give them)',
  unread: 'Documents left out, as the model gave no readable answer about what they tell (--retry may give them)',
  chapterRetries: 'Chapters written anew, as they told too little or too much',
  chaptersLeftWrong: 'Chapters still wrong after that',
  edits: 'Edits of documents that told too little or too much, or broke off',
  unreadEdits: 'Edits dropped, as the model gave no readable answer about what they tell',
  missingLeft: 'Put right in the labels after that: insights not told where they should be',
  extraneousLeft: 'Put right in the labels after that: insights told where they should not be',
  unfounded: 'Insights said to be told with words that the document does not hold, which count as not told',
  unfinished: 'Documents that break off, also after edits (shorter --words, or another --model, may end them)',
  toldNowhere: 'Insights left out, as no document tells them',
};
const RARE =
  'Insights in fewer documents than --least (allow more --edits, ask for fewer --insights or more --documents, or another --model)';
const LIKELY_EDITS = 0.5;
const TOKENS = { rules: 400, insight: 35, word: 1.4, found: 60 };

/** Laban et al. 2024, section 3.2: outline, dealing, writing, checking and editing. */
export function haystackMaker(options: HaystackOptions, contextTokens: number): Maker<HaystackAnswers> {
  const { topic, kind, subtopics, insights, documents, words, least, edits, retries, seeds } = options;
  return {
    step: 'haystack',
    version: 6,
    options: {
      ...{ topic, kind, subtopics, insights: `${insights.least}-${insights.most}`, documents, words, least, edits },
      ...{ retries, seeds: seeds.length === 0 ? null : contentHash(JSON.stringify(seeds)), context: contextTokens },
    },
    expected() {
      const count = Math.ceil((subtopics * (insights.least + insights.most)) / 2);
      const load = (count * copiesOf(count, options)) / documents;
      const chapters = kind === 'news' ? 1 : Math.max(1, Math.ceil(load));
      const edited = edits === 0 ? 0 : LIKELY_EDITS * documents;
      // Chapters of a conversation are also checked one by one.
      const readings = documents * (kind === 'news' ? 1 : 1 + chapters) + edited;
      const [listed, text] = [count * TOKENS.insight, words * TOKENS.word];
      const checks = 3 + Math.ceil(count / SORTED) + Math.ceil(count / COMPARED);
      return totalCalls([
        [checks, TOKENS.rules + listed, listed / 2],
        [documents * chapters, TOKENS.rules + (load * TOKENS.insight) / chapters, text / chapters],
        [readings, TOKENS.rules + listed + text, load * TOKENS.found],
        [edited, TOKENS.rules + text, text],
      ]);
    },
    async ask(model) {
      const outline = await askOutline(model, options);
      const all = insightsOf(outline.subtopics);
      if (all.length === 0) return { ...outline, settled: [] };
      const texts = all.map(({ text }) => text);
      const shown = shuffled(
        texts.map((text, place) => ({ text, place })),
        drawsFor('showing', options.seed),
      );
      const plans = planDocuments(
        all.map((each) => each.subtopic),
        options,
      );
      const settled = await Promise.all(plans.map((plan) => writeUntilValid(model, plan, { texts, shown, options })));
      return { ...outline, settled };
    },
    build({ subtopics: kept, settled, counts: asking }) {
      const written = settled.filter((each) => typeof each !== 'string');
      const { set, rare, counts: sizes } = assembleHaystack(kept, written, options);
      const unwritten = settled.filter((each) => each === 'unwritten').length;
      const lost = { unwritten, unread: settled.length - written.length - unwritten };
      const counts = { ...asking, ...sizes, ...lost, ...summed<string>(written.map((each) => each.counts)) };
      const notes = [
        `The haystack has ${sizes.documents} documents, ${sizes.cases} cases and ${sizes.insights} insights.`,
        ...countNotes(counts, NOTES_BY_COUNT),
        ...(rare.length > 0 ? [`${RARE}: ${rare.length}.`, ...rareNotes(rare)] : []),
      ];
      const failedAttempts = written.flatMap((each) => each.failedAttempts);
      const made: BenchmarkSet | null = set.cases.length === 0 ? null : set;
      return { set: made, counts, notes, failedAttempts };
    },
  };
}
