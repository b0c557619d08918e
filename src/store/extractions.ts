import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { ExtractionKey, StoredExtraction } from '../models/index.ts';
import { chunks, groupBy } from '../text/index.ts';
import type { Database } from './database.ts';
import { cutText, inList, insertRows } from './rows.ts';
import { extractions } from './schema.ts';
import { insertDocumentChunks, readDocumentChunks } from './text-parts.ts';

/** Rows read per query: D1 answers from memory. */
const CHUNK = 100;

/** Saves extractions; existing ones stay. */
export async function saveExtractions(database: Database, given: readonly StoredExtraction[]): Promise<void> {
  const { tenant, now } = database;
  const kept = given.map((row) => ({ ...row, ...rowOf(row) }));
  const rows = kept.map((row) => ({ ...row, parts: row.parts.length }));
  const inserts = insertRows(database, extractions, { tenant, createdAt: now() }, rows);
  const parts = [...groupBy(kept, extractorOf)].flatMap(([extractor, own]) => {
    const isChunked = sql`exists (select 1 from ${extractions} as e where e.tenant = ${tenant}
      and e.document_hash = owned.hash and e.extractor = ${extractor} and e.parts = owned.parts)`;
    return insertDocumentChunks(database, kindOf(extractor), own, isChunked);
  });
  await database.commit([...inserts.map((insert) => insert.onConflictDoNothing()), ...parts]);
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

const { tenant: _, createdAt: __, ...COLUMNS } = getTableColumns(extractions);

/** The wanted extractions that are stored, in no order. */
export async function readExtractions(database: Database, keys: readonly ExtractionKey[]): Promise<StoredExtraction[]> {
  const found: StoredExtraction[] = [];
  for (const chunk of chunks(keys, CHUNK)) {
    const wanted = new Set(chunk.map(nameOf));
    const rows = await database.query
      .select(COLUMNS)
      .from(extractions)
      .where(
        and(
          eq(extractions.tenant, database.tenant),
          inList(extractions.documentHash, [...new Set(chunk.map(({ documentHash }) => documentHash))]),
          inList(extractions.extractor, [...new Set(chunk.map(extractorOf))]),
        ),
      );
    // One text may be stored under other keys too.
    const own = rows.filter((row) => wanted.has(nameOf(row)));
    for (const { parts, ...row } of own) if (parts === 0) found.push(row);
    const long = own.filter(({ parts }) => parts > 0);
    for (const [extractor, rows] of groupBy(long, extractorOf)) {
      const counts = new Map(rows.map(({ documentHash, parts }) => [documentHash, parts]));
      const texts = await readDocumentChunks(database, kindOf(extractor), counts);
      for (const { parts: _, ...row } of rows) {
        const text = texts.get(row.documentHash);
        if (text === undefined) continue;
        const [keyPoints, unverified]: string[] = JSON.parse(text);
        found.push({ ...row, keyPoints, unverified });
      }
    }
  }
  return found;
}

function extractorOf({ extractor }: ExtractionKey): string {
  return extractor;
}

function nameOf({ documentHash, extractor }: ExtractionKey): string {
  return `${documentHash} ${extractor}`;
}
