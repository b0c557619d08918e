import { type Span, trimSpan } from './document.ts';
import { sentences } from './sentences.ts';

interface WindowSizes {
  /** Maximum size of a window in UTF-8 bytes, which stand in for tokens in any script. At least 4. */
  readonly bytes: number;
  /** Approximate overlap in UTF-8 bytes; at most half of `bytes`. */
  readonly overlapBytes: number;
}

interface Piece extends Span {
  readonly bytes: number;
}

const MAX_CHARACTER_LENGTH = 4;
/** Minimum size of the pieces of a sentence that is too large for a window. */
const LONG_WORD = 100;
const SHORT_OVERLAP = 30;

/**
 * Overlapping windows over a text, cut between sentences, within a larger sentence at white space, else between characters. In order,
 * trimmed, none within another; together they cover all but white space. Time is linear in the length.
 * @returns an empty array for a blank text
 * @throws RangeError for sizes out of range
 */
export function windows(text: string, { bytes, overlapBytes }: WindowSizes): Span[] {
  if (!(bytes >= MAX_CHARACTER_LENGTH && overlapBytes >= 0 && overlapBytes <= bytes / 2)) {
    throw new RangeError(`no windows of ${bytes} bytes that overlap by ${overlapBytes}`);
  }
  const pieces = piecesOf(text, bytes, overlapBytes < SHORT_OVERLAP ? Math.min(bytes, LONG_WORD) : overlapBytes);
  const found: Span[] = [];
  let first = 0;
  let next = 0;
  while (next < pieces.length) {
    let size = 0;
    for (let n = first; n < next; n++) size += pieces[n].bytes;
    while (first < next && size + pieces[next].bytes > bytes) size -= pieces[first++].bytes;
    while (next < pieces.length && size + pieces[next].bytes <= bytes) size += pieces[next++].bytes;
    const span = trimSpan(text, pieces[first].start, pieces[next - 1].end);
    if (span !== undefined && span.end > (found.at(-1)?.end ?? 0)) found.push(span);
    first = overlapStart(pieces, next, overlapBytes);
  }
  return found;
}

function overlapStart(pieces: readonly Piece[], end: number, overlapBytes: number): number {
  let start = end;
  for (let left = overlapBytes; start > 0 && pieces[start - 1].bytes < 2 * left; start--)
    left -= pieces[start - 1].bytes;
  return start;
}

function piecesOf(text: string, maxBytes: number, pieceBytes: number): Piece[] {
  const ends = sentences(text).map(({ end }) => end);
  if (ends.length > 0) ends.pop();
  ends.push(text.length);
  const pieces: Piece[] = [];
  let start = 0;
  for (const end of ends) {
    const bytes = utf8Length(text.slice(start, end));
    if (bytes <= maxBytes) pieces.push({ start, end, bytes });
    else pieces.push(...cut(text, start, end, pieceBytes));
    start = end;
  }
  return pieces;
}

/** Pieces of limited size, cut behind white space if there is some, else between characters. */
function cut(text: string, start: number, end: number, maxBytes: number): Piece[] {
  const pieces: Piece[] = [];
  let [from, at, bytes] = [start, start, 0];
  let blank = { at: -1, bytes: 0 };
  const take = (to: number, size: number) => {
    pieces.push({ start: from, end: to, bytes: size });
    from = to;
    bytes -= size;
    blank = { at: -1, bytes: 0 };
  };
  for (const character of text.slice(start, end)) {
    const size = utf8Length(character);
    while (bytes + size > maxBytes) take(blank.at > from ? blank.at : at, blank.at > from ? blank.bytes : bytes);
    at += character.length;
    bytes += size;
    if (/\s/.test(character)) blank = { at, bytes };
  }
  take(end, bytes);
  return pieces;
}

const encoder = new TextEncoder();

/** Bytes in UTF-8; a lone half of a surrogate pair takes three. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
