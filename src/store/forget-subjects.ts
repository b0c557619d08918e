import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Connection, forTenant } from './database.ts';
import { deleteInChunks } from './delete-in-chunks.ts';
import { readSums } from './experiment-sums.ts';
import { ofVersion } from './experiments.ts';
import { experimentEvents, experimentExposures, experiments, experimentTotals } from './schema.ts';

/**
 * Forgets who took part in experiments whose last version ended before a time, and keeps what all of them come to.
 *
 * @returns how many experiments
 */
export async function forgetSubjects(connection: Connection, before: number): Promise<number> {
  const ended = await connection.query
    .selectDistinct({ tenant: experiments.tenant, number: experiments.experiment })
    .from(experiments)
    .where(sql`${experiments.stoppedAt} < ${before} and ${isOver(before)} and ${hasSubjects()}`);
  for (const { tenant, number } of ended) {
    await keepSums(connection, tenant, number);
    for (const table of [experimentEvents, experimentTotals, experimentExposures]) {
      // The exposures last: who was interrupted finds the experiment again.
      await deleteInChunks(
        connection,
        table,
        sql`${eq(table.tenant, tenant)} and ${eq(table.experiment, number)}`,
        500,
      );
    }
  }
  return ended.length;
}

async function keepSums(connection: Connection, tenant: string, number: number): Promise<void> {
  const database = forTenant(connection, tenant);
  const versions = await database.query
    .select({
      key: experiments.key,
      version: experiments.version,
      variants: sql<number>`json_array_length(${experiments.definition}, '$.variants')`,
    })
    .from(experiments)
    .where(and(eq(experiments.tenant, tenant), eq(experiments.experiment, number), sql`${experiments.kept} is null`));
  for (const { key, version, variants } of versions) {
    const kept = JSON.stringify(await readSums(database, key, version, variants));
    await database.commit([
      database.query
        .update(experiments)
        .set({ kept })
        .where(ofVersion(database, key, version)),
    ]);
  }
}

/** That no version of the experiment runs, or ended later. */
function isOver(before: number): SQL {
  return sql`not exists (select 1 from ${experiments} as other where other.tenant = ${experiments.tenant}
    and other.experiment = ${experiments.experiment} and coalesce(other.stopped_at, ${before}) >= ${before})`;
}

function hasSubjects(): SQL {
  return sql`exists (select 1 from ${experimentExposures} as e where e.tenant = ${experiments.tenant}
    and e.experiment = ${experiments.experiment})`;
}
