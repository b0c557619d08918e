import { and, eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { extractions } from './schema.ts';

/** What was extracted from one text. */
export interface StoredExtraction {
  readonly documentHash: string;
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly words: number;
  /** JSON array of key points. */
  readonly keyPoints: string;
  /** JSON array of key points whose quotes the text does not hold. */
  readonly unverified: string;
}

/** Keeps extractions; those that are there already stay as they are. */
export async function saveExtractions(
  database: Database,
  extractor: string,
  rows: readonly StoredExtraction[],
): Promise<void> {
  const createdAt = database.now();
  await database.commit(
    rows.map((row) =>
      database.query
        .insert(extractions)
        .values({ ...row, tenant: database.tenant, extractor, createdAt })
        .onConflictDoNothing(),
    ),
  );
}

/** The extractions of these texts by this extractor, by hash; missing ones are absent. */
export async function readExtractions(
  database: Database,
  extractor: string,
  hashes: readonly string[],
): Promise<Map<string, StoredExtraction>> {
  const rows = await database.query
    .select()
    .from(extractions)
    .where(
      and(
        eq(extractions.tenant, database.tenant),
        eq(extractions.extractor, extractor),
        inList(extractions.documentHash, hashes),
      ),
    );
  return new Map(rows.map((row) => [row.documentHash, row]));
}
