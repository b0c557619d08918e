import { and, asc, eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import type { DigestSource } from './digests.ts';
import { digestDocuments, digests } from './schema.ts';

/** What a digest was asked for. */
interface DigestOrigin {
  readonly createdAt: number;
  /** JSON of the request, with hashes in the place of texts; null for digests from before requests were kept. */
  readonly request: string | null;
}

/** When a digest was asked for and by which request, whatever came of it; undefined where there is none with this id. */
export async function readDigestOrigin({ query, tenant }: Database, id: string): Promise<DigestOrigin | undefined> {
  const [row] = await query
    .select({ createdAt: digests.createdAt, request: digests.request })
    .from(digests)
    .where(and(eq(digests.tenant, tenant), eq(digests.id, id)));
  return row;
}

/** Which texts a digest was made from, by the ids of the documents. */
export async function readDigestSources({ query, tenant }: Database, id: string): Promise<DigestSource[]> {
  return query
    .select({ documentId: digestDocuments.documentId, documentHash: digestDocuments.documentHash })
    .from(digestDocuments)
    .where(and(eq(digestDocuments.tenant, tenant), eq(digestDocuments.digestId, id)))
    .orderBy(asc(digestDocuments.documentId));
}
