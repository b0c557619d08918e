import { and, eq } from 'drizzle-orm';
import { NOBODY } from './api-keys.ts';
import type { Connection } from './database.ts';
import { chores } from './schema.ts';

/** Where a chore for all tenants goes on that could not be ended; null where it begins anew. */
export async function chorePlace<Place>({ query }: Connection, name: string): Promise<Place | null> {
  const [row] = await query
    .select({ place: chores.place })
    .from(chores)
    .where(and(eq(chores.tenant, NOBODY), eq(chores.name, name)));
  return row === undefined ? null : JSON.parse(row.place);
}

/** Notes where a chore goes on next time; null where it begins anew. */
export async function noteChorePlace<Place>(
  { query, commit }: Connection,
  name: string,
  place: Place | null,
): Promise<void> {
  const own = and(eq(chores.tenant, NOBODY), eq(chores.name, name));
  const json = JSON.stringify(place);
  await commit([
    place === null
      ? query.delete(chores).where(own)
      : query
          .insert(chores)
          .values({ tenant: NOBODY, name, place: json })
          .onConflictDoUpdate({ target: [chores.tenant, chores.name], set: { place: json } }),
  ]);
}
