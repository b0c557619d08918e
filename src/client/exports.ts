import type { Citation, Sentence } from './layout.ts';
import { escapeHtml, keyOfCitation, layoutOf, markersOf, plain, visible } from './layout.ts';
import type { Digest } from './types.ts';

interface NamedDocument {
  readonly name: string;
  /** Web address; null if none is safe to follow. */
  readonly link: string | null;
  readonly publishedAt: string | null;
}

/** A digest with all that an export shows. */
export interface Exported {
  readonly heading: string;
  readonly digest: Digest;
  readonly documentOf: (id: string) => NamedDocument;
  /** Lines below the text, such as warnings. */
  readonly notes?: readonly string[];
}

function noteNumbers() {
  const notes = new Map<string, Citation>();
  return {
    notes,
    numberOf(citation: Citation): number {
      const key = keyOfCitation(citation);
      if (!notes.has(key)) notes.set(key, citation);
      return [...notes.keys()].indexOf(key) + 1;
    },
  };
}

/** The summary with its numbers, and its sources. */
export function toText({ heading, digest: { summary, sources }, documentOf }: Exported): string {
  const listed = sources.map(({ number, document }) => {
    const { name, publishedAt, link } = documentOf(document);
    const facts = [inLine(name), publishedAt?.slice(0, 10), link];
    return `[${number}] ${facts.filter(Boolean).join(', ')}`;
  });
  const parts = [inLine(heading), summary.text, listed.length > 0 && `Sources\n${listed.join('\n')}`];
  return visible(`${parts.filter((part) => part !== false).join('\n\n')}\n`);
}

function inLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Markdown with a footnote for every cited quote. Markup in documents is escaped. */
export function toMarkdown({ heading, digest, documentOf, notes: below = [] }: Exported): string {
  const { notes, numberOf } = noteNumbers();
  const cited = (sentence: Sentence): string => {
    const markers = markersOf(sentence, digest.sources).map(({ citation }) => `[^${numberOf(citation)}]`);
    return plain(sentence.text) + markers.join('');
  };
  const parts = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return part.sentences.map(cited).join(' ');
    const items = part.items.map((sentences) => `- ${sentences.map(cited).join(' ')}`).join('\n');
    return part.label === null ? items : `${plain(part.label)}:\n\n${items}`;
  });
  const footnotes = [...notes.values()].map(({ document, quote }, index) => {
    const { name, publishedAt, link } = documentOf(document);
    const date = publishedAt === null ? '' : ` (${plain(publishedAt)})`;
    // A parsed address has neither spaces nor angle brackets.
    return `[^${index + 1}]: ${plain(name)}${date}${link === null ? '' : `, <${link}>`}: “${plain(quote.text)}”`;
  });
  const lines = below.map((note) => `Note: ${plain(note)}`);
  return `${[`# ${plain(heading)}`, ...parts, ...lines, ...footnotes].join('\n\n')}\n`;
}

const STYLE =
  ':root{color-scheme:light dark}body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem}sup{line-height:0}ol.notes{font-size:.875rem}q{quotes:"“" "”"}.note{opacity:.7}';

/** HTML without scripts: each citation links to a note with its quote. Markup in documents is escaped. */
export function toHtml({ heading, digest, documentOf, notes: below = [] }: Exported): string {
  const { notes, numberOf } = noteNumbers();
  const written = (sentence: Sentence): string => {
    const markers = markersOf(sentence, digest.sources).map(({ citation }) => {
      const number = numberOf(citation);
      return `<sup><a href="#note-${number}">[${number}]</a></sup>`;
    });
    return escapeHtml(sentence.text) + markers.join('');
  };
  const parts = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return `<p>${part.sentences.map(written).join(' ')}</p>`;
    const items = part.items.map((sentences) => `<li>${sentences.map(written).join(' ')}</li>`).join('\n');
    return `${part.label === null ? '' : `<p>${escapeHtml(part.label)}:</p>\n`}<ul>\n${items}\n</ul>`;
  });
  const listed = [...notes.values()].map(({ document, quote }, index) => {
    const { name, publishedAt, link } = documentOf(document);
    const title = link === null ? escapeHtml(name) : `<a href="${escapeHtml(link)}">${escapeHtml(name)}</a>`;
    const date = publishedAt === null ? '' : `, ${escapeHtml(publishedAt.slice(0, 10))}`;
    return `<li id="note-${index + 1}">${title}${date}: <q>${escapeHtml(quote.text)}</q></li>`;
  });
  const title = escapeHtml(heading);
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head>`,
    `<body>\n<h1>${title}</h1>`,
    ...parts,
    ...below.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
    ...(listed.length === 0 ? [] : [`<h2>Sources</h2>\n<ol class="notes">\n${listed.join('\n')}\n</ol>`]),
    '</body>\n</html>\n',
  ].join('\n');
}
