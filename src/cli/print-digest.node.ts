import { styleText } from 'node:util';
import type { Digest } from '../contract/index.ts';
import { citationMarkers } from '../text/index.ts';
import { notesOf, quotedSources } from './back-matter.ts';

const WIDTH = 96;
/** Characters of a quote that a list of sources shows. */
const MAX_QUOTE_LENGTH = 220;

/**
 * A digest as text for a terminal: the summary, then every numbered source with what it is cited for.
 *
 * @param color whether the output understands escape sequences
 */
export function printDigest(digest: Digest, color: boolean): string {
  const dim = (text: string): string => (color ? styleText('dim', text) : text);
  const bold = (text: string): string => (color ? styleText('bold', text) : text);
  const lines = digest.summary.text.split('\n').map((line) => wrap(line, ''));
  const quotes = quotedSources(digest).map(({ number, title, quotes }) => {
    const texts = [...new Set(quotes.map(shorten))];
    return [
      bold(shown(`${citationMarkers([number])} ${title}`)),
      ...texts.map((text) => dim(wrap(`“${text}”`, '    '))),
    ].join('\n');
  });
  const notes = notesOf(digest).map((note) => dim(wrap(`Note: ${note}`, '')));
  return [...lines, '', ...(quotes.length > 0 ? [bold('Sources'), ...quotes] : []), ...notes].join('\n');
}

/** Without what a terminal would obey: documents are not trusted. */
function shown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE_LENGTH) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_QUOTE_LENGTH))} …`;
}

/** Breaks a line at spaces so that no part is longer than WIDTH, and indents every part. */
function wrap(line: string, indent: string): string {
  const parts: string[] = [];
  let part = '';
  for (const word of shown(line).split(' ')) {
    if (part !== '' && indent.length + part.length + 1 + word.length > WIDTH) {
      parts.push(part);
      part = word;
    } else {
      part = part === '' ? word : `${part} ${word}`;
    }
  }
  return [...parts, part].map((text) => indent + text).join('\n');
}
