import { and, eq } from 'drizzle-orm';
import type { WorkCache } from '../models/index.ts';
import { chunks, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { fitsCell, inList, insertRows, noteUse } from './rows.ts';
import { judgements } from './schema.ts';

/** Rows per statement: verdicts are short, results of evaluations are not. */
const CHUNK = 200;

/** Verdicts in the rows of a tenant. */
export function judgementCache(
  database: Database,
): Pick<WorkCache, 'saveJudgements' | 'readJudgements' | 'deleteJudgements'> {
  const { query, commit, tenant, now } = database;
  return {
    /** One too long for a row is not saved. */
    async saveJudgements(rows) {
      const common = { tenant, createdAt: now(), usedOn: dayOf(now()) };
      const kept = rows.flatMap(({ key, kind, verdict }) => (fitsCell(verdict) ? [{ key, kind, verdict }] : []));
      for (const insert of insertRows(database, judgements, common, kept)) {
        await commit([insert.onConflictDoNothing()]);
        await nextTurn();
      }
    },

    async readJudgements(keys) {
      const { key, verdict, usedOn } = judgements;
      const found = new Map<string, string>();
      for (const chunk of chunks(keys, CHUNK)) {
        const isAmong = among(database, chunk);
        const rows = await query.select({ key, verdict, usedOn }).from(judgements).where(isAmong);
        for (const row of rows) found.set(row.key, row.verdict);
        await noteUse(database, judgements, isAmong, rows);
        await nextTurn();
      }
      return found;
    },

    async deleteJudgements({ kind, keys }) {
      for (const chunk of chunks(keys, CHUNK)) {
        const isMeant = and(among(database, chunk), eq(judgements.kind, kind));
        await commit([query.delete(judgements).where(isMeant)]);
        await nextTurn();
      }
    },
  };
}

function among({ tenant }: Database, keys: readonly string[]) {
  return and(eq(judgements.tenant, tenant), inList(judgements.key, keys));
}
