import type { Database } from '../../store/database.ts';

const underWay = new WeakMap<Database['query'], Map<string, Promise<unknown>>>();

/**
 * Does work once for all who ask for it at the same time. Who waits for another's work that fails, for example because the
 * other went away, does it again.
 *
 * @param name names the work with everything that its result depends on
 */
export async function shareWork<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  const all = underWay.get(database.query) ?? new Map<string, Promise<unknown>>();
  underWay.set(database.query, all);
  const key = JSON.stringify([database.tenant, name]);
  for (let other = all.get(key); other !== undefined; other = all.get(key)) {
    const [outcome] = await Promise.allSettled([other]);
    // The same key names the same work, so that its result has this type.
    if (outcome.status === 'fulfilled') return outcome.value as T;
  }
  const own = work();
  all.set(key, own);
  try {
    return await own;
  } finally {
    all.delete(key);
  }
}
