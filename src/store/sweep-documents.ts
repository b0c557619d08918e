import { and, asc, lt, sql } from 'drizzle-orm';
import type { Budget } from './budget.ts';
import { chorePlace, noteChorePlace } from './chores.ts';
import { nextTurn } from '../text/chunks.ts';
import type { Connection } from './database.ts';
import { collectionDocuments, digestDocuments, documents } from './schema.ts';

const NAME = 'sweep-documents';

interface Place {
  readonly usedAt: number;
  readonly row: number;
}

const BEGIN: Place = { usedAt: Number.MIN_SAFE_INTEGER, row: 0 };

/** Rows looked at, and rows that go, at a time: a text takes its parts along. */
const LOOKED_AT = 500;
const GOING = 50;

/**
 * Deletes texts that last came before a time and that nothing refers to. Goes through old texts once: those that are kept
 * are not read again for every chunk. Where the budget ends before, the next call goes on from there, and the one after the end
 * begins anew.
 *
 * @returns how many went
 */
export async function sweepDocuments(connection: Connection, before: number, budget: Budget): Promise<number> {
  if (!budget.spend(2)) return 0; // for reading and noting the place
  const begin = await chorePlace<Place>(connection, NAME);
  let total = 0;
  let place = begin ?? BEGIN;
  while (budget.spend(1)) {
    const page = await pageAfter(connection, place, before);
    const end = page.at(-1);
    if (end === undefined) {
      if (begin !== null) await noteChorePlace(connection, NAME, null);
      return total;
    }
    const free = page.filter(({ isFree }) => isFree === 1);
    for (let from = 0; from < free.length; from += GOING) {
      const going = free.slice(from, from + GOING);
      if (!budget.spend(1)) {
        await noteChorePlace(connection, NAME, place); // what went is not found again
        return total;
      }
      total += await remove(connection, going, before);
      await nextTurn();
    }
    place = { usedAt: end.usedAt, row: end.row };
    await nextTurn();
  }
  await noteChorePlace(connection, NAME, place);
  return total;
}

// By name: drizzle leaves the tables out where a query has one.
const IS_FREE = sql<number>`not exists (select 1 from ${digestDocuments} as d where d.tenant = documents.tenant and d.document_hash = documents.hash)
  and not exists (select 1 from ${collectionDocuments} as c where c.tenant = documents.tenant and c.document_hash = documents.hash)`;

async function pageAfter({ query }: Connection, after: Place, before: number) {
  return query
    .select({ usedAt: documents.usedAt, row: sql<number>`rowid`, isFree: IS_FREE })
    .from(documents)
    .where(and(lt(documents.usedAt, before), sql`(${documents.usedAt}, rowid) > (${after.usedAt}, ${after.row})`))
    .orderBy(asc(documents.usedAt), sql`rowid`)
    .limit(LOOKED_AT);
}

async function remove({ query, write }: Connection, going: readonly Place[], before: number): Promise<number> {
  const rows = JSON.stringify(going.map(({ row }) => row));
  const gone = await write(() =>
    query
      .delete(documents)
      .where(
        and(
          sql`rowid in (select value from json_each(${rows}))`,
          // All of it again: since then the text may have come again, or the number may be another row's.
          lt(documents.usedAt, before),
          IS_FREE,
        ),
      )
      .returning({ hash: documents.hash }),
  );
  return gone.length;
}
