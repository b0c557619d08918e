import type { Digest } from '../contract/digest.ts';
import { DigestNotFoundError } from '../digest/stored/digest-not-found-error.ts';
import type { StoredRequest } from '../contract/digest-order.ts';
import { UnusableOptionError } from '../digest/unusable-option-error.ts';
import type { SourceDocument } from '../text/documents/document.ts';
import type { Database } from '../store/database.ts';
import { readDigestRequest, readDigest as readStored } from '../store/digests.ts';
import { readDocuments } from '../store/documents.ts';
import type { CitedBullet } from '../contract/evaluation-request.ts';

/** A stored digest, as far as it can be scored. */
export interface EvaluatedDigest {
  /** Its sentences without the framing, with the ids of the documents that each cites. */
  readonly sentences: readonly CitedBullet[];
  /** Ids of its documents, in the order in which they were sent. */
  readonly documents: readonly string[];
  /**
   * The documents with their texts.
   *
   * @throws UnusableOptionError where some of them are not stored any more
   */
  texts(): Promise<Pick<SourceDocument, 'id' | 'text'>[]>;
}

const POINTER = '/digest';

/**
 * Reads a stored digest that is to be scored.
 *
 * @throws DigestNotFoundError
 * @throws UnusableOptionError where it has no answer, or failed
 */
export async function readDigest(id: string, database: Database): Promise<EvaluatedDigest> {
  const row = await readStored(database, id);
  if (row === undefined) throw new DigestNotFoundError(id);
  if (row.answer === null) throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  // Only this service writes answers and requests.
  const { status, summary, documents } = JSON.parse(row.answer) as Digest;
  if (status === 'failed')
    throw new UnusableOptionError(POINTER, 'This digest failed: none of its documents was read.');
  const request = await readDigestRequest(database, id);
  const sent = request == null ? null : (JSON.parse(request) as StoredRequest).documents;
  return {
    sentences: summary.sentences
      .filter(({ framing }) => !framing)
      .map(({ text, citations }) => ({ text, documents: [...new Set(citations.map(({ document }) => document))] })),
    documents: (sent ?? documents).map((document) => document.id),
    async texts() {
      const stored = await readDocuments(database, [...new Set(sent?.map(({ hash }) => hash))]);
      return (sent ?? documents).map((document) => {
        const text = 'hash' in document ? stored.get(document.hash) : undefined;
        if (text !== undefined) return { id: document.id, text };
        const problem = 'The texts that this digest was made from are not all stored any more: send "documents".';
        throw new UnusableOptionError(POINTER, problem);
      });
    },
  };
}
