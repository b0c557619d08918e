import { and, eq, lt } from 'drizzle-orm';
import type { StoredJudgement } from '../models/index.ts';
import { chunks, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { fitsCell, inList, insertRows } from './rows.ts';
import { judgements } from './schema.ts';

/** Rows per statement: verdicts are short, results of evaluations are not. */
const CHUNK = 200;

/** Saves verdicts; existing ones stay, and one too long for a row is not saved. */
export async function saveJudgements(database: Database, rows: readonly StoredJudgement[]): Promise<void> {
  const { tenant, now, commit } = database;
  const common = { tenant, createdAt: now(), usedOn: dayOf(now()) };
  const kept = rows.flatMap(({ key, kind, verdict }) => (fitsCell(verdict) ? [{ key, kind, verdict }] : []));
  for (const insert of insertRows(database, judgements, common, kept)) {
    await commit([insert.onConflictDoNothing()]);
    await nextTurn();
  }
}

/** Verdicts by key; missing ones are absent. Marks them as used, once a day, so that retention spares them. */
export async function readJudgements(database: Database, keys: readonly string[]): Promise<Map<string, string>> {
  const { query, commit, now } = database;
  const found = new Map<string, string>();
  for (const chunk of chunks(keys, CHUNK)) {
    const rows = await query
      .select({ key: judgements.key, verdict: judgements.verdict, usedOn: judgements.usedOn })
      .from(judgements)
      .where(among(database, chunk));
    for (const { key, verdict } of rows) found.set(key, verdict);
    const today = dayOf(now());
    if (rows.some(({ usedOn }) => usedOn < today)) {
      const isOlder = and(among(database, chunk), lt(judgements.usedOn, today));
      await commit([query.update(judgements).set({ usedOn: today }).where(isOlder)]);
    }
    await nextTurn();
  }
  return found;
}

export async function deleteJudgements(
  database: Database,
  { kind, keys }: { readonly kind: string; readonly keys: readonly string[] },
): Promise<void> {
  for (const chunk of chunks(keys, CHUNK)) {
    const isMeant = and(among(database, chunk), eq(judgements.kind, kind));
    await database.commit([database.query.delete(judgements).where(isMeant)]);
    await nextTurn();
  }
}

function among({ tenant }: Database, keys: readonly string[]) {
  return and(eq(judgements.tenant, tenant), inList(judgements.key, keys));
}
