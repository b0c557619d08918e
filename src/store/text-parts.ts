import { and, asc, eq, like, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { groups } from '../text/index.ts';
import type { Connection, Database } from './database.ts';
import { cell, cutText, inList, insertRows, jsonRows, valuesOf } from './rows.ts';
import { digestChunks, documentChunks, jobCheckpoints } from './schema.ts';

/** Statements that insert the parts of a digest's answer, receipts or checkpoint, for the commit of their owner. */
export function insertDigestChunks(
  connection: Connection,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  kind: string,
  parts: readonly string[],
  guard?: SQL,
): BatchItem<'sqlite'>[] {
  const rows = parts.map((text, part) => ({ part, text }));
  const inserts = insertRows(connection, digestChunks, { tenant, digestId: id, kind }, rows, guard);
  return inserts.map((insert) => insert.onConflictDoNothing());
}

export interface MadeAnswer {
  /** JSON; null if there is none. */
  readonly answer: string | null;
  /** What the answer leaves out, if anything. */
  readonly receipts?: string | null | undefined;
}

/** Columns of a made digest, and statements that insert what does not fit into them. */
export function answerRows(
  connection: Connection,
  owner: { readonly id: string; readonly tenant: string },
  made: MadeAnswer,
  guard?: SQL,
) {
  const { text: answer, parts } = made.answer === null ? { text: null, parts: [] } : cutText(made.answer);
  const receipts = made.receipts == null ? [] : wholeParts(made.receipts);
  return {
    columns: { answer, answerChunks: parts.length, receiptChunks: receipts.length },
    statements: [
      ...insertDigestChunks(connection, owner, 'answer', parts, guard),
      ...insertDigestChunks(connection, owner, 'receipts', receipts, guard),
    ],
  };
}

/** A text in parts, however short it is. */
export function wholeParts(text: string): readonly string[] {
  const { text: short, parts } = cutText(text);
  return parts.length === 0 ? [short] : parts;
}

/** A text in so many parts, any number by default; undefined if it was deleted meanwhile. */
export async function readDigestChunks(
  { query }: Connection,
  id: string,
  kind: string,
  count?: number,
): Promise<string | undefined> {
  const rows = await query
    .select({ text: digestChunks.text })
    .from(digestChunks)
    .where(and(eq(digestChunks.digestId, id), eq(digestChunks.kind, kind)))
    .orderBy(asc(digestChunks.part));
  return rows.length > 0 && rows.length === (count ?? rows.length) ? rows.map(({ text }) => text).join('') : undefined;
}

export function checkpointKind(stage: string): string {
  return `checkpoint:${stage}`;
}

/** Statements that delete one checkpoint of a job, or all. */
export function deleteCheckpoints(
  { query }: Connection,
  id: string,
  guard: SQL,
  stage?: string,
): BatchItem<'sqlite'>[] {
  const parts =
    stage === undefined ? like(digestChunks.kind, 'checkpoint:%') : eq(digestChunks.kind, checkpointKind(stage));
  const whole = stage === undefined ? undefined : eq(jobCheckpoints.stage, stage);
  return [
    query.delete(jobCheckpoints).where(and(eq(jobCheckpoints.jobId, id), whole, guard)),
    query.delete(digestChunks).where(and(eq(digestChunks.digestId, id), parts, guard)),
  ];
}

/** About 5 MB. */
const PARTS_AT_ONCE = 16;

/**
 * Statements that insert parts, for the commit of their owner.
 *
 * @param isOwned condition: the row of `owned.hash` has `owned.parts` parts. False if the row existed before, whole or as another
 *   text: parts beside it would be orphans
 */
export function insertDocumentChunks(
  { query, tenant }: Database,
  kind: string,
  rows: readonly { readonly documentHash: string; readonly parts: readonly string[] }[],
  isOwned: SQL,
): BatchItem<'sqlite'>[] {
  const cells = rows.flatMap(({ documentHash, parts }) =>
    parts.map((text, part) => [documentHash, part, text, parts.length]),
  );
  const own = { documentHash: sql`owned.hash`, part: sql`owned.part`, text: sql`owned.text` };
  const values = valuesOf(documentChunks, { tenant, kind, ...own });
  return [...jsonRows(cells)].map((json) =>
    query
      .insert(documentChunks)
      .select(
        sql`select ${values} from (select ${cell(0)} as hash, ${cell(1)} as part, ${cell(2)} as text, ${cell(3)} as parts from json_each(${json})) as owned
          where ${isOwned}`,
      )
      .onConflictDoNothing(),
  );
}

/**
 * Texts of a kind in parts, by document hash; those deleted meanwhile are absent.
 *
 * @param partsOf number of parts of each
 */
export async function readDocumentChunks(
  { query, tenant }: Database,
  kind: string,
  partsOf: ReadonlyMap<string, number>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const group of groups(partsOf, PARTS_AT_ONCE, ([, parts]) => parts)) {
    const hashes = group.map(([hash]) => hash);
    const rows = await query
      .select({ hash: documentChunks.documentHash, text: documentChunks.text })
      .from(documentChunks)
      .where(
        and(
          eq(documentChunks.tenant, tenant),
          inList(documentChunks.documentHash, hashes),
          eq(documentChunks.kind, kind),
        ),
      )
      .orderBy(asc(documentChunks.documentHash), asc(documentChunks.part));
    const texts = new Map<string, string[]>(hashes.map((hash) => [hash, []]));
    for (const { hash, text } of rows) texts.get(hash)?.push(text);
    for (const [hash, parts] of texts) if (parts.length === partsOf.get(hash)) found.set(hash, parts.join(''));
  }
  return found;
}
