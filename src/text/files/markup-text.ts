import { Parser } from 'htmlparser2';
import type { SourceDocument, Span } from '../documents/document.ts';
import { readHtml } from '../documents/html.ts';
import type { MarkedLine } from '../documents/marked-lines.ts';
import { parseUrl } from '../runtime.ts';

const TITLE = /<title\b[^>]{0,200}>[^<]{0,1000}<\/title>/gi;
/** Footnote marks, which look like citations, and the links back from the notes. */
const NOTE_MARK =
  /<sup\b[^>]{0,200}>\s{0,9}<a\b[^>]{0,300}href="#[^>]{0,300}>.{0,200}?<\/a>\s{0,9}<\/sup>|<a\b[^>]{0,300}href="#(?:foot|end)note-ref[^>]{0,300}>.{0,20}?<\/a>/gi;

export function markupText(markup: string): string {
  const { view, lines } = readHtml(markup.replace(TITLE, '').replace(NOTE_MARK, ''));
  const textAt = ({ start, end }: Span) => plain(view.slice(start, end));
  const parts: string[] = [];
  for (const [n, line] of lines.entries()) {
    const { row, notes = [] } = line;
    if (row === undefined) {
      const text = textAt(line);
      parts.push([...notes.map(textAt), marked(line, text)].join(': '));
      continue;
    }
    const cells = tableRow(row.cells.map(textAt));
    if (isNextRow(lines[n - 1], line)) parts.push(`${parts.pop()}\n${cells}`);
    else {
      const { headers } = row;
      const head = headers.length > 0 ? [tableRow(headers.map(textAt)), tableRule(headers.length)] : [];
      parts.push(...notes.map(textAt), [...head, cells].join('\n'));
    }
  }
  return parts.join('\n\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`;
}

function tableRule(columns: number): string {
  return `|${' --- |'.repeat(columns)}`;
}

function marked({ kind, level = 1, indent }: MarkedLine, text: string): string {
  if (kind === 'heading') return `${'#'.repeat(level)} ${text}`;
  return kind === 'item' ? `${'  '.repeat(Math.max(0, indent - 1))}- ${text}` : text;
}

function isNextRow(before: MarkedLine | undefined, { row }: MarkedLine): boolean {
  if (before?.row === undefined || row === undefined) return false;
  if (row.headers.length > 0) return before.row.headers === row.headers;
  return before.row.headers.length === 0 && before.row.cells.length === row.cells.length;
}

function plain(text: string): string {
  return text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const HEAD = 100_000;
const MAX_TITLE_LENGTH = 300;
const MAX_URL_LENGTH = 2000;

/** Title, address and ISO 8601 date of a web page, if it states them. */
export function pageFacts(markup: string): Pick<SourceDocument, 'title' | 'url' | 'publishedAt'> {
  const head = markup.slice(0, HEAD);
  let title = '';
  let isTitle = false;
  let url = '';
  let date = /"datePublished"\s*:\s*"([^"]{1,40})"/.exec(head)?.[1] ?? '';
  const parser = new Parser({
    onopentag(name, { rel, href = '', property, content = '' }) {
      isTitle = name === 'title' && title === '';
      if (name === 'link' && rel === 'canonical') url ||= href;
      if (name === 'meta' && property === 'article:published_time') date ||= content;
    },
    ontext(text) {
      if (isTitle) title += text;
    },
    onclosetag() {
      isTitle = false;
    },
  });
  parser.write(head);
  parser.end();
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0];
  const shown = plain(title)
    .slice(0, MAX_TITLE_LENGTH)
    .replace(/\p{Surrogate}/gu, '');
  return {
    ...(shown !== '' && { title: shown }),
    ...(/^https?:\/\/./.test(url) && url.length <= MAX_URL_LENGTH && parseUrl(url) !== null && { url }),
    ...(day !== undefined && !Number.isNaN(Date.parse(day)) && { publishedAt: day }),
  };
}
