import {
  type Citation,
  escapeHtml,
  keyOfCitation,
  layoutOf,
  markersOf,
  plain,
  type Sentence,
} from '../../client/index.ts';
import { headingOf } from './intent.tsx';
import { documentsOf } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

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

export function toText(stored: StoredDigest): string {
  const { summary, sources } = stored.digest;
  const documentOf = documentsOf(stored);
  const listed = sources.map(({ number, document }) => {
    const { name, publishedAt, link } = documentOf(document);
    const facts = [inLine(name), publishedAt?.slice(0, 10), link];
    return `[${number}] ${facts.filter(Boolean).join(', ')}`;
  });
  const parts = [
    inLine(headingOf(stored.request.intent)),
    summary.text,
    listed.length > 0 && `Sources\n${listed.join('\n')}`,
  ];
  return `${parts.filter((part) => part !== false).join('\n\n')}\n`;
}

function inLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Markdown with a footnote for every cited quote. Markup in documents is escaped. */
export function toMarkdown(stored: StoredDigest): string {
  const { digest, request } = stored;
  const documentOf = documentsOf(stored);
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
  return `${[`# ${plain(headingOf(request.intent))}`, ...parts, ...footnotes].join('\n\n')}\n`;
}

const STYLE =
  'body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem}sup{line-height:0}ol.notes{font-size:.875rem}q{quotes:"“" "”"}';

/** HTML without scripts: each citation links to a note with its quote. Markup in documents is escaped. */
export function toHtml(stored: StoredDigest): string {
  const { digest, request } = stored;
  const documentOf = documentsOf(stored);
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
  const heading = escapeHtml(headingOf(request.intent));
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style></head>`,
    `<body>\n<h1>${heading}</h1>`,
    ...parts,
    ...(listed.length === 0 ? [] : [`<h2>Sources</h2>\n<ol class="notes">\n${listed.join('\n')}\n</ol>`]),
    '</body>\n</html>\n',
  ].join('\n');
}
