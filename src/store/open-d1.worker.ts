import type { D1Database } from '@cloudflare/workers-types';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { type Database, DEFAULT_TENANT } from './database.ts';
import * as schema from './schema.ts';

/** Milliseconds before each further try. */
const PAUSES = [100, 300, 900];

/** How D1 says that a statement waited too long, or in too long a queue: it was not begun. */
const OVERLOADED = 'D1 DB is overloaded';

/**
 * Opens a D1 database whose migrations are applied. Nothing is read or kept, so that every request may open its own.
 *
 * What fails in passing is tried again where it is sure that nothing was written. Reads D1 itself repeats. A write that D1 was
 * too busy to begin is begun again here. One whose connection was lost may have been written all the same, and not all of ours can be
 * written twice (a secret would be changed twice, an outcome counted as its own duplicate): that failure goes to the caller, who
 * begins anew from what is in the database, as after a crash.
 */
export function openD1(binding: D1Database): Database {
  const query = drizzle(binding, { schema });
  return {
    tenant: DEFAULT_TENANT,
    query,
    async commit(statements) {
      if (statements.length === 0) return;
      // Not empty, which is what the type asks for.
      const batch = statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]];
      await untilBegun(() => query.batch(batch));
    },
    write: (statement) => untilBegun(statement),
    now: () => Date.now(),
  };
}

async function untilBegun<T>(work: () => PromiseLike<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work();
    } catch (failure) {
      if (!isOverloaded(failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }
  return await work();
}

function isOverloaded(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  return failure.message.includes(OVERLOADED) || isOverloaded(failure.cause); // drizzle and D1 wrap it
}
