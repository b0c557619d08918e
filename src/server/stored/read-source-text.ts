import type { SourceText } from '../../contract/index.ts';
import type { StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin, readDocuments } from '../../store/index.ts';
import { DigestDocumentNotFoundError, DigestNotFoundError } from '../errors.ts';
import { documentsOfAnswer } from './requested-documents.ts';

/**
 * Reads a document as a digest reads it, even if it was changed in its collection since.
 *
 * @throws DigestNotFoundError
 * @throws DigestDocumentNotFoundError if the digest has no such document, or its text was removed
 */
export async function readSourceText(id: string, documentId: string, database: Database): Promise<SourceText> {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new DigestNotFoundError();
  // Only `acceptDigest` writes requests.
  const documents =
    origin.request === null
      ? await documentsOfAnswer(id, database)
      : (JSON.parse(origin.request) as StoredRequest).documents;
  const document = documents.find((each) => each.id === documentId);
  if (document === undefined) throw new DigestDocumentNotFoundError('unknown');
  const { title = null, url = null, publishedAt = null, hash } = document;
  const text = hash === undefined ? undefined : (await readDocuments(database, [hash])).get(hash);
  if (text === undefined) throw new DigestDocumentNotFoundError('gone');
  return { id: documentId, title, url, publishedAt, text };
}
