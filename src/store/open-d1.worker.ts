import type { D1Database } from '@cloudflare/workers-types';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { type Database, DEFAULT_TENANT } from './database.ts';
import * as schema from './schema.ts';

/** Milliseconds before each retry. */
const PAUSES = [100, 300, 900];

/** D1's message for a statement that was never begun. */
const OVERLOADED = 'D1 DB is overloaded';

/**
 * Opens a D1 database whose migrations are applied. It does no work, so that every request may open its own.
 *
 * D1 itself retries reads. A write that D1 was too busy to begin is retried here. A write whose connection was lost may have
 * taken effect, and some cannot be repeated (a secret would rotate twice, an outcome count as its own duplicate): that failure
 * goes to the caller, who resumes from the database, as after a crash.
 */
export function openD1(binding: D1Database): Database {
  const query = drizzle(binding, { schema });
  return {
    tenant: DEFAULT_TENANT,
    query,
    async commit(statements) {
      if (statements.length === 0) return;
      // Not empty, as the type requires.
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
