import type { SourceText } from '../../contract/index.ts';
import type { StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin, readDocuments } from '../../store/index.ts';
import { DigestNotFoundError } from './digest-not-found-error.ts';
import { NotFoundError } from './not-found-error.ts';
import { documentsOfAnswer } from './requested-documents.ts';

/** A digest was made from no document with this id, or its text is not kept any more. */
class DigestDocumentNotFoundError extends NotFoundError {
  readonly digest: string;
  readonly id: string;

  constructor(digest: string, id: string, why: 'unknown' | 'gone') {
    super(
      why === 'gone'
        ? 'The text of this document is no longer stored.'
        : 'There is no document with this id in the digest.',
    );
    this.digest = digest;
    this.id = id;
  }
}

/**
 * Reads a document as a digest read it, or is to read it, whatever became of it in its collection since.
 *
 * @throws DigestNotFoundError
 * @throws DigestDocumentNotFoundError where the digest has no such document, or its text is not kept
 */
export async function readSourceText(id: string, documentId: string, database: Database): Promise<SourceText> {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new DigestNotFoundError(id);
  // Only `acceptDigest` writes requests.
  const documents =
    origin.request === null
      ? await documentsOfAnswer(id, database)
      : (JSON.parse(origin.request) as StoredRequest).documents;
  const document = documents.find((each) => each.id === documentId);
  if (document === undefined) throw new DigestDocumentNotFoundError(id, documentId, 'unknown');
  const { title = null, url = null, publishedAt = null, hash } = document;
  const text = hash === undefined ? undefined : (await readDocuments(database, [hash])).get(hash);
  if (text === undefined) throw new DigestDocumentNotFoundError(id, documentId, 'gone');
  return { id: documentId, title, url, publishedAt, text };
}
