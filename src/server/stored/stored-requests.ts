import { LISTED_TITLES } from '../../contract/index.ts';
import type { HashedDocument, StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin } from '../../store/index.ts';
import { packed, unpacked } from './packed-text.ts';

/** Documents of a collection that a digest keeps in its request, and keeps the texts of. */
const FEW = 1000;

/** Whether a digest keeps the documents of its request apart, and only the texts that it tells of: the collection keeps the others. */
export function hasManyDocuments({ collection, subscription, documents }: StoredRequest): boolean {
  return collection !== undefined && subscription === undefined && documents.length > FEW;
}

/** A request as its digest stores it: many documents of a collection apart, packed. */
export async function keptRequest(request: StoredRequest): Promise<{ request: string; documents: string | null }> {
  if (!hasManyDocuments(request)) return { request: JSON.stringify(request), documents: null };
  const { documents } = request;
  const listed = { documents: documents.slice(0, LISTED_TITLES), documentCount: documents.length };
  return { request: JSON.stringify({ ...request, ...listed }), documents: await packed(JSON.stringify(documents)) };
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
