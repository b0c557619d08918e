import { and, eq, lt, sql } from 'drizzle-orm';
import type { StoredJudgement } from '../models/index.ts';
import { chunks, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { cell, fitsCell, inList, jsonRows } from './rows.ts';
import { judgements } from './schema.ts';

/** Rows per statement: verdicts are short, results of evaluations are not. */
const CHUNK = 200;

/** Saves verdicts; existing ones stay, and one too long for a row is not saved. */
export async function saveJudgements(database: Database, rows: readonly StoredJudgement[]): Promise<void> {
  const { query, tenant } = database;
  const createdAt = database.now();
  const cells = rows.flatMap(({ key, kind, verdict }) => (fitsCell(verdict) ? [[key, kind, verdict]] : []));
  for (const json of jsonRows(cells)) {
    await database.commit([
      query
        .insert(judgements)
        .select(
          sql`select ${tenant}, ${cell(0)}, ${cell(1)}, ${cell(2)}, ${createdAt}, ${dayOf(database.now())} from json_each(${json}) where true`,
        )
        .onConflictDoNothing(),
    ]);
    await nextTurn();
  }
}

/** Verdicts by key; missing ones are absent. */
export async function readJudgements(database: Database, keys: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const chunk of chunks(keys, CHUNK)) {
    const rows = await database.query
      .select({ key: judgements.key, verdict: judgements.verdict, usedOn: judgements.usedOn })
      .from(judgements)
      .where(among(database, chunk));
    for (const { key, verdict } of rows) found.set(key, verdict);
    if (rows.some(({ usedOn }) => usedOn < dayOf(database.now()))) await noteUse(database, chunk);
    await nextTurn();
  }
  return found;
}

export async function deleteJudgements(
  database: Database,
  { kind, keys }: { readonly kind: string; readonly keys: readonly string[] },
): Promise<void> {
  for (const chunk of chunks(keys, CHUNK)) {
    await database.commit([
      database.query.delete(judgements).where(and(among(database, chunk), eq(judgements.kind, kind))),
    ]);
    await nextTurn();
  }
}

/** Marks verdicts as used, once a day, so that retention spares them. */
async function noteUse(database: Database, keys: readonly string[]): Promise<void> {
  const usedOn = dayOf(database.now());
  await database.commit([
    database.query
      .update(judgements)
      .set({ usedOn })
      .where(and(among(database, keys), lt(judgements.usedOn, usedOn))),
  ]);
}

function among({ tenant }: Database, keys: readonly string[]) {
  return and(eq(judgements.tenant, tenant), inList(judgements.key, keys));
}
