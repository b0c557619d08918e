import { layoutOf, type Sentence, sourceNumbers } from '../client/index.ts';
import type { Digest } from '../contract/index.ts';
import { type Content, html, htmlPage } from '../lab/index.ts';
import { citationMarkers } from '../text/index.ts';
import { notesOf, quotedSources } from './digest-formats.node.ts';

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
 * An escaped HTML page without scripts or external resources; markers link to the sources.
 * @param heading the question, if any
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
