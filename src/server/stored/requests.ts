import type { KeptRequest, SourceText } from '../../contract/index.ts';
import type { ExperimentOfRequest, StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin, readDocuments } from '../../store/index.ts';
import { chunks } from '../../text/index.ts';
import { NotFoundError } from '../errors.ts';

const CHUNK = 50;

/** UTF-16 code units by hash, without missing texts. */
async function charactersOf(hashes: readonly string[], database: Database): Promise<Map<string, number>> {
  const characters = new Map<string, number>();
  for (const chunk of chunks([...new Set(hashes)], CHUNK)) {
    for (const [hash, text] of await readDocuments(database, chunk)) characters.set(hash, text.length);
  }
  return characters;
}

/** Omits webhook address and experiment subject. @throws NotFoundError */
export async function readRequest(id: string, database: Database): Promise<KeptRequest> {
  const { request, createdAt } = await readOrigin(id, database);
  const { intent = null, earlier, collection = null, documents, selection = null, experiment } = request;
  const characters = await charactersOf(
    documents.map(({ hash }) => hash),
    database,
  );
  const background = earlier && { digest: earlier.digest };
  return {
    digest: id,
    createdAt: new Date(createdAt).toISOString(),
    intent: typeof intent === 'object' && intent !== null && background ? { ...intent, background } : intent,
    collection,
    documents: documents.map(({ id, title = null, url = null, publishedAt = null, weight = null, hash }) => {
      return { id, title, url, publishedAt, weight, characters: characters.get(hash) ?? null };
    }),
    selection,
    summary: request.summary ?? null,
    engine: request.engine ?? null,
    experiment: experiment === undefined ? null : partOf(experiment),
  };
}

function partOf({ key, version, variant, overridden }: ExperimentOfRequest): KeptRequest['experiment'] {
  return { key, version, variant, overridden };
}

/** @throws NotFoundError */
async function readOrigin(id: string, database: Database): Promise<{ request: StoredRequest; createdAt: number }> {
  const origin = await readDigestOrigin(database, id);
  if (origin == null || origin.request === null) throw new NotFoundError('digest');
  return { createdAt: origin.createdAt, request: JSON.parse(origin.request) as StoredRequest }; // as this service wrote it
}

/**
 * Reads a document in the version of the digest, even if its collection has changed.
 *
 * @throws NotFoundError if the digest, the document or its text is missing
 */
export async function readSourceText(id: string, documentId: string, database: Database): Promise<SourceText> {
  const { documents } = (await readOrigin(id, database)).request;
  const document = documents.find((each) => each.id === documentId);
  if (document === undefined) throw new NotFoundError('digest document');
  const { title = null, url = null, publishedAt = null, hash } = document;
  const text = (await readDocuments(database, [hash])).get(hash);
  if (text === undefined) throw new NotFoundError('document text');
  return { id: documentId, title, url, publishedAt, text };
}
