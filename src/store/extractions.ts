import { and, eq, sql } from 'drizzle-orm';
import { chunks } from './chunks.ts';
import type { Database } from './database.ts';
import { insertDocumentParts, readDocumentParts } from './document-parts.ts';
import { inList } from './in-list.ts';
import { cell, jsonRows } from './json-rows.ts';
import { cutText } from './long-text.ts';
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

/** Rows read at a time: D1 answers from memory. */
const CHUNK = 100;

/** Keeps extractions; those that are there already stay as they are. */
export async function saveExtractions(
  database: Database,
  extractor: string,
  rows: readonly StoredExtraction[],
): Promise<void> {
  const { query, tenant } = database;
  const createdAt = database.now();
  const kept = rows.map((row) => ({ ...row, ...inParts(row) }));
  const cells = kept.map(({ documentHash, language, words, keyPoints, unverified, parts }) => [
    documentHash,
    language,
    words,
    keyPoints,
    unverified,
    parts.length,
  ]);
  const statements = [...jsonRows(cells)].map((json) =>
    query
      .insert(extractions)
      .select(
        sql`select ${tenant}, ${cell(0)}, ${extractor}, ${cell(1)}, ${cell(2)}, ${cell(3)}, ${cell(4)}, ${createdAt}, ${cell(5)}
          from json_each(${json}) where true`,
      )
      .onConflictDoNothing(),
  );
  const isInParts = sql`exists (select 1 from ${extractions} as e where e.tenant = ${tenant}
    and e.document_hash = owned.hash and e.extractor = ${extractor} and e.parts = owned.parts)`;
  await database.commit([...statements, ...insertDocumentParts(database, kindOf(extractor), kept, isInParts)]);
}

/** The two arrays of an extraction as they are kept: together in parts, where they are too long for a row. */
function inParts({ keyPoints, unverified }: StoredExtraction) {
  const { parts } = cutText(keyPoints + unverified);
  if (parts.length === 0) return { keyPoints, unverified, parts };
  return { keyPoints: '', unverified: '', parts: cutText(JSON.stringify([keyPoints, unverified])).parts };
}

function kindOf(extractor: string): string {
  return `extraction:${extractor}`;
}

/** The extractions of these texts by this extractor, by hash; missing ones are absent. */
export async function readExtractions(
  database: Database,
  extractor: string,
  hashes: readonly string[],
): Promise<Map<string, StoredExtraction>> {
  const found = new Map<string, StoredExtraction>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({
        documentHash: extractions.documentHash,
        language: extractions.language,
        words: extractions.words,
        keyPoints: extractions.keyPoints,
        unverified: extractions.unverified,
        parts: extractions.parts,
      })
      .from(extractions)
      .where(
        and(
          eq(extractions.tenant, database.tenant),
          eq(extractions.extractor, extractor),
          inList(extractions.documentHash, chunk),
        ),
      );
    const long = new Map(rows.flatMap(({ documentHash, parts }) => (parts > 0 ? [[documentHash, parts]] : [])));
    const texts = await readDocumentParts(database, kindOf(extractor), long);
    for (const { parts, ...row } of rows) {
      if (parts === 0) found.set(row.documentHash, row);
      const text = texts.get(row.documentHash);
      if (text === undefined) continue;
      const [keyPoints, unverified]: string[] = JSON.parse(text);
      found.set(row.documentHash, { ...row, keyPoints, unverified });
    }
  }
  return found;
}
