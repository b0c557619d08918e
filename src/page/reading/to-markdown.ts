import { type Citation, keyOfCitation, layoutOf, markersOf, plain, type Sentence } from '../../client/index.ts';
import type { KnownDocument } from './digest-documents.ts';
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
  const parts = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return part.sentences.map(line).join(' ');
    const items = part.items.map((sentences) => `- ${sentences.map(line).join(' ')}`).join('\n');
    return part.label === null ? items : `${plain(part.label)}:\n\n${items}`;
  });
  const footnotes = [...notes.values()].map((citation, index) => `[^${index + 1}]: ${note(citation, documentOf)}`);
  return `${[`# ${plain(heading)}`, ...parts, ...footnotes].join('\n\n')}\n`;
}

function note({ document, quote }: Citation, documentOf: (id: string) => KnownDocument): string {
  const { name, publishedAt, link } = documentOf(document);
  const date = publishedAt === null ? '' : ` (${plain(publishedAt)})`;
  // A parsed address has neither spaces nor angle brackets.
  return `${plain(name)}${date}${link === null ? '' : `, <${link}>`}: “${plain(quote.text)}”`;
}
