import { styleText } from 'node:util';
import { layoutOf, plain, quotesFrom, type Sentence, sourceNumbers } from '../client/index.ts';
import type { Digest } from '../contract/index.ts';
import { citationMarkers } from '../text/index.ts';

interface QuotedSource {
  readonly number: number;
  readonly title: string;
  readonly quotes: readonly string[];
}

export function quotedSources(digest: Digest): QuotedSource[] {
  return digest.sources.map(({ number, document, title }) => {
    const quotes = new Set(quotesFrom(digest, document).map(({ text }) => text));
    return { number, title: title ?? document, quotes: [...quotes] };
  });
}

export function notesOf({ warnings, documents }: Digest): string[] {
  return [...warnings, ...documents.flatMap(({ id, error }) => (error === null ? [] : [`${id}: ${error.message}`]))];
}

const WIDTH = 96;
const MAX_QUOTE_LENGTH = 220;

/** @param color whether the terminal supports escape sequences */
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

/** Removes control characters, which a terminal would obey. */
function shown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE_LENGTH) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_QUOTE_LENGTH))} …`;
}

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

/** Escapes text of documents. @param heading the question, if any */
export function digestMarkdown(heading: string | undefined, digest: Digest): string {
  const line = (sentences: readonly Sentence[]) =>
    sentences.map((each) => markedMarkdown(each, digest.sources)).join(' ');
  const text = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return line(part.sentences);
    const items = part.items.map((sentences) => `- ${line(sentences)}`).join('\n');
    return part.label === null ? items : `${plain(part.label)}:\n\n${items}`;
  });
  const sources = quotedSources(digest).flatMap(({ number, title, quotes }) => [
    `**${plain(citationMarkers([number]))}** ${plain(title)}`,
    ...quotes.map((quote) => `> ${plain(quote)}`),
  ]);
  const head = heading === undefined ? [] : [`# ${plain(heading)}`];
  const notes = notesOf(digest).map((note) => `Note: ${plain(note)}`);
  const below = sources.length > 0 ? ['## Sources', ...sources] : [];
  return `${[...head, ...text, ...below, ...notes].join('\n\n')}\n`;
}

function markedMarkdown(sentence: Sentence, sources: Digest['sources']): string {
  const numbers = sourceNumbers(sentence, sources);
  return [plain(sentence.text), ...(numbers.length > 0 ? [plain(citationMarkers(numbers))] : [])].join(' ');
}
