import { styleText } from 'node:util';
import { type Exported, quotesFrom, visible } from '../client/index.ts';
import type { Digest } from '../contract/index.ts';
import { citationMarkers } from '../text/index.ts';

/** A digest as the client exports it. @param intent its question, if any */
export function exportedOf(intent: string | undefined, digest: Digest): Exported {
  const titles = new Map(digest.sources.map(({ document, title }) => [document, title]));
  const documentOf = (id: string) => ({ name: titles.get(id) ?? id, link: null, publishedAt: null });
  return { heading: intent ?? 'Digest', digest, documentOf, notes: notesOf(digest) };
}

function notesOf({ warnings, documents }: Digest): string[] {
  return [...warnings, ...documents.flatMap(({ id, error }) => (error === null ? [] : [`${id}: ${error.message}`]))];
}

export const WIDTH = 96;
const MAX_QUOTE_LENGTH = 220;

/** @param color whether the terminal supports escape sequences */
export function printDigest(digest: Digest, color: boolean): string {
  const dim = (text: string): string => (color ? styleText('dim', text) : text);
  const bold = (text: string): string => (color ? styleText('bold', text) : text);
  const lines = digest.summary.text.split('\n').map((line) => wrap(line, ''));
  const quotes = digest.sources.map(({ number, document, title }) => {
    const texts = [...new Set(quotesFrom(digest, document).map(({ text }) => shorten(text)))];
    return [
      bold(shown(`${citationMarkers([number])} ${title ?? document}`)),
      ...texts.map((text) => dim(wrap(`“${text}”`, '    '))),
    ].join('\n');
  });
  const notes = notesOf(digest).map((note) => dim(wrap(`Note: ${note}`, '')));
  const open = openParts(digest).map((line) => wrap(line, ''));
  const near = nearestPoints(digest).map(({ text, document }) => dim(wrap(`“${shorten(text)}” (${document})`, '    ')));
  return [
    ...lines,
    ...open,
    '',
    ...(quotes.length > 0 ? [bold('Sources'), ...quotes] : []),
    ...(near.length > 0 ? [bold('Closest passages, which do not answer it'), ...near] : []),
    ...notes,
  ].join('\n');
}

/** Names the unanswered parts of the question that the summary does not name. */
function openParts({ intent, summary }: Digest): string[] {
  if (intent?.answered !== 'partly') return [];
  const told = summary.sentences.flatMap(({ framing, text }) => (framing ? [text] : [])).join(' ');
  const open = intent.facets.filter(({ text, answered }) => !answered && !told.includes(`“${text}”`));
  return open.length === 0 ? [] : ['', `Not answered for sure: ${open.map(({ text }) => `“${text}”`).join('; ')}.`];
}

function nearestPoints({ intent, keyPoints }: Digest): Digest['keyPoints'] {
  return (intent?.nearest ?? []).flatMap((id) => keyPoints.find((point) => point.id === id) ?? []);
}

/** On one line, without what a terminal would obey. */
export function shown(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE_LENGTH) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_QUOTE_LENGTH))} …`;
}

export function wrap(line: string, indent: string, width = WIDTH): string {
  const parts: string[] = [];
  let part = '';
  for (const word of shown(line).split(' ')) {
    if (part !== '' && indent.length + part.length + 1 + word.length > width) {
      parts.push(part);
      part = word;
    } else {
      part = part === '' ? word : `${part} ${word}`;
    }
  }
  return [...parts, part].map((text) => indent + text).join('\n');
}
