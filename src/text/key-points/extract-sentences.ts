import type { FoundSpan } from '../documents/align-quote.ts';
import { type Span, WORDY } from '../documents/document.ts';
import { read, type Sentence } from '../documents/sentences.ts';
import { groupBy } from '../lists.ts';
import { endsInQuestion, followsEnglishRules, hasVerb, isDisfluent } from '../words.ts';
import { clauses } from './clauses.ts';
import { join, type Run } from './join.ts';
import { type Piece, pieceOf } from './piece.ts';
import { isByline, isPolar, isTerse, leaning } from './sentence-rules.ts';
import { datelineLength, tidy } from './tidy.ts';
import { tidySpeech } from './tidy-speech.ts';

export type FoundQuote = FoundSpan;

export interface ExtractedKeyPoint extends Span {
  /** The quote tidied: without markup and transcript noise, nothing added. */
  readonly text: string;
  readonly speaker?: string | undefined;
  /** How well it reads without context, in (0, 1]. */
  readonly selfContained: number;
  /** Headings, list lead-in, label or column, and question above it, outermost first. Not part of the quote. */
  readonly under?: readonly string[] | undefined;
  /** How a model's quote was found; absent for spans cut from the document. */
  readonly status?: FoundQuote['status'] | undefined;
  readonly moreQuotes?: readonly FoundQuote[] | undefined;
}

export interface UnverifiedKeyPoint {
  readonly text: string;
  readonly quote: string;
}

const MAX = 4;
const LONGEST = 300;
/** A shorter connective says nothing by itself. */
const SHORTEST = 10;

function underTexts(
  view: string,
  { english, spoken }: { english: boolean; spoken: boolean },
): (under: readonly Span[], text: string) => readonly string[] | undefined {
  const texts = new Map<number, string>();
  const textAt = ({ start, end }: Span): string => {
    const known = texts.get(start);
    if (known !== undefined) return known;
    const quote = view.slice(start, Math.min(end, start + LONGEST + 1));
    const text = shownText(spoken ? tidySpeech(quote, true) : tidy(quote));
    // "But:" leads into a list without a topic.
    const shown = text.length < SHORTEST && leaning(text, { english, lower: false }) === 'connective' ? '' : text;
    texts.set(start, shown);
    return shown;
  };
  return (under, text) => {
    const kept: string[] = [];
    let left = LONGEST;
    for (const span of [...under].reverse()) {
      const entry = textAt(span);
      if (entry === '' || kept.includes(entry) || isSame(entry, text)) continue;
      if (kept.length >= MAX || entry.length > left) break;
      kept.unshift(entry);
      left -= entry.length;
    }
    return kept.length > 0 ? kept : undefined;
  };
}

function shownText(tidied: string): string {
  const text = tidied.replace(/\s+#+$/, '');
  if (!WORDY.test(text) || isByline(text)) return '';
  return endsInQuestion(text) ? text : text.replace(/[\s:：.。]+$/u, '');
}

function isSame(entry: string, text: string): boolean {
  const plain = (each: string) =>
    each
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return plain(entry) === plain(text);
}

/** Part of cache keys: raise the number with every change of results. */
export const SENTENCE_EXTRACTOR_ID = 'sentences@9';

/** Above this share of lower-case sentences, case carries no information. */
const MOSTLY_LOWER = 0.6;
const ENDS = /[\p{Sentence_Terminal}…]["'”’)\]]*$/u;

/**
 * Extracts the key points of a document without a model, each with its exact span and context. Reads plain text,
 * Markdown and HTML in any language; deterministic, in linear time. Spans are ordered and disjoint.
 * @returns an empty array if the text states nothing (headings, greetings, questions)
 */
export function extractSentences(text: string): ExtractedKeyPoint[] {
  const { view, sentences } = read(text);
  const found = withoutDateline(view, sentences);
  const english = followsEnglishRules(view);
  const setting = { english, cased: isCased(view, found), disfluent: isDisfluent(view) };
  const pieces = found.flatMap((sentence) =>
    (sentence.row ? [sentence] : clauses(view, sentence, english)).map((span, n) =>
      pieceOf(view, { ...sentence, ...span }, n > 0, setting),
    ),
  );
  const answers = withoutAsker(pieces);
  const common = join(answers, english);
  const runs = english && common.length < FEW ? join(answers.map(unlessTerse), english, true) : common;
  const underOf = underTexts(view, { english, spoken: setting.disfluent });
  return withoutRepeats((runs.length > 0 ? runs : leftovers(answers)).map((run) => keyPoint(run, underOf, english)));
}

const ASKER = { questions: 4, share: 0.4 };

/** In an interview only the answers count: other remarks of whoever asks are dropped. */
function withoutAsker(pieces: readonly Piece[]): readonly Piece[] {
  const spoken = pieces.filter(({ speaker, verdict }) => speaker !== undefined && verdict !== 'noise');
  const bySpeaker = [...groupBy(spoken, ({ speaker }) => speaker)];
  const asks = bySpeaker.filter(([, own]) => {
    const questions = own.filter(({ verdict }) => verdict === 'question').length;
    return questions >= ASKER.questions && questions >= ASKER.share * own.length;
  });
  if (asks.length === 0 || asks.length === bySpeaker.length) return pieces;
  const askers = new Set(asks.map(([name]) => name));
  return pieces.map((piece) =>
    askers.has(piece.speaker) && piece.verdict !== 'question' ? { ...piece, verdict: 'furniture' } : piece,
  );
}

function withoutDateline(view: string, found: readonly Sentence[]): readonly Sentence[] {
  const first = found.findIndex(({ kind }) => kind !== 'heading');
  const sentence = found[first];
  if (sentence?.kind !== 'prose') return found;
  const length = datelineLength(view.slice(sentence.start, sentence.end));
  if (length === 0 || sentence.start + length >= sentence.end) return found;
  return found.with(first, { ...sentence, start: sentence.start + length });
}

const FEW = 10;

function unlessTerse(piece: Piece): Piece {
  return piece.verdict === 'thin' && isTerse(piece.text) ? { ...piece, verdict: 'statement' } : piece;
}

/** Statements of a document without a full sentence: "Sales rose 5%". */
function leftovers(pieces: readonly Piece[]): Run[] {
  return pieces
    .filter(({ verdict, words }) => (verdict === 'thin' || verdict === 'statement') && words > 1)
    .map((piece) => [piece]);
}

function isCased(text: string, found: readonly Sentence[]): boolean {
  const lower = found.filter(({ start }) => /\p{Ll}/u.test(text.charAt(start))).length;
  return lower < MOSTLY_LOWER * found.length;
}

function keyPoint(run: Run, underOf: ReturnType<typeof underTexts>, english: boolean): ExtractedKeyPoint {
  const [first, last = first] = [run[0], run.at(-1)];
  const text = textOf(run);
  const under = first.under && underOf(first.under, text);
  return {
    start: first.start,
    end: last.end,
    text,
    ...(first.speaker !== undefined && { speaker: first.speaker }),
    selfContained: selfContained(run, first, last, english),
    ...(under && { under }),
  };
}

function textOf(run: Run): string {
  const [lead, ...items] = run.map((piece) => piece.text);
  const isList = run[0]?.leads === true && items.slice(0, -1).every((item) => !ENDS.test(item));
  if (!isList) return run.map((piece) => piece.text).join(' ');
  return `${lead} ${items.map((item) => item.replace(/[;,]$/u, '')).join('; ')}`;
}

/** 1 if it reads alone; lower for an opening that refers back and for broken-off speech. */
function selfContained(run: Run, first: Piece, last: Piece, english: boolean): number {
  if (run.every(({ verdict }) => verdict === 'thin')) return 0.5;
  if (first.answers && isElliptic(first, english)) return 0.5;
  if (run.every(({ verdict }) => verdict !== 'statement')) return first.field ? 0.7 : 0.6;
  if (first.lean === 'connective') return 0.6;
  if (last.spoken && !ENDS.test(last.text)) return 0.7;
  if (first.kind === 'item' && /^\p{Ll}/u.test(first.text)) return 0.7;
  return first.lean === 'none' ? 1 : 0.8;
}

function isElliptic({ verdict, lean, text }: Piece, english: boolean): boolean {
  return verdict !== 'statement' || lean !== 'none' || isPolar(text) || (english && !hasVerb(text));
}

/** Key points below this score are compared together with their context. */
const LEANS_ON_PLACE = 0.8;

/** Drops repetitions of a sentence, such as running heads and captions. */
function withoutRepeats(points: ExtractedKeyPoint[]): ExtractedKeyPoint[] {
  const seen = new Set<string>();
  return points.filter(({ speaker, text, selfContained, under }) => {
    // "None." means something else under another heading.
    const place = selfContained < LEANS_ON_PLACE ? (under ?? []) : [];
    const key = [speaker ?? '', text, ...place].join('\n');
    return !seen.has(key) && seen.add(key);
  });
}
