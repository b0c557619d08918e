import type { Digest } from '../../contract/index.ts';
import { type StoredRequest, UnusableOptionError } from '../../digest/index.ts';
import type { EvaluatedDigest } from '../../evaluation/index.ts';
import { type Database, readDigest, readDigestRequest, readDocuments } from '../../store/index.ts';
import { DigestNotFoundError } from '../errors.ts';

const POINTER = '/digest';

/**
 * Reads a stored digest to be scored.
 *
 * @throws DigestNotFoundError
 * @throws UnusableOptionError if it has no answer, or failed
 */
export async function readEvaluatedDigest(id: string, database: Database): Promise<EvaluatedDigest> {
  const row = await readDigest(database, id);
  if (row === undefined) throw new DigestNotFoundError();
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
