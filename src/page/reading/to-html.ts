import { type Citation, keyOfCitation, layoutOf, markersOf, type Sentence } from '../../client/index.ts';
import { dayOf, type KnownDocument } from './digest-documents.ts';
import type { StoredDigest } from './stored-digest.ts';

const STYLE =
  'body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.6 system-ui,sans-serif}h1{font-size:1.5rem}sup{line-height:0}ol.notes{font-size:.875rem}q{quotes:"“" "”"}';

/**
 * A summary as a page of its own without a script: each citation leads to a note with its quote. Whatever documents say is text in it.
 *
 * @param heading what was asked
 */
export function toHtml(
  heading: string,
  digest: Pick<StoredDigest['digest'], 'summary' | 'sources' | 'keyPoints'>,
  documentOf: (id: string) => KnownDocument,
): string {
  const notes = new Map<string, Citation>();
  const marker = (citation: Citation): string => {
    notes.set(keyOfCitation(citation), citation);
    const number = [...notes.keys()].indexOf(keyOfCitation(citation)) + 1;
    return `<sup><a href="#note-${number}">[${number}]</a></sup>`;
  };
  const written = (sentence: Sentence): string => {
    const markers = markersOf(sentence, digest.sources).map(({ citation }) => marker(citation));
    return escaped(sentence.text) + markers.join('');
  };
  const parts = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return `<p>${part.sentences.map(written).join(' ')}</p>`;
    const items = part.items.map((sentences) => `<li>${sentences.map(written).join(' ')}</li>`).join('\n');
    return `${part.label === null ? '' : `<p>${escaped(part.label)}:</p>\n`}<ul>\n${items}\n</ul>`;
  });
  const listed = [...notes.values()].map(
    (citation, index) => `<li id="note-${index + 1}">${note(citation, documentOf)}</li>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escaped(heading)}</title><style>${STYLE}</style></head>`,
    `<body>\n<h1>${escaped(heading)}</h1>`,
    ...parts,
    ...(listed.length === 0 ? [] : [`<h2>Sources</h2>\n<ol class="notes">\n${listed.join('\n')}\n</ol>`]),
    '</body>\n</html>\n',
  ].join('\n');
}

function note({ document, quote }: Citation, documentOf: (id: string) => KnownDocument): string {
  const { name, publishedAt, link } = documentOf(document);
  const title = link === null ? escaped(name) : `<a href="${escaped(link)}">${escaped(name)}</a>`;
  const date = dayOf(publishedAt);
  return `${title}${date === null ? '' : `, ${escaped(date)}`}: <q>${escaped(quote.text)}</q>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
