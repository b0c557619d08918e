import { withoutUnseen } from '../../models/index.ts';
import { wordOverlap, wordSet } from '../../selection/index.ts';
import { contentHash, quoteAligner, utf8Length, windows } from '../../text/index.ts';

/** A text, or the part of one that fits into a question. */
export interface Piece {
  readonly text: string;
  readonly hash: string;
  readonly words: ReadonlySet<string>;
}

const OVERLAP = 0.1;

/** A text in parts of at most so many UTF-8 bytes, cut between sentences; none of which a model would see nothing. */
export function pieces(text: string, bytes: number): Piece[] {
  const spans =
    utf8Length(text) <= bytes
      ? [{ start: 0, end: text.length }]
      : windows(text, { bytes, overlapBytes: Math.floor(OVERLAP * bytes) });
  return spans
    .map(({ start, end }) => text.slice(start, end))
    .filter((part) => withoutUnseen(part).trim() !== '')
    .map((part) => ({ text: part, hash: contentHash(part), words: wordSet(part) }));
}

/** Distinct pieces, those that share most with a query first, equals in the order of their hashes. */
export function nearestFirst(query: string, all: readonly Piece[]): Piece[] {
  const distinct = [...new Map(all.map((piece) => [piece.hash, piece])).values()].sort(byHash);
  const overlap = wordOverlap(
    wordSet(query),
    distinct.map(({ words }) => words),
  );
  return distinct
    .map((piece, i) => ({ piece, overlap: overlap[i] }))
    .sort((a, b) => b.overlap - a.overlap)
    .map(({ piece }) => piece);
}

/** The order in which texts are shown, whatever the order in which they came. */
export function byHash(a: { readonly hash: string }, b: { readonly hash: string }): number {
  return a.hash < b.hash ? -1 : Number(a.hash > b.hash);
}

/** Lists as long as fit into so many UTF-8 bytes, in order; what is larger alone stands alone. */
export function packed<T extends { readonly text: string }>(items: readonly T[], bytes: number): T[][] {
  const lists: T[][] = [];
  let left = 0;
  for (const item of items) {
    const size = utf8Length(item.text) + FENCE_BYTES;
    const last = lists.at(-1);
    if (last === undefined || size > left) {
      lists.push([item]);
      left = bytes - size;
    } else {
      last.push(item);
      left -= size;
    }
  }
  return lists;
}

/** What the lines around a text take. */
const FENCE_BYTES = 100;

/** The words of a text that a model quoted, as they stand there; null where they do not. */
export function evidenceIn(text: string, quote: string): string | null {
  const spans = quoteAligner(text).align(quote)?.spans ?? [];
  const end = spans.at(-1)?.end;
  return end === undefined ? null : text.slice(spans[0].start, end);
}
