import { contentHash } from '../../text/documents/content-hash.ts';
import type { SourceDocument } from '../../text/documents/document.ts';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';

/** SHA-256 in hex of a document with all its fields. Many cases ask the same documents: each is hashed once. */
const documentHash = oncePer((document: SourceDocument) => contentHash(canonicalJson(document)));

/** SHA-256 in hex of documents in their order. */
export const documentsHash = oncePer((documents: readonly SourceDocument[]) =>
  contentHash(canonicalJson(documents.map(documentHash))),
);

/** SHA-256 in hex of a collection with all its fields. */
export const collectionHash = oncePer(({ documents, ...fields }: Collection) =>
  contentHash(canonicalJson([fields, documentsHash(documents)])),
);
