import type { HashedDocument, StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin } from '../../store/index.ts';
import { packed, unpacked } from './packed-text.ts';

/** A request as its digest stores it: the documents of a collection apart, packed. */
export async function keptRequest(request: StoredRequest): Promise<{ request: string; documents: string | null }> {
  if (request.collection === undefined) return { request: JSON.stringify(request), documents: null };
  const { documents, ...rest } = request;
  return { request: JSON.stringify({ ...rest, documents: [] }), documents: await packed(JSON.stringify(documents)) };
}

/** The request of a digest, null for digests older than stored requests; undefined without a digest. */
export async function readStoredRequest(database: Database, id: string) {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) return undefined;
  const { createdAt, request: json, documents } = origin;
  // Only this service writes them.
  const request = json === null ? null : (JSON.parse(json) as StoredRequest);
  if (request === null || documents === undefined) return { createdAt, request };
  const listed = JSON.parse(await unpacked(documents)) as readonly HashedDocument[];
  return { createdAt, request: { ...request, documents: listed } };
}
