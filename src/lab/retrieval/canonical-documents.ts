import { contentHash } from '../../text/documents/content-hash.ts';
import type { SourceDocument } from '../../text/documents/document.ts';
import { oncePer } from '../once-per.ts';

/**
 * Documents in an order that does not depend on the one in which they are given: by the hash of their content, then by id.
 * Cases that ask the same documents are given the same list.
 */
export const canonicalDocuments = oncePer((documents: readonly SourceDocument[]): readonly SourceDocument[] =>
  documents
    .map((document) => ({ document, hash: contentHash(document.text) }))
    .sort((a, b) => compare(a.hash, b.hash) || compare(a.document.id, b.document.id))
    .map(({ document }) => document),
);

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
