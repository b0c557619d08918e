import { dayOf, type KnownDocument } from './digest-documents.ts';
import type { StoredDigest } from './stored-digest.ts';

/**
 * A summary as plain text: the question, the answer with the numbers of its sources, and the sources.
 *
 * @param heading what was asked
 */
export function toText(
  heading: string,
  { summary, sources }: Pick<StoredDigest['digest'], 'summary' | 'sources'>,
  documentOf: (id: string) => KnownDocument,
): string {
  const listed = sources.map(({ number, document }) => {
    const { name, publishedAt, link } = documentOf(document);
    return `[${number}] ${[inLine(name), dayOf(publishedAt), link].filter((part) => part !== null).join(', ')}`;
  });
  const parts = [inLine(heading), summary.text, listed.length === 0 ? null : `Sources\n${listed.join('\n')}`];
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
}

function inLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
