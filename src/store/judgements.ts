import { and, eq, lt } from 'drizzle-orm';
import { chunks, nextTurn } from './chunks.ts';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { judgements } from './schema.ts';

/** Rows read or written at a time: verdicts are short, the results of whole evaluations are not. */
const CHUNK = 200;

export interface StoredJudgement {
  /** Names everything that the verdict depends on. */
  readonly key: string;
  /** What was judged. */
  readonly kind: string;
  /** JSON. */
  readonly verdict: string;
}

/** Keeps verdicts; those that are there already stay as they are. */
export async function saveJudgements(database: Database, rows: readonly StoredJudgement[]): Promise<void> {
  const createdAt = database.now();
  for (const chunk of chunks(rows, CHUNK)) {
    await database.commit(
      chunk.map(({ key, kind, verdict }) =>
        database.query
          .insert(judgements)
          .values({ tenant: database.tenant, key, kind, verdict, createdAt, usedOn: today(database) })
          .onConflictDoNothing(),
      ),
    );
    await nextTurn();
  }
}

/** The verdicts with these keys; missing ones are absent. */
export async function readJudgements(database: Database, keys: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const chunk of chunks(keys, CHUNK)) {
    const rows = await database.query
      .select({ key: judgements.key, verdict: judgements.verdict, usedOn: judgements.usedOn })
      .from(judgements)
      .where(among(database, chunk));
    for (const { key, verdict } of rows) found.set(key, verdict);
    if (rows.some(({ usedOn }) => usedOn < today(database))) await noteUse(database, chunk);
    await nextTurn();
  }
  return found;
}

/** Removes verdicts of a kind with these keys. */
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

/** Notes once a day that verdicts are in use, so that retention spares them. */
async function noteUse(database: Database, keys: readonly string[]): Promise<void> {
  const usedOn = today(database);
  await database.commit([
    database.query
      .update(judgements)
      .set({ usedOn })
      .where(and(among(database, keys), lt(judgements.usedOn, usedOn))),
  ]);
}

/** Days since 1970. */
function today(database: Database): number {
  return Math.floor(database.now() / 86_400_000);
}

function among({ tenant }: Database, keys: readonly string[]) {
  return and(eq(judgements.tenant, tenant), inList(judgements.key, keys));
}
