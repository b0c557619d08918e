import type { DigestInput, SourceDocument } from '../../client/index.ts';
import { kindOf } from './document-facts.ts';

/** Documents of digests that the service has taken. One that is edited is another. */
const made = new WeakSet<object>();

/** The page sends documents with their ids, never texts alone. */
const objectsOf = (documents: DigestInput['documents']) => (documents ?? []).filter((each) => typeof each === 'object');

/** Notes that the service has taken a digest of documents. */
export function markMade(documents: DigestInput['documents']): void {
  for (const document of objectsOf(documents)) made.add(document);
}

/** Whether there are documents that would be lost with the page. */
export function hasUnmade(documents: readonly SourceDocument[]): boolean {
  return documents.some((document) => !made.has(document) && kindOf(document) !== 'Example');
}
