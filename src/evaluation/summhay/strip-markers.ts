import { findMarkers } from '../../text/index.ts';

/** A text without its markers. */
interface StrippedText {
  readonly text: string;
  /** What a piece of `text` is in the text that had the markers; the piece itself where it is not one. */
  restore(piece: string): string;
}

/** A stretch of the original with one thing in its place. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly instead: '' | ' ';
}

const WORDY = /[\p{L}\p{N}]/u;

/**
 * Takes the markers out of a text, with the white space before them, what separates them and the round brackets around
 * them, so that a judge reads what a reader does.
 *
 * @param known ids of the documents that are known, as for {@link findMarkers}
 */
export function stripMarkers(original: string, known: ReadonlySet<string>): StrippedText {
  const cuts = cutsIn(original, known);
  let text = '';
  let at = 0;
  // Where each kept piece starts in both texts.
  const kept: { readonly there: number; readonly here: number }[] = [];
  for (const { start, end, instead } of [...cuts, { start: original.length, end: original.length, instead: '' }]) {
    kept.push({ there: at, here: text.length });
    text += original.slice(at, start) + instead;
    at = end;
  }
  const originalOf = (place: number) => {
    const piece = kept.findLast(({ here }) => here <= place) ?? { there: 0, here: 0 };
    return piece.there + place - piece.here;
  };
  const restore = (piece: string) => {
    const place = piece === '' ? -1 : text.indexOf(piece);
    return place < 0 ? piece : original.slice(originalOf(place), originalOf(place + piece.length - 1) + 1);
  };
  return { text, restore };
}

function cutsIn(text: string, known: ReadonlySet<string>): Cut[] {
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of findMarkers(text, known)) {
    const last = runs.at(-1);
    if (last && /^[ \t]*[,;]?[ \t]*$/.test(text.slice(last.end, start))) last.end = end;
    else runs.push({ start, end });
  }
  return runs.map((run) => cutOf(text, run.start, run.end));
}

function cutOf(text: string, from: number, to: number): Cut {
  const isBracketed = text[from - 1] === '(' && text[to] === ')';
  const end = isBracketed ? to + 1 : to;
  let start = isBracketed ? from - 1 : from;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  const isGlued = WORDY.test(text[start - 1] ?? '') && WORDY.test(text[end] ?? '');
  return { start, end, instead: isGlued ? ' ' : '' };
}
