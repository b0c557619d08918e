import type { FoundQuote } from './key-point.ts';
import { bare, wordsOf } from './words.ts';

/** A statement with the spans that state it, in reading order. */
export interface QuotedStatement {
  readonly text: string;
  readonly spans: readonly FoundQuote[];
}

/** Share of their words that two statements of the same place have in common to be one. */
const SAME = 0.75;

/**
 * Unites what several readings found alike: the same words, or nearly the same words about the same place. The one that
 * came first stands, with the quotes of both. Two different statements of one sentence stay two.
 *
 * @returns in reading order, whatever the order given, for statements that differ
 */
export function mergeStatements(statements: readonly QuotedStatement[]): QuotedStatement[] {
  const merged: QuotedStatement[] = [];
  const places = new Map<string, number[]>();
  const spelt = new Map<string, number>();
  for (const statement of statements) {
    const spelling = wordsOf(statement.text).map(bare).join(' ');
    // Statements of one place overlap in some stretch of it; only those are compared.
    const near = new Set(statement.spans.flatMap(placesOf).flatMap((place) => places.get(place) ?? []));
    const at = spelt.get(spelling) ?? [...near].find((index) => isSame(merged[index], statement));
    if (at === undefined) {
      spelt.set(spelling, merged.length);
      for (const place of statement.spans.flatMap(placesOf)) {
        places.set(place, [...(places.get(place) ?? []), merged.length]);
      }
      merged.push({ ...statement, spans: inOrder(statement.spans) });
    } else {
      merged[at] = { ...merged[at], spans: inOrder([...merged[at].spans, ...statement.spans]) };
    }
  }
  return merged.sort((a, b) => comparePlaces(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : 1));
}

/** Stretches of this many UTF-16 units are places. */
const PLACE = 256;

function placesOf({ start, end }: FoundQuote): string[] {
  const from = Math.floor(start / PLACE);
  return Array.from({ length: Math.floor((end - 1) / PLACE) - from + 1 }, (_, step) => String(from + step));
}

function isSame(a: QuotedStatement, b: QuotedStatement): boolean {
  const overlaps = a.spans.some((one) => b.spans.some((other) => one.start < other.end && other.start < one.end));
  return overlaps && likeness(a.text, b.text) >= SAME;
}

/** Words in common, of all words of both; numbers or names that differ make statements differ. */
function likeness(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => new Set(wordsOf(text).map(bare)));
  const shared = [...left].filter((word) => right.has(word));
  const apart = [...left, ...right].filter((word) => !(left.has(word) && right.has(word)));
  const names = new Set([a, b].flatMap(namesIn));
  return apart.some((word) => /\p{N}/u.test(word) || names.has(word))
    ? 0
    : shared.length / (shared.length + apart.length);
}

/** Words with a capital that do not open the statement. */
function namesIn(text: string): string[] {
  return wordsOf(text)
    .slice(1)
    .filter((word) => /^[^\p{L}]*\p{Lu}/u.test(word))
    .map(bare);
}

/** Without spans that another holds; by start, the longer first. */
function inOrder(spans: readonly FoundQuote[]): FoundQuote[] {
  const kept: FoundQuote[] = [];
  for (const span of [...spans].sort(comparePlaces)) {
    if (!kept.some(({ start, end }) => start <= span.start && span.end <= end)) kept.push(span);
  }
  return kept;
}

function comparePlaces(a: FoundQuote, b: FoundQuote): number {
  return a.start - b.start || b.end - a.end;
}
