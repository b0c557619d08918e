import type { Digest } from '../digest/digest.ts';
import { type DigestPart, layoutOf, notesOf, quotedSources } from './digest-layout.ts';

/**
 * A digest as Markdown: its text, then the numbered sources with what they are cited by. Whatever documents say is text in it:
 * none of it is read as markup, and none gets out of its line.
 *
 * @param heading what was asked; none where nothing was
 */
export function digestMarkdown(heading: string | undefined, digest: Digest): string {
  const parts = layoutOf(digest);
  const text = parts
    .map((part, index) => {
      const isNext = part.kind === 'item' && parts[index - 1]?.kind === 'item';
      return `${index === 0 ? '' : isNext ? '\n' : '\n\n'}${part.kind === 'item' ? '- ' : ''}${lineOf(part)}`;
    })
    .join('');
  const sources = quotedSources(digest).flatMap(({ number, title, quotes }) => [
    `**\\[${number}\\]** ${plain(title)}`,
    ...quotes.map((quote) => `> ${plain(quote)}`),
  ]);
  const head = heading === undefined ? [] : [`# ${plain(heading)}`];
  const notes = notesOf(digest).map((note) => `Note: ${plain(note)}`);
  const below = sources.length > 0 ? ['## Sources', ...sources] : [];
  return `${[...head, text, ...below, ...notes].join('\n\n')}\n`;
}

function lineOf({ sentences }: DigestPart): string {
  return sentences
    .map(({ text, sources }) => {
      const markers = sources.map((number) => `\\[${number}\\]`).join('');
      return `${plain(text)}${markers === '' ? '' : ` ${markers}`}`;
    })
    .join(' ');
}

/** What means something in Markdown or its dialects wherever it stands. */
const SPECIAL = /[\\`*_[\]<>#~|^$&]/g;
/** What begins a list or a rule at the start of a line. */
const OPENER = /^(?:[-+=:]|(\d+)([.)]))/;

/** A text that stays text: in one line, whatever it holds. */
function plain(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(SPECIAL, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(OPENER, (all, digits?: string, end?: string) => (digits === undefined ? `\\${all}` : `${digits}\\${end}`));
}
