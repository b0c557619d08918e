import { eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { digestDocuments, digests } from './schema.ts';

export interface StoredDigest {
  readonly id: string;
  readonly status: string;
  /** JSON of the answer. */
  readonly answer: string;
}

export interface DigestSource {
  readonly documentId: string;
  readonly documentHash: string;
}

/** Keeps a finished digest and which texts, stored before, it was made from. */
export async function saveDigest(
  database: Database,
  digest: StoredDigest,
  sources: readonly DigestSource[],
): Promise<void> {
  await database.commit([
    database.query.insert(digests).values({ ...digest, createdAt: database.now() }),
    ...sources.map((source) => database.query.insert(digestDocuments).values({ digestId: digest.id, ...source })),
  ]);
}

/** The digest with this id, or undefined. */
export async function readDigest(database: Database, id: string): Promise<StoredDigest | undefined> {
  const [row] = await database.query.select().from(digests).where(eq(digests.id, id));
  return row;
}
