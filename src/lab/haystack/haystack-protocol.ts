import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { shuffled } from '../../selection/index.ts';
import { beginning, contentHash, foldText, utf8Length } from '../../text/index.ts';
import { type AskedModel, type CallEstimate, nullIfUnanswerable, type Protocol } from '../asking/asked-model.ts';
import { oneLine } from '../asking/one-line.ts';
import { assembleHaystack } from './assemble-haystack.ts';
import {
  isSpecific,
  RECATEGORISED_AT_ONCE,
  recategorise,
  SHARPENED_AT_ONCE,
  sharpenInsights,
} from './check-insights.ts';
import { COMPARED_AT_ONCE, dropOverlaps, LIST_SHARE } from './drop-overlaps.ts';
import { findingCalls } from './find-insights.ts';
import {
  type Counts,
  drawsFor,
  type Haystack,
  type HaystackOptions,
  insightsOf,
  type Subtopic,
} from './haystack-options.ts';
import { copiesOf, planDocuments } from './plan-documents.ts';
import { chaptersOf, maxTextTokens, writeUntilValid } from './write-until-valid.ts';

const line = z.string().transform(oneLine);
const insight = z.union([line, z.object({ insight: line }).transform((given) => given.insight)]);
const subtopic = z.object({
  name: line.pipe(z.string().min(1).max(300)),
  query: line.pipe(z.string().min(1).max(1000)),
  insights: z.array(z.unknown()),
});

/** An outline as a model gave it, and how much of it was none. */
interface GivenOutline {
  readonly subtopics: readonly Subtopic[];
  readonly unreadSubtopics: number;
  readonly unreadInsights: number;
}

/** A subtopic or insight that is none is passed over, and does not cost the others; an outline without a subtopic is none. */
const OUTLINE: JsonForm<GivenOutline> = {
  name: 'haystack_outline',
  wholeItems: true,
  schema: z
    .object({ subtopics: z.array(z.unknown()) })
    .transform(readOutline)
    .refine(({ subtopics }) => subtopics.length > 0, 'no subtopic has a name, a query and insights'),
  asked: z.object({
    subtopics: z.array(z.object({ name: z.string(), query: z.string(), insights: z.array(z.string()) })),
  }),
};

function readOutline(given: { readonly subtopics: readonly unknown[] }): GivenOutline {
  const read = given.subtopics.flatMap((each) => subtopic.safeParse(each).data ?? []);
  const subtopics = read.map((each) => ({
    ...each,
    insights: each.insights.flatMap((text) => insight.safeParse(text).data ?? []),
  }));
  return {
    subtopics,
    unreadSubtopics: given.subtopics.length - read.length,
    unreadInsights: read.reduce((sum, { insights }) => sum + insights.length, 0) - sizeOf(subtopics),
  };
}

const OUTLINE_TOKENS = { answer: 300, subtopic: 80, insight: 60 };

const NO_OUTLINE: GivenOutline = { subtopics: [], unreadSubtopics: 0, unreadInsights: 0 };

/**
 * Subtopics of a topic, each with a query and its insights (Laban et al. 2024, section 3.2). What is not one sentence with a
 * number, a date or a name is sent back once, then dropped, and so are insights that came before, and subtopics that keep
 * too few.
 */
async function askOutline(
  model: AskedModel,
  options: HaystackOptions,
): Promise<{ readonly subtopics: readonly Subtopic[]; readonly counts: Counts }> {
  const { topic, subtopics, insights } = options;
  const { answer, ...each } = OUTLINE_TOKENS;
  const wanted = answer + subtopics * (each.subtopic + insights.most * each.insight);
  const question = {
    prompt: model.prompt('benchmark-outline'),
    values: {
      topic: asData('topic', topic),
      seeds: seedText(options.seeds, model.contextTokens),
      subtopics: String(subtopics),
      least: String(insights.least),
      most: String(insights.most),
    },
    maxTokens: Math.min(wanted, Math.floor(model.contextTokens / 2)),
  };
  const outline = await nullIfUnanswerable(model.askFor(question, OUTLINE));
  const { subtopics: given, unreadSubtopics, unreadInsights } = outline ?? NO_OUTLINE;
  const named = distinct(given, ({ name }) => name).slice(0, subtopics);
  const sharpened = await sharpenInsights(model, topic, named, insights.most);
  const seen = new Set<string>();
  const outlined = sharpened.subtopics.map((each) => ({
    ...each,
    insights: distinct(each.insights.filter(isSpecific), (text) => text, seen),
  }));
  const cut = outlined.map((each) => ({ ...each, insights: each.insights.slice(0, insights.most) }));
  const thick = cut.filter((each) => each.insights.length >= insights.least);
  const { subtopics: kept, counts: overlaps } = await dropOverlaps(model, topic, thick, insights.least);
  const [specific, different, within] = [
    sharpened.subtopics.map((each) => ({ ...each, insights: each.insights.filter(isSpecific) })),
    outlined,
    cut,
  ].map(sizeOf);
  return {
    subtopics: kept,
    counts: {
      subtopicsGiven: given.length,
      unreadSubtopics,
      unreadInsights,
      surplusSubtopics: given.length - named.length,
      insightsGiven: sizeOf(given),
      sentBack: sharpened.sentBack,
      unspecific: sizeOf(sharpened.subtopics) - specific,
      repeatedInsights: specific - different,
      surplusInsights: different - within,
      thinSubtopics: cut.length - thick.length,
      ...overlaps,
    },
  };
}

/** Share of the context that seed documents may fill together. */
const SEED_SHARE = 0.3;

/** Beginnings of the seed documents, alike long where they do not fit whole. */
function seedText(seeds: readonly string[], contextTokens: number): string {
  if (seeds.length === 0) return '';
  const bytes = (SEED_SHARE * contextTokens * BYTES.likely) / seeds.length;
  const shown = seeds.map((text) => {
    const size = utf8Length(text);
    return size <= bytes ? text : `${beginning(text, Math.floor((text.length * bytes) / size))} …`;
  });
  const blocks = shown.map((text, place) => asData('document', text, place + 1)).join('\n\n');
  return `Documents on the topic. Plan subtopics and facts such as theirs:\n${blocks}\n\n`;
}

function sizeOf(subtopics: readonly Subtopic[]): number {
  return subtopics.reduce((sum, { insights }) => sum + insights.length, 0);
}

/** The first of those that read alike. @param seen what came before; added to */
function distinct<Item>(items: readonly Item[], textOf: (item: Item) => string, seen = new Set<string>()): Item[] {
  return items.filter((item) => {
    const { folded } = foldText(textOf(item));
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

/** Edits that a document is likely to need. */
const EDITS = 0.5;
/** Tokens of an insight, of a subtopic with its query, of what a prompt says beside what is filled in, and of a word. */
const TOKENS = { insight: 35, subtopic: 40, prompt: 400, word: 1.4, found: 60 };
/** Of a token: as they are likely, and more than texts have on the whole. */
const BYTES = { likely: 4, most: 5 };

/**
 * Calls of a haystack: outline, sorting, and for each document writing, reading and, for one in two, an edit.
 *
 * @param contextTokens of the model: a document is read in as many calls as the list of all insights needs
 */
function estimateCalls(options: HaystackOptions, contextTokens: number): CallEstimate {
  const { subtopics, documents, words, edits } = options;
  const insights = Math.ceil((subtopics * (options.insights.least + options.insights.most)) / 2);
  const load = loadOf(insights, options);
  const edited = edits === 0 ? 0 : EDITS * documents;
  const chapters = chaptersOf(options, Math.ceil(load));
  // An article is read as a whole alone.
  const checked = options.kind === 'news' ? 0 : chapters;
  const text = words * TOKENS.word;
  const [insightBytes, textBytes] = [TOKENS.insight, text].map((tokens) => BYTES.likely * tokens);
  const parts = findingCalls({ insights, insightBytes, planned: Math.ceil(load), textBytes }, contextTokens);
  const listed = insights * TOKENS.insight;
  const sorting = Math.ceil(insights / RECATEGORISED_AT_ONCE);
  const steps = [
    { calls: 1, prompt: 0, completion: listed + subtopics * TOKENS.subtopic },
    { calls: 1, prompt: 5 * TOKENS.insight, completion: 5 * TOKENS.insight },
    {
      calls: sorting,
      prompt: subtopics * TOKENS.subtopic + RECATEGORISED_AT_ONCE * TOKENS.insight,
      completion: RECATEGORISED_AT_ONCE * 12,
    },
    { calls: 1 + Math.ceil(insights / COMPARED_AT_ONCE), prompt: listed, completion: TOKENS.insight },
    {
      calls: documents * chapters,
      prompt: (load * TOKENS.insight) / chapters,
      completion: text / chapters,
    },
    {
      calls: parts * (documents * (1 + checked) + edited),
      prompt: listed / parts + text / Math.max(1, checked),
      completion: (load * TOKENS.found) / parts,
    },
    { calls: edited, prompt: text + 2 * TOKENS.insight, completion: text },
  ];
  const total = (of: (step: (typeof steps)[number]) => number) =>
    Math.ceil(steps.reduce((sum, step) => sum + of(step), 0));
  return {
    calls: total(({ calls }) => calls),
    promptTokens: total(({ calls, prompt }) => calls * (prompt + TOKENS.prompt)),
    completionTokens: total(({ calls, completion }) => calls * completion),
  };
}

/**
 * Calls at the most: as many insights as are asked for, all of them vague at first, every document edited to the last, and
 * insights and documents as long as their answers may be.
 */
function maxCalls(options: HaystackOptions, contextTokens: number): number {
  const { subtopics, documents, edits, kind, retries } = options;
  const insights = subtopics * options.insights.most;
  const load = Math.ceil(loadOf(insights, options));
  const [insightBytes, textBytes] = [OUTLINE_TOKENS.insight, maxTextTokens(options, load, contextTokens)].map(
    (tokens) => BYTES.most * tokens,
  );
  const parts = findingCalls({ insights, insightBytes, planned: load, textBytes }, contextTokens);
  const comparing = 1 + batchesAtMost(insights, contextTokens);
  const outline = 1 + comparing + Math.ceil(insights / SHARPENED_AT_ONCE) + Math.ceil(insights / RECATEGORISED_AT_ONCE);
  const writing = chaptersOf(options, load) * (kind === 'news' ? 1 : (retries + 1) * (1 + parts));
  return outline + documents * (writing + (edits + 1) * parts + edits);
}

/** Questions after overlaps among so many insights: as many as there are where they are long. */
function batchesAtMost(insights: number, contextTokens: number): number {
  const room = Math.floor((LIST_SHARE * contextTokens) / OUTLINE_TOKENS.insight);
  return Math.ceil(insights / Math.max(1, Math.min(COMPARED_AT_ONCE, room)));
}

/** Insights of a document. */
function loadOf(insights: number, options: HaystackOptions): number {
  return (insights * copiesOf(insights, options)) / options.documents;
}

/** To be raised with every change of what comes out. */
export const HAYSTACK_VERSION = 5;

/**
 * A haystack of documents that a model writes, with what each of them tells (Laban et al. 2024, section 3.2): an outline of
 * subtopics and insights, checked by sorting it again, insights dealt to documents, documents written, read and put right.
 * The result is null where nothing came of the outline or of the documents; the counts say of what.
 *
 * @param contextTokens tokens that the model takes: in how many calls a document is read depends on it
 */
export function haystackProtocol(options: HaystackOptions, contextTokens: number): Protocol<Haystack | null> {
  const { topic, kind, subtopics, insights, documents, words, least, edits, retries, seeds } = options;
  return {
    step: 'haystack',
    version: HAYSTACK_VERSION,
    options: {
      topic,
      kind,
      subtopics,
      insights: `${insights.least}-${insights.most}`,
      documents,
      words,
      least,
      edits,
      retries,
      seeds: seeds.length === 0 ? null : contentHash(JSON.stringify(seeds)),
      context: contextTokens,
    },
    expected: () => estimateCalls(options, contextTokens),
    most: () => maxCalls(options, contextTokens),
    async make(model) {
      const outline = await askOutline(model, options);
      const sorted = await recategorise(model, outline.subtopics, options);
      const all = insightsOf(sorted.subtopics);
      const outlined = { ...outline.counts, ...sorted.counts };
      if (all.length === 0) return { result: null, counts: outlined };
      const texts = all.map(({ text }) => text);
      const shown = shuffled(
        texts.map((text, place) => ({ text, place })),
        drawsFor('showing', options.seed),
      );
      const settled = await Promise.all(
        planDocuments(all, options).map((plan) => writeUntilValid(model, plan, texts, shown, options)),
      );
      const written = settled.filter((document) => typeof document !== 'string');
      const { haystack, counts } = assembleHaystack(sorted.subtopics, written, options);
      const ofDocuments = summed(written.map((document) => document.counts));
      const [unwritten, unread] = ['unwritten', 'unread'].map((why) => settled.filter((each) => each === why).length);
      return {
        result: haystack,
        counts: { ...outlined, ...counts, unwritten, unread, ...ofDocuments },
        failedAttempts: written.flatMap((document) => document.failedAttempts),
      };
    },
  };
}

function summed(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
