import type { Digest, KeptRequest, SourceText } from '../../contract/index.ts';
import type { HashedDocument, StoredRequest } from '../../digest/index.ts';
import { type Database, readDigest, readDigestOrigin, readDigestSources, readDocuments } from '../../store/index.ts';
import { chunks } from '../../text/index.ts';
import { NotFoundError } from '../errors.ts';

type KnownDocument = Omit<HashedDocument, 'hash'> & { readonly hash: string | undefined };

/** Documents of a digest that predates stored requests: from its answer, with the stored texts. */
async function documentsOfAnswer(id: string, database: Database): Promise<KnownDocument[]> {
  const stored = await readDigest(database, id);
  const sources = await readDigestSources(database, id);
  const hashes = new Map(sources.map(({ documentId, documentHash }) => [documentId, documentHash]));
  // Only this service writes answers.
  const answer = stored?.answer == null ? null : (JSON.parse(stored.answer) as Digest);
  const ids = answer?.documents.map((document) => document.id) ?? [...hashes.keys()];
  const cited = new Map(answer?.sources.map((source) => [source.document, source]));
  return ids.map((document) => ({ id: document, title: cited.get(document)?.title, hash: hashes.get(document) }));
}

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
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new NotFoundError('digest');
  // Only `acceptDigest` writes requests.
  const request = origin.request === null ? null : (JSON.parse(origin.request) as StoredRequest);
  const documents = request?.documents ?? (await documentsOfAnswer(id, database));
  const characters = await charactersOf(
    documents.flatMap(({ hash }) => hash ?? []),
    database,
  );
  return {
    digest: id,
    createdAt: new Date(origin.createdAt).toISOString(),
    intent: intentOf(request),
    collection: request?.collection ?? null,
    documents: documents.map(({ id, title, url, publishedAt, weight, hash }) => ({
      id,
      title: title ?? null,
      url: url ?? null,
      publishedAt: publishedAt ?? null,
      weight: weight ?? null,
      characters: characters.get(hash ?? '') ?? null,
    })),
    selection: request?.selection ?? null,
    summary: request?.summary ?? null,
    engine: request?.engine ?? null,
    experiment: experimentOf(request),
  };
}

function intentOf(request: StoredRequest | null): KeptRequest['intent'] {
  const { intent = null, earlier } = request ?? {};
  if (intent === null || typeof intent === 'string' || earlier === undefined) return intent;
  return { ...intent, background: { digest: earlier.digest } };
}

function experimentOf(request: StoredRequest | null): KeptRequest['experiment'] {
  if (request?.experiment === undefined) return null;
  const { key, version, variant, overridden } = request.experiment;
  return { key, version, variant, overridden };
}

/**
 * Reads a document in the version of the digest, even if its collection has changed.
 *
 * @throws NotFoundError if the digest, the document or its text is missing
 */
export async function readSourceText(id: string, documentId: string, database: Database): Promise<SourceText> {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new NotFoundError('digest');
  // Only `acceptDigest` writes requests.
  const documents =
    origin.request === null
      ? await documentsOfAnswer(id, database)
      : (JSON.parse(origin.request) as StoredRequest).documents;
  const document = documents.find((each) => each.id === documentId);
  if (document === undefined) throw new NotFoundError('digest document');
  const { title = null, url = null, publishedAt = null, hash } = document;
  const text = hash === undefined ? undefined : (await readDocuments(database, [hash])).get(hash);
  if (text === undefined) throw new NotFoundError('document text');
  return { id: documentId, title, url, publishedAt, text };
}
