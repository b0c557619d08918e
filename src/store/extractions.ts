import { and, eq, sql } from 'drizzle-orm';
import type { ExtractionKey, StoredExtraction } from '../models/index.ts';
import { chunks } from '../text/index.ts';
import type { Database } from './database.ts';
import { cell, cutText, inList, jsonRows } from './rows.ts';
import { extractions } from './schema.ts';
import { insertDocumentChunks, readDocumentChunks } from './text-parts.ts';

/** Rows read per query: D1 answers from memory. */
const CHUNK = 100;

/** Saves extractions; existing ones stay. */
export async function saveExtractions(database: Database, rows: readonly StoredExtraction[]): Promise<void> {
  const { query, tenant } = database;
  const createdAt = database.now();
  const kept = rows.map((row) => ({ ...row, ...rowOf(row) }));
  const cells = kept.map(({ documentHash, extractor, language, words, keyPoints, unverified, parts }) => [
    documentHash,
    extractor,
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
        sql`select ${tenant}, ${cell(0)}, ${cell(1)}, ${cell(2)}, ${cell(3)}, ${cell(4)}, ${cell(5)}, ${createdAt}, ${cell(6)}
          from json_each(${json}) where true`,
      )
      .onConflictDoNothing(),
  );
  const parts = [...byExtractor(kept)].flatMap(([extractor, own]) => {
    const isChunked = sql`exists (select 1 from ${extractions} as e where e.tenant = ${tenant}
      and e.document_hash = owned.hash and e.extractor = ${extractor} and e.parts = owned.parts)`;
    return insertDocumentChunks(database, kindOf(extractor), own, isChunked);
  });
  await database.commit([...statements, ...parts]);
}

/** The two arrays of an extraction as stored: together in parts if they are too long for a row. */
function rowOf({ keyPoints, unverified }: StoredExtraction) {
  const { parts } = cutText(keyPoints + unverified);
  if (parts.length === 0) return { keyPoints, unverified, parts };
  return { keyPoints: '', unverified: '', parts: cutText(JSON.stringify([keyPoints, unverified])).parts };
}

function kindOf(extractor: string): string {
  return `extraction:${extractor}`;
}

/** The wanted extractions that are stored, in no order. */
export async function readExtractions(database: Database, keys: readonly ExtractionKey[]): Promise<StoredExtraction[]> {
  const found: StoredExtraction[] = [];
  for (const chunk of chunks(keys, CHUNK)) {
    const hashesOf = new Map(
      [...byExtractor(chunk)].map(([extractor, keys]) => [extractor, new Set(keys.map(hashOf))]),
    );
    const rows = await database.query
      .select({
        documentHash: extractions.documentHash,
        extractor: extractions.extractor,
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
          inList(extractions.documentHash, [...new Set(chunk.map(hashOf))]),
          inList(extractions.extractor, [...hashesOf.keys()]),
        ),
      );
    // One text may be stored under other keys too.
    const own = rows.filter(({ documentHash, extractor }) => hashesOf.get(extractor)?.has(documentHash));
    for (const { parts, ...row } of own) if (parts === 0) found.push(row);
    for (const [extractor, long] of byExtractor(own.filter(({ parts }) => parts > 0))) {
      const counts = new Map(long.map(({ documentHash, parts }) => [documentHash, parts]));
      const texts = await readDocumentChunks(database, kindOf(extractor), counts);
      for (const { parts: _, ...row } of long) {
        const text = texts.get(row.documentHash);
        if (text === undefined) continue;
        const [keyPoints, unverified]: string[] = JSON.parse(text);
        found.push({ ...row, keyPoints, unverified });
      }
    }
  }
  return found;
}

function hashOf({ documentHash }: ExtractionKey): string {
  return documentHash;
}

function byExtractor<Row extends ExtractionKey>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.extractor) ?? [];
    group.push(row);
    groups.set(row.extractor, group);
  }
  return groups;
}
