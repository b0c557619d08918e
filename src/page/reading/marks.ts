import type { Span } from '../../client/index.ts';

/** A part of a block: of the quote that is looked at, of another, or of none. */
interface Piece extends Span {
  readonly kind: 'picked' | 'other' | 'plain';
}

/**
 * The pieces of a block, in order: joined they are the block. The picked quote is one piece, unless the block ends within it;
 * others give way to it.
 */
export function piecesOf(block: Span, picked: Span | null, others: readonly Span[]): Piece[] {
  const pieces: Piece[] = [];
  let at = block.start;
  const reach = (end: number, kind: Piece['kind']) => {
    if (end > at) pieces.push({ start: at, end, kind });
    at = Math.max(at, end);
  };
  for (const { start, end, kind } of apart(within(block, picked === null ? [] : [picked])[0], within(block, others))) {
    reach(start, 'plain');
    reach(end, kind);
  }
  reach(block.end, 'plain');
  return pieces;
}

/** Whether a block holds some of a span. */
export function touches(block: Span, { start, end }: Span): boolean {
  return start < block.end && end > block.start;
}

function within(block: Span, spans: readonly Span[]): Span[] {
  return spans
    .filter((span) => touches(block, span))
    .map(({ start, end }) => ({ start: Math.max(start, block.start), end: Math.min(end, block.end) }));
}

/** The picked span with what the others leave beside it, none overlapping another, in order. */
function apart(picked: Span | undefined, others: readonly Span[]): Piece[] {
  const left = picked === undefined ? others : others.flatMap((other) => beside(other, picked));
  const marked: Piece[] = merged(left).map((span) => ({ ...span, kind: 'other' }));
  if (picked !== undefined) marked.push({ ...picked, kind: 'picked' });
  return marked.sort((a, b) => a.start - b.start);
}

function beside({ start, end }: Span, taken: Span): Span[] {
  return [
    { start, end: Math.min(end, taken.start) },
    { start: Math.max(start, taken.end), end },
  ].filter((span) => span.start < span.end);
}

function merged(spans: readonly Span[]): Span[] {
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return apart;
}
