/** A document as the caller sent it. `text` is never altered: all offsets point into it. */
export interface SourceDocument {
  readonly id: string;
  readonly text: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  /** ISO 8601 date or date-time. */
  readonly publishedAt?: string | undefined;
  /** Reliability, a positive factor of quality; 1 by default. */
  readonly weight?: number | undefined;
}

/** A half-open range of UTF-16 code units of a document's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** White space and invisible characters: control, zero-width and direction marks (also ZWJ within emoji). */
const BLANK = /[\s\p{Cc}\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

export const WORDY = /[\p{L}\p{N}]/u;

export function isBlank(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code > 0x20 && code < 0x7f) return false;
  return code <= 0x20 || BLANK.test(text.charAt(index));
}

export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** The span without blanks at its ends; undefined if nothing is left. */
export function trimSpan(text: string, start: number, end: number): { start: number; end: number } | undefined {
  let from = start;
  let to = end;
  while (from < to && isBlank(text, from)) from++;
  while (to > from && isBlank(text, to - 1)) to--;
  return from < to ? { start: from, end: to } : undefined;
}

/** The first UTF-16 units of a text, without half a character at the end. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, Math.max(0, most)).replace(/[\ud800-\udbff]$/, '');
}

export function findLoneSurrogate(text: string): number | undefined {
  const offset = text.search(/\p{Surrogate}/u);
  return offset < 0 ? undefined : offset;
}
