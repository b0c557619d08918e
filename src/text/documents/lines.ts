import { trimSpan } from './characters.ts';
import type { Span } from './document.ts';

export interface Line extends Span {
  /** Whether a blank line, or the start of the text, comes before. */
  readonly afterGap: boolean;
  /** Columns of white space before the first character. */
  readonly indent: number;
}

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** The lines of a text that hold something, trimmed. A page break (form feed) counts as a line break. */
export function lines(text: string): Line[] {
  const found: Line[] = [];
  let afterGap = true;
  const take = (start: number, end: number) => {
    const span = trimSpan(text, start, end);
    if (!span) {
      afterGap = true;
      return;
    }
    found.push({ ...span, afterGap, indent: span.start - start });
    afterGap = false;
  };
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    take(start, match.index);
    start = match.index + match[0].length;
  }
  take(start, text.length);
  return found;
}
