import { and, asc, eq, like, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection } from './database.ts';
import { cell, jsonRows } from './json-rows.ts';
import { digestChunks } from './schema.ts';

/**
 * Statements that keep the parts of something of a digest, for the commit that keeps what they are parts of.
 *
 * @param guard what must hold for them to be written
 */
export function insertDigestChunks(
  { query }: Connection,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  kind: string,
  parts: readonly string[],
  guard: SQL = sql`true`,
): BatchItem<'sqlite'>[] {
  return [...jsonRows(parts.map((text, part) => [part, text]))].map((json) =>
    query
      .insert(digestChunks)
      .select(sql`select ${tenant}, ${id}, ${kind}, ${cell(0)}, ${cell(1)} from json_each(${json}) where ${guard}`)
      .onConflictDoNothing(),
  );
}

/** A text of a digest that is in so many parts; undefined where it is gone meanwhile. */
export async function readDigestChunks(
  { query }: Connection,
  id: string,
  kind: string,
  count: number,
): Promise<string | undefined> {
  const rows = await query
    .select({ text: digestChunks.text })
    .from(digestChunks)
    .where(and(eq(digestChunks.digestId, id), eq(digestChunks.kind, kind)))
    .orderBy(asc(digestChunks.part));
  return rows.length === count ? rows.map(({ text }) => text).join('') : undefined;
}

/** How the parts of what a stage of a job left are called. */
export function checkpointKind(stage: string): string {
  return `checkpoint:${stage}`;
}

/** A statement that removes the parts of what stages of a job left: of one, or of all. */
export function deleteCheckpointChunks(
  { query }: Connection,
  id: string,
  guard: SQL,
  stage?: string,
): BatchItem<'sqlite'> {
  const isMeant =
    stage === undefined ? like(digestChunks.kind, 'checkpoint:%') : eq(digestChunks.kind, checkpointKind(stage));
  return query.delete(digestChunks).where(and(eq(digestChunks.digestId, id), isMeant, guard));
}
