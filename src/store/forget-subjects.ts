import { and, eq, type SQL, sql } from 'drizzle-orm';
import { Budget } from './budget.ts';
import { type Connection, forTenant } from './database.ts';
import { deleteInChunks } from './delete-in-chunks.ts';
import { readSums } from './experiment-sums.ts';
import { ofVersion } from './experiments.ts';
import { experimentEvents, experimentExposures, experiments, experimentTotals } from './schema.ts';

/**
 * Forgets who took part in experiments whose last version ended before a time, and keeps what all of them come to.
 *
 * @param budget of statements; where it ends before, the next call goes on
 * @returns how many experiments
 */
export async function forgetSubjects(connection: Connection, before: number, budget = new Budget()): Promise<number> {
  if (!budget.spend(1)) return 0;
  const ended = await connection.query
    .selectDistinct({ tenant: experiments.tenant, number: experiments.experiment })
    .from(experiments)
    .where(sql`${experiments.stoppedAt} < ${before} and ${isOver(before)} and ${hasSubjects()}`);
  let forgotten = 0;
  for (const { tenant, number } of ended) {
    await keepSums(connection, tenant, number, budget);
    if (budget.isSpent) break;
    for (const table of [experimentEvents, experimentTotals, experimentExposures]) {
      // The exposures last: who was interrupted finds the experiment again.
      await deleteInChunks(
        connection,
        table,
        sql`${eq(table.tenant, tenant)} and ${eq(table.experiment, number)}`,
        500,
        budget,
      );
    }
    if (!budget.isSpent) forgotten++;
  }
  return forgotten;
}

async function keepSums(connection: Connection, tenant: string, number: number, budget: Budget): Promise<void> {
  if (!budget.spend(1)) return;
  const database = forTenant(connection, tenant);
  const versions = await database.query
    .select({
      key: experiments.key,
      version: experiments.version,
      variants: sql<number>`json_array_length(${experiments.definition}, '$.variants')`,
      metrics: sql<number>`json_array_length(${experiments.definition}, '$.metrics')
        + coalesce(json_array_length(${experiments.definition}, '$.guardrails'), 0)`,
    })
    .from(experiments)
    .where(and(eq(experiments.tenant, tenant), eq(experiments.experiment, number), sql`${experiments.kept} is null`));
  for (const { key, version, variants, metrics } of versions) {
    if (!budget.spend(4 + 2 * metrics)) return; // what `readSums` and the commit run at most
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
