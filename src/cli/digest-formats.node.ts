import { styleText } from 'node:util';
import { layoutOf, plain, quotesFrom, type Sentence, sourceNumbers } from '../client/index.ts';
import type { Digest } from '../contract/index.ts';
import { type Content, html, htmlPage } from '../lab/index.ts';
import { citationMarkers } from '../text/index.ts';

interface QuotedSource {
  readonly number: number;
  readonly title: string;
  readonly quotes: readonly string[];
}

/** The sources that a digest cites, by number, with their quotes in the order of the document. */
export function quotedSources(digest: Digest): QuotedSource[] {
  return digest.sources.map(({ number, document, title }) => {
    const quotes = new Set(quotesFrom(digest, document).map(({ text }) => text));
    return { number, title: title ?? document, quotes: [...quotes] };
  });
}

/** Warnings, and documents that were not read. */
function notesOf({ warnings, documents }: Digest): string[] {
  return [...warnings, ...documents.flatMap(({ id, error }) => (error === null ? [] : [`${id}: ${error.message}`]))];
}

const WIDTH = 96;
/** Maximum length of a quote in the list of sources. */
const MAX_QUOTE_LENGTH = 220;

/**
 * A digest for a terminal: the summary, then the numbered sources with their quotes.
 *
 * @param color whether the terminal understands escape sequences
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

/** Without control characters, which a terminal would obey. */
function shown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_QUOTE_LENGTH) return line;
  return `${line.slice(0, line.lastIndexOf(' ', MAX_QUOTE_LENGTH))} …`;
}

/** Wraps a line at spaces to WIDTH, and indents it. */
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

/**
 * A digest as Markdown: its text, then the numbered sources with their quotes. Text of documents is escaped.
 *
 * @param heading the question, if there is one
 */
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

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --back: #fff; --muted: #59626e; --line: #dde2e8; --link: #0a58b0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7eb; --back: #14171b; --muted: #9fa9b5; --line: #333a43; --link: #82b8ff; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
a { color: var(--link); text-underline-offset: .15em; }
sup { line-height: 0; }
li:target { outline: 2px solid var(--link); outline-offset: 4px; }
blockquote { margin: .35rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--muted); }
.note { color: var(--muted); }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; }
`;

/**
 * A digest as an HTML page that loads and runs nothing; markers lead to the sources. Text of documents is escaped.
 *
 * @param heading the question, if there is one
 */
export function digestPage(heading: string | undefined, digest: Digest): string {
  const title = heading ?? 'Digest';
  const sources = quotedSources(digest);
  const body = html`<main id="main">
<h1>${title}</h1>
${blocks(digest)}
${
  sources.length > 0 &&
  html`<h2>Sources</h2>
<ol>${sources.map(
    ({ number, title: name, quotes }) => html`
<li id="source-${number}" value="${number}">${name}${quotes.map((quote) => html`<blockquote>${quote}</blockquote>`)}</li>`,
  )}
</ol>`
}
${notesOf(digest).map((note) => html`<p class="note">${note}</p>`)}
</main>`;
  return htmlPage({ title, style: STYLE, body });
}

function blocks({ summary, sources }: Digest): Content[] {
  const line = (sentences: readonly Sentence[]): Content => sentences.map((each) => markedHtml(each, sources));
  return layoutOf(summary).map((part) => {
    if (part.kind === 'paragraph') return html`<p>${line(part.sentences)}</p>\n`;
    const items = part.items.map((sentences) => html`<li>${line(sentences)}</li>\n`);
    return html`${part.label !== null && html`<p>${part.label}:</p>\n`}<ul>\n${items}</ul>\n`;
  });
}

function markedHtml(sentence: Sentence, sources: Digest['sources']): Content {
  const numbers = sourceNumbers(sentence, sources);
  return html`${sentence.text}${numbers.map((number) => html`<sup><a href="#source-${number}">${citationMarkers([number])}</a></sup>`)} `;
}
