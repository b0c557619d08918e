import type { Disagreement, SummarySentence } from '../contract/index.ts';
import { bySimilarity, citePoint } from './cite-point.ts';
import type { ComposeInput, DescribedDocument, SelectedPoint, Support } from './compose-input.ts';
import { tokensOf } from './contradiction/tokens.ts';
import { COMMON_OPENERS, FUNCTION_WORDS, keyOf, looksEnglish, RELATIVES } from './contradiction/vocabulary.ts';
import { type Figure, figuresBeside, figuresIn } from './figures.ts';
import { orderThemes } from './order-themes.ts';
import { plainText } from './plain-text.ts';
import { type Saying, sameStatements } from './same-statements.ts';
import { unsupportedNames } from './verify/names.ts';

const BOUNDARY = /^[,;:.!?()–—]$/u;
const REASONS = new Set(['because', 'since']);
/** They open a reason where a subject follows ("as it costs less"), not a comparison ("as safe as") or a role ("as work"). */
const REASONS_BEFORE_SUBJECTS = new Set(['as', 'so']);
/** Another text may mean another thing by them; "we" ought to do the same thing everywhere. */
const POINTING = new Set(
  'i you he she it they we this that these those there here my your his her its our their'.split(' '),
);
const OUGHT = new Set('should must ought'.split(' '));
const NEGATIONS = new Set(['not', 'never']);
const SUPPORTING = new Set(['do', 'does', 'did']);
/** A clause with more words is not repeated in full. */
const LONGEST = 18;
/** Words that are not the negation: fewer say too little to be about the same thing. */
const FEWEST = 3;

/** What a statement claims up to its reasons, and whether it denies that. */
interface Clause {
  readonly text: string;
  readonly keys: string;
  readonly denies: boolean;
}

/**
 * What one of two English statements claims and the other denies in the same words ("whether we should ban fracking"), whatever
 * reasons they give; null where they do not.
 *
 * @param commonWords Lower-case words known not to be names, so that the claim can be quoted mid-sentence
 */
export function deniedClause(a: string, b: string, commonWords: ReadonlySet<string>): string | null {
  const [left, right] = [a, b].map(readClause);
  if (left === null || right === null || left.denies === right.denies || left.keys !== right.keys) return null;
  const { text } = left.denies ? right : left;
  const [first] = text.split(' ', 1);
  const lower = first.toLowerCase();
  const isCommon =
    /^\p{Lu}\p{Ll}*$/u.test(first) && [FUNCTION_WORDS, COMMON_OPENERS, commonWords].some((list) => list.has(lower));
  return `whether ${isCommon ? lower + text.slice(first.length) : text}`;
}

function readClause(statement: string): Clause | null {
  const text = statement.replace(/\bcannot\b|\bcan['’]t\b/giu, 'can not').replace(/n['’]t\b/gu, ' not');
  const tokens = tokensOf(text);
  const end = tokens.findIndex(({ lower }, at) => {
    const next = tokens[at + 1];
    if (BOUNDARY.test(lower)) return true;
    if (REASONS.has(lower)) return next?.kind !== 'number';
    return REASONS_BEFORE_SUBJECTS.has(lower) && POINTING.has(next?.lower ?? '');
  });
  const words = end < 0 ? tokens : tokens.slice(0, end);
  const lowers = words.map(({ lower }) => lower);
  const isVague = POINTING.has(lowers[0]) && !(lowers[0] === 'we' && OUGHT.has(lowers[1]));
  if (isVague || text.includes('?') || lowers.some((word) => RELATIVES.has(word) || word === 'that')) return null;
  const negations = lowers.filter((word) => NEGATIONS.has(word)).length;
  if (negations > 1 || words.length > LONGEST || !looksEnglish(lowers)) return null;
  const claimed = lowers.filter((word, at) => {
    const isSupporting = SUPPORTING.has(word) && NEGATIONS.has(lowers[at + 1]);
    return !NEGATIONS.has(word) && !isSupporting;
  });
  if (claimed.length < FEWEST) return null;
  return {
    text: text.slice(words[0].start, words[words.length - 1].end),
    keys: claimed.map(keyOf).join(' '),
    denies: negations === 1,
  };
}

/** Similarity (S) from which two statements are of the same subject, so that another figure is a conflict. */
const SAME_SUBJECT = 0.68;
/** Figures as near to each other as this, as a share of the larger, may be the same rounded, or measured twice. */
const NEAR = 0.15;
/** "Opened: 11 June, 08:02": each record has its own. */
const RECORD = /^\P{Po}{1,40}:\s/u;

/**
 * The figures that two statements of the same subject contradict each other by: one has one that the other has not, and what the
 * other has in its place is an amount of the same kind and not about the same. Years, dates, times and versions are no amounts: they
 * tell what a statement is about. Precision and recall: docs/decisions/citing-sources.md.
 *
 * @param similarity S between them
 * @returns the two figures as they are written, with what they count; null where there is no conflict
 */
export function conflict(a: string, b: string, similarity: number): readonly [string, string] | null {
  if (similarity < SAME_SUBJECT || [a, b].some((text) => text.includes('?') || RECORD.test(text))) return null;
  const [left, right] = [figuresIn(a), figuresIn(b)];
  const [own, other] = [figuresBeside(left, right), figuresBeside(right, left)];
  if (!exclude(own, other) || namesDiffer(a, b) || namesDiffer(b, a)) return null;
  return [wording(own[0], a), wording(other[0], b)];
}

function exclude(own: readonly Figure[], other: readonly Figure[]): boolean {
  if (Math.min(own.length, other.length) !== 1) return false;
  return own.every((left) => other.every((right) => areApart(left, right)));
}

function areApart(left: Figure, right: Figure): boolean {
  if (left.kind === null || left.kind !== right.kind || left.kind === 'year' || left.kind === 'time') return false;
  const [x, y] = [left.readings[0], right.readings[0]];
  return Math.abs(x - y) > NEAR * Math.max(Math.abs(x), Math.abs(y));
}

function namesDiffer(a: string, b: string): boolean {
  return unsupportedNames({ text: a, quotes: [b] }).length > 0;
}

/** "20 days" as the text has it; the number with its unit where nothing is counted, or its words do not stand together. */
function wording({ text: number, of, units }: Figure, text: string): string {
  const at = units.every((unit) => unit === null) ? text.toLowerCase().indexOf(`${number} ${of}`.toLowerCase()) : -1;
  return at < 0 ? number : text.slice(at, at + number.length + 1 + of.length);
}

type Stated = Pick<SelectedPoint, 'document' | 'text' | 'speaker'>;

/**
 * Similarity (S) below which two points are not compared. Low on purpose, since the wording decides: by BERTScore of
 * MiniLM's tokens, opposed sentences of the tests lie between 0.61 and 0.92, however their words are weighted.
 */
const COMPARABLE = 0.4;

/**
 * Compares what documents say. Statements of one document (or one speaker of it) are not held against each other; those of
 * different times are: what was so in 2024 and no longer is in 2026 is what a reader wants to see.
 */
export class Disagreements {
  readonly #names: ReadonlyMap<string, string>;
  readonly #commonWords: ReadonlySet<string>;

  /** @param texts Everything that is at hand: what stands in lower case anywhere is known not to be a name. */
  constructor(documents: readonly DescribedDocument[], texts: readonly string[]) {
    this.#names = new Map(documents.flatMap(nameOf));
    this.#commonWords = new Set(
      texts.flatMap((text) => text.match(/(?<=\p{Ll}[,;]? )\p{Ll}+(?![\p{L}\p{N}])/gu) ?? []),
    );
  }

  /**
   * What two statements differ on: the two figures, each with the title or date of its document, or a phrase that can follow
   * "differ on"; null where they do not contradict each other.
   *
   * @param similarity S between them
   */
  between(a: Stated, b: Stated, similarity: number): string | null {
    const isSameVoice = a.document === b.document && (a.speaker === undefined || a.speaker === b.speaker);
    if (isSameVoice || !(similarity >= COMPARABLE)) return null;
    const figures = conflict(a.text, b.text, similarity);
    if (figures !== null) return `${this.#side(a, figures[0])} against ${this.#side(b, figures[1])}`;
    return deniedClause(a.text, b.text, this.#commonWords);
  }

  #side({ document }: Stated, figure: string): string {
    const name = this.#names.get(document);
    return name === undefined ? `“${figure}”` : `“${figure}” (${name})`;
  }
}

/** Another key point as a statement of its own. */
function statedBy(support: Support): Stated {
  return { document: support.document, text: support.text ?? support.quote.text, speaker: support.speaker };
}

/** Its title, and the day it was published where that is known and not in the title. */
function nameOf({ id, title, publishedAt }: DescribedDocument): [string, string][] {
  const date = publishedAt?.slice(0, DAY.length) ?? '';
  const named = plainText(title ?? '');
  const parts = named.includes(date.slice(0, YEAR.length)) ? [named] : [named, date];
  const name = parts.filter((part) => part !== '').join(', ');
  return name === '' ? [] : [[id, name]];
}

const DAY = 'yyyy-mm-dd';
const YEAR = 'yyyy';

/** What every writer starts from: who stands with whom, what belongs together, and every point in its own wording. */
export interface Outline {
  /** The selected points, in rank order, without the supporters that contradict them. */
  readonly points: readonly SelectedPoint[];
  /** The same with the supporters that contradict them. */
  readonly stances: readonly Stance[];
  /** Points to be set side by side, because they contradict each other. */
  readonly paired: readonly Opposed[];
  /** Paragraphs of what is said, in the order in which it is told: points that say the same together. */
  readonly paragraphs: readonly (readonly Saying[])[];
  /** The sentence of every point in its own wording. */
  readonly sentences: readonly SummarySentence[];
}

/** Takes contradictions out of support, pairs what is opposed, puts together what is the same, and orders all by theme. */
export function outlineOf(given: ComposeInput): Outline {
  const input = byRank(given);
  const disagreements = new Disagreements(input.documents, textsOf(input));
  const stances = input.points.map((point) => splitSupports(point, disagreements));
  const points = stances.map((stance) => stance.point);
  const pairs = opposedPairs({ points, similarity: input.similarity }, disagreements);
  const paired = pairUp(pairs);
  const sentences = stances.map((stance, index) => ({
    ...citePoint(stance.point),
    disagreement: disagreementOf(index, stance, points, pairs),
  }));
  const opposed = new Set(pairs.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const paragraphs = orderThemes(
    { ...input, points },
    sameStatements(points, (a, b) => opposed.has(`${a} ${b}`)),
    paired.map(({ a, b }) => [a, b] as const),
  );
  return { points, stances, paired, paragraphs, sentences };
}

/** The same with the points in the order of their ranks, in which ties are broken. */
function byRank(input: ComposeInput): ComposeInput {
  const { points, similarity } = input;
  const n = points.length;
  const order = [...points.keys()].sort((a, b) => (points[a]?.rank ?? 0) - (points[b]?.rank ?? 0) || a - b);
  if (order.every((index, place) => index === place)) return input;
  const ranked = similarity.map((_, cell) => {
    const [row = 0, column = 0] = [order[Math.floor(cell / n)], order[cell % n]];
    return similarity[row * n + column] ?? 0;
  });
  return { ...input, points: order.flatMap((index) => points[index] ?? []), similarity: ranked };
}

/** What a supporter that contradicts a point says, as a sentence of its own. */
export function counterpointSentences({ point, counterpoints }: Stance): SummarySentence[] {
  return counterpoints.map((counter) => ({
    ...citePoint(counter.point),
    disagreement: { with: [point.id], on: counter.on },
  }));
}

function disagreementOf(
  index: number,
  { counterpoints }: Stance,
  points: readonly SelectedPoint[],
  pairs: readonly Opposed[],
): Disagreement | null {
  const own = pairs.filter(({ a, b }) => a === index || b === index);
  const others = own.map(({ a, b, on }) => ({ id: points[a === index ? b : a]?.id ?? '', on }));
  const joined = counterpoints.flatMap(({ point, on }) =>
    [point.id, ...point.supports.map((support) => support.keyPoint)].map((id) => ({ id, on })),
  );
  const all = [...others, ...joined];
  if (all.length === 0) return null;
  return {
    with: [...new Set(all.map(({ id }) => id))],
    on: [...new Set(all.map(({ on }) => on))].join('; '),
  };
}

function textsOf({ points }: ComposeInput): string[] {
  return points.flatMap((point) => [point.text, ...point.supports.map((support) => statedBy(support).text)]);
}

/** A point without those of its supporters that say the opposite, which is no support. */
interface Stance {
  readonly point: SelectedPoint;
  /** What contradicts it among those that are near, most similar first; of those that say the same, one. */
  readonly counterpoints: readonly { readonly point: SelectedPoint; readonly on: string }[];
}

/** Finds what contradicts a point among what is near it: similar wording brings up what is denied. */
function splitSupports(point: SelectedPoint, disagreements: Disagreements): Stance {
  const counterpoints: { readonly point: SelectedPoint; readonly on: string }[] = [];
  const opposed = new Set<Support>();
  for (const support of bySimilarity([...point.supports, ...(point.near ?? [])])) {
    const other = statedBy(support);
    const on = disagreements.between(point, other, support.similarity);
    if (on === null) continue;
    opposed.add(support);
    const isNew = counterpoints.every(({ point: known }) => disagreements.between(known, other, 1) !== null);
    if (isNew) counterpoints.push({ on, point: asPoint(support, point) });
  }
  if (opposed.size === 0) return { point, counterpoints };
  return { point: { ...point, supports: point.supports.filter((support) => !opposed.has(support)) }, counterpoints };
}

function asPoint(support: Support, point: SelectedPoint): SelectedPoint {
  const { text, document, speaker } = statedBy(support);
  const { relevance, salience, rank, facet } = point;
  const { keyPoint: id, quote } = support;
  return { id, document, text, speaker, quote, relevance, salience, rank, facet, supports: [] };
}

interface Opposed {
  readonly a: number;
  readonly b: number;
  readonly on: string;
  readonly similarity: number;
}

/** All pairs of selected points that contradict each other, closest pair first. */
function opposedPairs(
  { points, similarity }: Pick<ComposeInput, 'points' | 'similarity'>,
  disagreements: Disagreements,
): Opposed[] {
  const n = points.length;
  const pairs: Opposed[] = [];
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      const closeness = similarity[a * n + b] as number;
      const on = disagreements.between(points[a] as SelectedPoint, points[b] as SelectedPoint, closeness);
      if (on !== null) pairs.push({ a, b, on, similarity: closeness });
    }
  }
  return pairs.sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);
}

/** The pairs to set side by side: every point in one pair at most, so that a paragraph does not become a debate. */
function pairUp(pairs: readonly Opposed[]): Opposed[] {
  const taken = new Set<number>();
  return pairs.filter(({ a, b }) => {
    if (taken.has(a) || taken.has(b)) return false;
    taken.add(a).add(b);
    return true;
  });
}
