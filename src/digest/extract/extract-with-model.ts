import { z } from 'zod';
import {
  asData,
  BYTES_PER_TOKEN,
  type JsonForm,
  ModelCallError,
  type Prompt,
  type StageModel,
  withoutUnseen,
} from '../../models/index.ts';
import { foreignIn } from '../../summary/index.ts';
import {
  beginning,
  dateText,
  type ExtractedKeyPoint,
  type FoundQuote,
  followsEnglishRules,
  groupBy,
  leaning,
  lengthInWords,
  type QuoteAligner,
  quoteAligner,
  type SourceDocument,
  type Span,
  sentences,
  tidy,
  type UnverifiedKeyPoint,
  utf8Length,
  windows,
  wordsOf,
} from '../../text/index.ts';

export type TitledText = Pick<SourceDocument, 'text' | 'title' | 'publishedAt'>;

interface ModelKeyPoint {
  readonly text: string;
  readonly quotes: readonly string[];
}

const asAsked = z.object({ quotes: z.array(z.string()), text: z.string() });
const nearly = z.union([
  asAsked.transform((point) => [point]),
  z.object({ text: z.string(), quote: z.string() }).transform(({ text, quote }) => [{ text, quotes: [quote] }]),
  z.object({ text: z.string(), quotes: z.string() }).transform(({ text, quotes }) => [{ text, quotes: [quotes] }]),
  z.object({ quotes: z.array(z.string()) }).transform(({ quotes }) => quotes.map(itsOwnQuote)),
  z.object({ text: z.string() }).transform(({ text }) => [itsOwnQuote(text)]),
  z.string().transform((text) => [itsOwnQuote(text)]),
]);

function itsOwnQuote(text: string): ModelKeyPoint {
  return { text, quotes: [text] };
}

const asked = z.object({ keyPoints: z.array(asAsked) });
const answer = z.union([
  z.object({ keyPoints: z.array(z.unknown()) }).transform(({ keyPoints }) => keyPoints),
  z.array(z.unknown()),
]);

const KEY_POINTS: JsonForm<ModelKeyPoint[]> = {
  name: 'key_points',
  schema: answer.transform((items) => items.flatMap(keyPointsIn)),
  asked,
};

function keyPointsIn(item: unknown): ModelKeyPoint[] {
  const read = nearly.safeParse(item);
  return (read.data ?? []).flatMap(({ text, quotes }) => {
    const filled = quotes.filter((quote) => /\S/.test(quote));
    return /[\p{L}\p{N}]/u.test(text) && filled.length > 0 ? [{ text, quotes: filled }] : [];
  });
}

/** Part of cache keys: increment it with every change of results. */
export const MODEL_EXTRACTOR_VERSION = 'llm@5';

interface ModelExtractionOptions {
  readonly model: StageModel;
  readonly prompts: { readonly first: Prompt; readonly more: Prompt };
  readonly rounds: number;
  /** Extract only key points that help to answer it (Long2RAG, section 3.3); null for all. */
  readonly question: string | null;
}

interface ModelExtraction {
  readonly keyPoints: readonly ExtractedKeyPoint[];
  readonly unverified: readonly UnverifiedKeyPoint[];
  readonly windows: number;
  readonly failures: readonly ModelCallError[];
}

/** Max bytes of a window: the list for dense news is 2.25 times as long as the news (docs/decisions/extraction.md). */
const WINDOW_BYTES = 24_000;
export const WINDOW_OVERLAP = 0.1;

export function windowBytes(contextTokens: number): number {
  return Math.min(WINDOW_BYTES, Math.floor(contextTokens / 3) * BYTES_PER_TOKEN);
}

/** Max tokens of an answer, within the context: statement and quote of everything, and the JSON. */
function answerTokens(documentBytes: number, shownBytes: number, contextTokens: number): number {
  const most = Math.min(Math.floor(contextTokens / 2), contextTokens - Math.ceil(shownBytes / BYTES_PER_TOKEN));
  return Math.min(600 + Math.ceil((3 * documentBytes) / BYTES_PER_TOKEN), Math.max(MIN_ANSWER, most));
}
const MIN_ANSWER = 256;
/** Stop after a round that adds fewer points, or a smaller share of those found. */
const LITTLE = { points: 2, share: 0.1 };
/** UTF-16 units per point, at least: a model that lists more is repeating itself. */
const UNITS_EACH = 25;
const MIN_POINTS = 20;
const MAX_QUOTES = 8;
/** A longer statement is replaced by its quote. */
const MAX_WORDS = 80;
/** Min bytes left for the points already found in a later round. */
const MIN_ROOM = 400;
/** If the longest stretch without a quote is at least this share of a window, read the window again. */
const PASSED_OVER = 0.25;

/** Extracts key points window by window; reads a window again if the model skipped much of it. Returns failed calls, and throws none. */
export async function extractWithModel(
  document: TitledText,
  options: ModelExtractionOptions,
): Promise<ModelExtraction> {
  const { text } = document;
  const bytes = windowBytes(options.model.contextTokens);
  const parts = windows(text, { bytes, overlapBytes: Math.floor(WINDOW_OVERLAP * bytes) });
  const aligner = quoteAligner(text);
  const all = sentences(text);
  const read = await Promise.all(
    parts.map((part, index) => {
      const window = { ...part, fresh: Math.max(part.start, parts[index - 1]?.end ?? 0) };
      return readWindow(document, window, all, aligner, options);
    }),
  );
  const english = followsEnglishRules(text);
  return {
    keyPoints: mergeStatements(read.flatMap(({ found }) => found)).map((statement) => keyPoint(statement, english)),
    unverified: distinct(read.flatMap(({ unverified }) => unverified)),
    windows: parts.length,
    failures: read.flatMap(({ failures }) => failures),
  };
}

interface WindowReading {
  found: QuotedStatement[];
  readonly unverified: UnverifiedKeyPoint[];
  readonly failures: ModelCallError[];
}

async function readWindow(
  document: TitledText,
  window: ReadingWindow,
  all: readonly Span[],
  aligner: QuoteAligner,
  { model, prompts, rounds, question }: ModelExtractionOptions,
): Promise<WindowReading> {
  const reading: WindowReading = { found: [], unverified: [], failures: [] };
  const within = all.filter(({ start, end }) => start >= window.fresh && end <= window.end);
  const values = {
    ...shownDocument(document, window),
    ...(question !== null && { question: asData('question', question) }),
  };
  const valueBytes = Object.values(values).reduce((sum, value) => sum + utf8Length(value), 0);
  const shown = valueBytes + Math.max(promptBytes(prompts.first), promptBytes(prompts.more));
  const maxTokens = answerTokens(utf8Length(document.text.slice(window.fresh, window.end)), shown, model.contextTokens);
  const room = BYTES_PER_TOKEN * (model.contextTokens - maxTokens) - shown;
  for (let round = 0; round < rounds; round++) {
    const before = reading.found.length;
    try {
      const answer =
        round === 0
          ? await model.askFor({ prompt: prompts.first, values, maxTokens }, KEY_POINTS)
          : await model.askFor(
              { prompt: prompts.more, values: { ...values, found: foundText(reading, room) }, maxTokens },
              KEY_POINTS,
            );
      addTo(reading, answer, document.text, window, aligner);
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      reading.failures.push(failure);
      return reading;
    }
    const added = reading.found.length - before;
    if (added < Math.max(LITTLE.points, LITTLE.share * before) && round > 0) break;
    if (before + added === 0 && question !== null) break;
    if (question === null && maxPassedOver(within, reading.found) < PASSED_OVER) break;
  }
  return reading;
}

function promptBytes({ system, user }: Prompt): number {
  return utf8Length(system) + utf8Length(user);
}

/** Adds the new points of an answer. Points quoted only from the context belong to the previous window. */
function addTo(
  reading: WindowReading,
  answer: readonly ModelKeyPoint[],
  text: string,
  window: ReadingWindow,
  aligner: QuoteAligner,
): void {
  const statements: QuotedStatement[] = [];
  const known = new Map<string, QuotedStatement['spans']>();
  const spansOf = (quote: string): QuotedStatement['spans'] => {
    const fresh = () =>
      aligner.align(quote, window.fresh, window.end) ?? aligner.align(quote, window.start, window.end);
    const spans = known.get(quote) ?? fresh()?.spans ?? [];
    known.set(quote, spans);
    return spans;
  };
  const most = Math.max(MIN_POINTS, Math.ceil((window.end - window.start) / UNITS_EACH));
  for (const { text: given, quotes } of answer.slice(0, most)) {
    const spans = quotes.slice(0, MAX_QUOTES).flatMap(spansOf);
    if (spans.length > 0 && spans.every(({ end }) => end <= window.fresh)) continue;
    const tidied = tidy(withoutUnseen(given));
    const [first] = spans;
    const cited = spans.map(({ start, end }) => text.slice(start, end));
    const isPassage = lengthInWords(tidied) > MAX_WORDS || foreignIn(tidied, cited) !== null;
    const statement = first !== undefined && isPassage ? tidy(text.slice(first.start, first.end)) : tidied;
    if (spans.length > 0 && /[\p{L}\p{N}]/u.test(statement)) statements.push({ text: statement, spans });
    else
      reading.unverified.push({
        text: statement === '' ? withoutUnseen(given) : statement,
        quote: withoutUnseen(quotes[0]),
      });
  }
  reading.found = mergeStatements([...reading.found, ...statements]);
}

/** Share of the text in the longest run of sentences without a quote; 0 for an empty text. */
function maxPassedOver(all: readonly Span[], found: readonly QuotedStatement[]): number {
  const spans = found.flatMap((statement) => statement.spans);
  let [total, run, longest] = [0, 0, 0];
  for (const { start, end } of all) {
    const isTouched = spans.some((span) => span.start < end && start < span.end);
    run = isTouched ? 0 : run + end - start;
    total += end - start;
    longest = Math.max(longest, run);
  }
  return total === 0 ? 0 : longest / total;
}

function foundText({ found }: WindowReading, room: number): string {
  if (found.length === 0) return 'nothing yet';
  const lines: string[] = [];
  let left = Math.max(MIN_ROOM, room);
  for (const { text } of found) {
    left -= utf8Length(text) + 3;
    if (left < 0) break;
    lines.push(`- ${text}`);
  }
  return asData('found', lines.join('\n'));
}

function keyPoint({ text, spans: [first, ...more] }: QuotedStatement, english: boolean): ExtractedKeyPoint {
  const leans = leaning(text, { english, lower: false }) !== 'none';
  return { ...first, text, selfContained: leans ? LEANING : 1, ...(more.length > 0 && { moreQuotes: more }) };
}

/** Standalone score of a statement that opens with a pronoun or a connective. */
const LEANING = 0.8;

const MAX_UNVERIFIED_LENGTH = 500;

function distinct(points: readonly UnverifiedKeyPoint[]): UnverifiedKeyPoint[] {
  const short = points.map(({ text, quote }) => ({ text: shortened(text), quote: shortened(quote) }));
  return [...new Map(short.map((point) => [JSON.stringify([point.text, point.quote]), point])).values()];
}

function shortened(text: string): string {
  return text.length <= MAX_UNVERIFIED_LENGTH ? text : `${beginning(text, MAX_UNVERIFIED_LENGTH)} …`;
}

interface ReadingWindow extends Span {
  /** End of the previous window; the text before it is context. */
  readonly fresh: number;
}

function shownDocument(document: TitledText, { start, fresh, end }: ReadingWindow) {
  const context = document.text.slice(start, fresh).trim();
  return {
    about: aboutText(document),
    before:
      context === ''
        ? ''
        : `What comes before, as context. List nothing of it, and quote nothing of it alone:\n${asData('context', context)}\n\nWhat you list the key points of:\n`,
    document: asData('document', document.text.slice(fresh, end).trim()),
  };
}

export function aboutText({ title = '', publishedAt }: TitledText): string {
  const name = title.replace(/\s+/g, ' ').trim();
  const lines = [
    ...(name === '' ? [] : [`Title: ${name}`]),
    ...(publishedAt === undefined ? [] : [`Date: ${dateText(publishedAt)}`]),
  ];
  return lines.length === 0 ? '' : `Title and date of the document:\n${asData('about', lines.join('\n'))}\n\n`;
}

export interface QuotedStatement {
  readonly text: string;
  readonly spans: readonly FoundQuote[];
}

/** Punctuation around a word, without currency, percent and minus signs. */
const AROUND = /^["'“”„‘’«»()[\]{}¿¡]+|["'“”„‘’«»()[\]{},;:.!?…]+$/gu;

/** Merges statements with the same words into the first, with the quotes of all, in reading order. Near repetitions are left to the kernel. */
export function mergeStatements(statements: readonly QuotedStatement[]): QuotedStatement[] {
  const spelling = ({ text }: QuotedStatement) =>
    wordsOf(text)
      .map((word) => word.toLowerCase().replaceAll('’', "'").replace(AROUND, ''))
      .join(' ');
  return [...groupBy(statements, spelling).values()]
    .map((alike) => ({ text: alike[0].text, spans: inOrder(alike.flatMap(({ spans }) => spans)) }))
    .sort((a, b) => comparePlaces(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : 1));
}

/** Drops spans inside others and sorts by start, the longer first, then verbatim ones. */
function inOrder(spans: readonly FoundQuote[]): FoundQuote[] {
  const kept: FoundQuote[] = [];
  const isRepaired = ({ status }: FoundQuote) => Number(status === 'repaired');
  for (const span of [...spans].sort((a, b) => comparePlaces(a, b) || isRepaired(a) - isRepaired(b))) {
    // What begins before and ends no earlier holds it.
    if (span.end > (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

function comparePlaces(a: FoundQuote, b: FoundQuote): number {
  return a.start - b.start || b.end - a.end;
}
