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
import {
  beginning,
  countWords,
  type ExtractedKeyPoint,
  leaning,
  looksEnglish,
  type QuoteAligner,
  quoteAligner,
  type Span,
  sentences,
  tidy,
  type UnverifiedKeyPoint,
  utf8Length,
  windows,
} from '../../text/index.ts';
import { mergeStatements, type QuotedStatement } from './merge-key-points.ts';
import { type ReadingWindow, shownDocument, type TitledText } from './shown-document.ts';

/** A key point as a model gives it: a statement with the words of the document that state it. */
interface ModelKeyPoint {
  readonly text: string;
  readonly quotes: readonly string[];
}

const asAsked = z.object({ quotes: z.array(z.string()), text: z.string() });
/** What small models make of it: one quote under one name or the other, quotes alone, the quote as the statement. */
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

/** The form that is asked for; what comes is read more kindly by `keyPointsIn`. */
const asked = z.object({ keyPoints: z.array(asAsked) });
const answer = z.union([
  z.object({ keyPoints: z.array(z.unknown()) }).transform(({ keyPoints }) => keyPoints),
  z.array(z.unknown()),
]);

/** Key points as JSON; an item that is none is passed over, and does not cost the others. */
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

/** Names these rules in cache keys: raise the number with every change of results. */
export const MODEL_EXTRACTOR_VERSION = 'llm@4';

interface ModelExtractionOptions {
  readonly model: StageModel;
  readonly prompts: { readonly first: Prompt; readonly more: Prompt };
  /** Most rounds over each window, the first included. */
  readonly rounds: number;
  /** What is asked, where only what helps to answer it is wanted (Long2RAG, section 3.3). */
  readonly question: string | null;
}

interface ModelExtraction {
  /** In reading order. */
  readonly keyPoints: readonly ExtractedKeyPoint[];
  /** Statements whose quotes the document does not hold, in the order of the windows. */
  readonly unverified: readonly UnverifiedKeyPoint[];
  /** Parts that the document was read in. */
  readonly windows: number;
  /** Calls that failed for good. */
  readonly failures: readonly ModelCallError[];
}

/**
 * A window has at most this many bytes, however much a model takes: what is to be listed of dense news is 2.25 times as long as the news
 * (docs/decisions/extraction.md), so that the answer over more would leave half of a context of 32,000 tokens.
 */
const WINDOW_BYTES = 24_000;
/** Share of a window that it has in common with the one before. */
export const WINDOW_OVERLAP = 0.1;

/** UTF-8 bytes of a document that are read at once by a model of such a context. */
export function windowBytes(contextTokens: number): number {
  return Math.min(WINDOW_BYTES, Math.floor(contextTokens / 3) * BYTES_PER_TOKEN);
}

/**
 * Tokens of an answer: statement and quote of everything, with what JSON adds, as far as the context has room for it; a model that writes
 * more goes round in circles.
 */
function answerTokens(documentBytes: number, shownBytes: number, contextTokens: number): number {
  const most = Math.min(Math.floor(contextTokens / 2), contextTokens - Math.ceil(shownBytes / BYTES_PER_TOKEN));
  return Math.min(600 + Math.ceil((3 * documentBytes) / BYTES_PER_TOKEN), Math.max(MIN_ANSWER, most));
}
/** However small the context: an answer of fewer tokens says nothing. */
const MIN_ANSWER = 256;
/** A round that adds fewer key points than this, or than this share of those found, is the last. */
const LITTLE = { points: 2, share: 0.1 };
/** Points of a window that are read at most: one for so many UTF-16 units of it, and some; a model that gives more goes round in circles. */
const UNITS_EACH = 25;
const MIN_POINTS = 20;
/** Quotes of one point that are looked for. */
const MAX_QUOTES = 8;
/** A statement of more words is a passage, or a model that does not stop: its quote says it better. */
const MAX_WORDS = 80;
/** Bytes of what was found that a later round is told, however small the context. */
const MIN_ROOM = 400;
/**
 * Share of a window's text that stands in one piece without a quote, from which much may have been missed: the model stopped early, or
 * passed over a part. What is untouched here and there was read and found not worth telling.
 */
const PASSED_OVER = 0.25;

/**
 * The key points of a document by a language model: window by window, with a further round where much of a window was passed over
 * and the one before added enough, each key point with the spans of its quotes. What a model quotes and the document does not hold is
 * kept apart.
 *
 * A call that fails leaves what others found; whoever calls decides what to make of it.
 */
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
  const english = looksEnglish(text);
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
  const maxTokens = answerTokens(utf8Length(document.text, window.fresh, window.end), shown, model.contextTokens);
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

/** Finds the quotes of an answer in the window, and adds what is new; what rests on the context alone is the window's before. */
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
    const isPassage = first !== undefined && countWords(tidied) > MAX_WORDS;
    const statement = isPassage ? tidy(text.slice(first.start, first.end)) : tidied;
    if (spans.length > 0 && /[\p{L}\p{N}]/u.test(statement)) statements.push({ text: statement, spans });
    else
      reading.unverified.push({
        text: statement === '' ? withoutUnseen(given) : statement,
        quote: withoutUnseen(quotes[0]),
      });
  }
  reading.found = mergeStatements([...reading.found, ...statements]);
}

/** Share of the text in the longest run of sentences that no quote touches; 0 where there is no text. */
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

/** What was found, as far as there is room for it: so many bytes. */
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

/** How well a statement reads alone that opens with a pronoun or a connective, against the instructions. */
const LEANING = 0.8;

/** Longest text and quote of what is set aside: models that go round in circles fill pages. */
const MAX_UNVERIFIED_LENGTH = 500;

function distinct(points: readonly UnverifiedKeyPoint[]): UnverifiedKeyPoint[] {
  const short = points.map(({ text, quote }) => ({ text: shortened(text), quote: shortened(quote) }));
  return [...new Map(short.map((point) => [JSON.stringify([point.text, point.quote]), point])).values()];
}

function shortened(text: string): string {
  return text.length <= MAX_UNVERIFIED_LENGTH ? text : `${beginning(text, MAX_UNVERIFIED_LENGTH)} …`;
}
