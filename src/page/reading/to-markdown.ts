import type { KnownDocument } from './digest-documents.ts';
import { disagreesOn } from './disagreement.ts';
import { layoutOf, markersOf, type Sentence } from './layout.ts';
import { type Citation, keyOfCitation } from './quotes.ts';
import type { StoredDigest } from './stored-digest.ts';

/**
 * A summary as Markdown, with a footnote for every quote that it cites. Whatever documents say is text in it: none of it is
 * read as markup, and none gets out of its line.
 *
 * @param heading what was asked
 */
export function toMarkdown(
  heading: string,
  digest: Pick<StoredDigest['digest'], 'summary' | 'sources' | 'keyPoints'>,
  documentOf: (id: string) => KnownDocument,
): string {
  const notes = new Map<string, Citation>();
  const numbers = new Map<string, number>();
  const marker = (citation: Citation): string => {
    const key = keyOfCitation(citation);
    if (!notes.has(key)) numbers.set(key, numbers.size + 1);
    notes.set(key, citation);
    return `[^${numbers.get(key)}]`;
  };
  const line = (sentence: Sentence): string =>
    plain(sentence.text) +
    markersOf(sentence, digest.sources)
      .map(({ citation }) => marker(citation))
      .join('');
  const item = (sentence: Sentence): string => {
    const differing = disagreesOn(sentence, digest);
    return `- ${line(sentence)}${differing === null ? '' : ` (${plain(differing)})`}`;
  };
  const parts = layoutOf(digest.summary).map(({ kind, sentences }) =>
    kind === 'list' ? sentences.map(item).join('\n') : sentences.map(line).join(' '),
  );
  const footnotes = [...notes.values()].map((citation, index) => `[^${index + 1}]: ${note(citation, documentOf)}`);
  return `${[`# ${plain(heading)}`, ...parts, ...footnotes].join('\n\n')}\n`;
}

function note({ document, quote }: Citation, documentOf: (id: string) => KnownDocument): string {
  const { name, publishedAt, link } = documentOf(document);
  const date = publishedAt === null ? '' : ` (${plain(publishedAt)})`;
  // A parsed address has neither spaces nor angle brackets.
  return `${plain(name)}${date}${link === null ? '' : `, <${link}>`}: “${plain(quote.text)}”`;
}

/** What means something in Markdown or its dialects wherever it stands. */
const SPECIAL = /[\\`*_[\]<>#~|^$&]/g;
/** What ends a line, for anyone; and what begins a list, a rule or a heading at the start of one. */
const BLANK = /[\s\p{Cc}]+/gu;
const OPENER = /^(?:[-+=:]|(\d+)([.)]))/;

/** A text that stays text: in one line, whatever it holds. */
export function plain(text: string): string {
  return text
    .replace(BLANK, ' ')
    .trim()
    .replace(SPECIAL, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/@/g, '\\@')
    .replace(OPENER, (all, digits?: string, end?: string) => (digits === undefined ? `\\${all}` : `${digits}\\${end}`));
}
