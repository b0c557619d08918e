import type { Digest } from '../contract/index.ts';
import { DigestNotFoundError, type StoredRequest, UnusableOptionError } from '../digest/index.ts';
import { type Database, readDigestRequest, readDocuments, readDigest as readStored } from '../store/index.ts';
import type { SourceDocument } from '../text/index.ts';
import type { CitedBullet } from './shapes.ts';

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

/** @throws UnusableOptionError for what neither the order nor a digest gives */
export function needed<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

/**
 * Refuses sources that number no text, or that are none of the documents.
 *
 * @param field that would hold the text
 * @throws UnusableOptionError
 */
export function checkSources(
  sources: readonly string[] | undefined,
  text: unknown,
  field: string,
  documents: readonly string[] | undefined,
): void {
  if (sources === undefined) return;
  if (typeof text !== 'string') {
    throw new UnusableOptionError('/sources', `number the markers of a text: send "${field}" as one`);
  }
  const i = documents === undefined ? -1 : sources.findIndex((source) => !documents.includes(source));
  if (i >= 0) throw new UnusableOptionError(`/sources/${i}`, 'is not the id of one of the documents');
}
