import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { chunks, nextTurn } from '../text/index.ts';
import { NOBODY } from './api-keys.ts';
import { type Connection, DAY, dayOf, forTenant } from './database.ts';
import { Budget, deleteInChunks } from './deletion.ts';
import { readSums } from './experiment-data.ts';
import { ofVersion } from './experiments.ts';
import { KEPT_MILLISECONDS } from './idempotency-keys.ts';
import {
  chores,
  collectionDocuments,
  digestDocuments,
  digests,
  documents,
  encodings,
  experimentEvents,
  experimentExposures,
  experiments,
  experimentTotals,
  idempotencyKeys,
  jobEvents,
  jobs,
  judgements,
  vectorLists,
  webhooks,
} from './schema.ts';

/** What goes by a condition alone once it is older than the retention. */
const OLD_ROWS = [
  // Its job ended as long ago, no idempotency key refers to it, and it is no subscription's background.
  [
    'digests',
    digests,
    (before: number) => sql`${digests.createdAt} < ${before}
      and not exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}
        and (${jobs.state} in ('queued', 'running') or coalesce(${jobs.endedAt}, ${jobs.createdAt}) >= ${before}))
      and (${digests.status} not in ('queued', 'running') or exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}))
      and ${digests.id} not in (select ${idempotencyKeys.digestId} from ${idempotencyKeys} where ${isNotNull(idempotencyKeys.digestId)})
      and ${digests.id} not in (select digest_id from subscriptions where digest_id is not null)`,
  ],
  [
    'webhooks',
    webhooks,
    (before: number) => sql`${inArray(webhooks.state, ['delivered', 'failed'])} and ${lt(webhooks.endedAt, before)}`,
  ],
  ['encodings', encodings, (before: number) => lt(encodings.usedOn, dayOf(before))],
  ['vectorLists', vectorLists, (before: number) => lt(vectorLists.usedOn, dayOf(before))],
  ['judgements', judgements, (before: number) => lt(judgements.usedOn, dayOf(before))],
] as const;

/** Deleted rows by table, without cascades; of experiments those whose subjects were deleted, while their sums stay. */
type Swept = Record<
  (typeof OLD_ROWS)[number][0] | 'idempotencyKeys' | 'jobEvents' | 'documents' | 'experiments',
  number
>;

const KEPT_ALL = { digests: 0, webhooks: 0, encodings: 0, vectorLists: 0, judgements: 0, experiments: 0, documents: 0 };

/**
 * Deletes expired rows. Always: idempotency keys, and events of ended jobs but the last, after a day. With retention: finished digests, sent
 * webhooks, unused vectors and verdicts, subjects of ended experiments, and texts that no digest or collection refers to.
 *
 * @param retention milliseconds that digests and texts are kept; null for ever
 * @param statements max statements, at least 150 (an experiment of 50 metrics takes 104 at once); the next call continues
 */
export async function sweep(
  connection: Connection,
  retention: number | null,
  statements?: number,
): Promise<Readonly<Swept> & { readonly isFinished: boolean }> {
  const budget = new Budget(statements);
  const time = connection.now();
  const expired = lt(idempotencyKeys.createdAt, time - KEPT_MILLISECONDS);
  const swept: Swept = {
    ...KEPT_ALL,
    idempotencyKeys: await deleteInChunks(connection, idempotencyKeys, expired, budget),
    jobEvents: await sweepEvents(connection, time - DAY, budget),
  };
  if (retention !== null) {
    const before = time - retention;
    for (const [name, table, old] of OLD_ROWS)
      swept[name] = await deleteInChunks(connection, table, old(before), budget);
    swept.experiments = await forgetSubjects(connection, before, budget);
    // Last, since the walk over all texts may use up the budget.
    swept.documents = await sweepDocuments(connection, before, budget);
  }
  return { ...swept, isFinished: !budget.isSpent };
}

/** Deletes progress and sentences of jobs that ended before a time, and returns their number. Cleared jobs are marked, not examined again. */
async function sweepEvents(connection: Connection, before: number, budget: Budget): Promise<number> {
  const { query, commit } = connection;
  const ended = and(eq(jobs.isTrimmed, 0), lt(jobs.endedAt, before));
  const last = sql`(select max(later.number) from ${jobEvents} as later where later.job_id = ${jobEvents.jobId})`;
  const passing = sql`${inArray(jobEvents.jobId, query.select({ id: jobs.id }).from(jobs).where(ended))}
    and ${inArray(jobEvents.event, ['progress', 'sentence'])} and ${jobEvents.number} < ${last}`;
  const total = await deleteInChunks(connection, jobEvents, passing, budget);
  if (total > 0 && budget.spend(1)) await commit([query.update(jobs).set({ isTrimmed: 1 }).where(ended)]);
  return total;
}

interface Place {
  readonly usedAt: number;
  readonly row: number;
}

/** Max rows examined, and rows deleted, per statement: the parts of a text cascade. */
const EXAMINED = 500;
const DELETED = 50;

// By name: drizzle omits table names in queries over one table.
const UNUSED = sql<number>`not exists (select 1 from ${digestDocuments} as d where d.tenant = documents.tenant and d.document_hash = documents.hash)
  and not exists (select 1 from ${collectionDocuments} as c where c.tenant = documents.tenant and c.document_hash = documents.hash)`;

/**
 * Deletes texts last used before a time that nothing refers to, and returns their number. Walks old texts once, so that kept ones are not read
 * again for every chunk; the next call continues where the budget ran out.
 */
async function sweepDocuments(connection: Connection, before: number, budget: Budget): Promise<number> {
  if (!budget.spend(2)) return 0; // for reading and noting the place
  const { query, write } = connection;
  const old = lt(documents.usedAt, before);
  let place = await placeInSweep(connection);
  let total = 0;
  walk: while (budget.spend(1)) {
    const page = await query
      .select({ usedAt: documents.usedAt, row: sql<number>`rowid`, isUnused: UNUSED })
      .from(documents)
      .where(place === null ? old : and(old, sql`(${documents.usedAt}, rowid) > (${place.usedAt}, ${place.row})`))
      .orderBy(asc(documents.usedAt), sql`rowid`)
      .limit(EXAMINED);
    const unused = page.filter(({ isUnused }) => isUnused === 1).map(({ row }) => row);
    for (const going of chunks(unused, DELETED)) {
      if (!budget.spend(1)) break walk; // what is gone is not found again
      // Checked again: a text may have been used since, or its row id reused.
      const rows = sql`rowid in (select value from json_each(${JSON.stringify(going)}))`;
      const deletion = query.delete(documents).where(and(rows, old, UNUSED));
      total += (await write(() => deletion.returning({ one: sql`1` }))).length;
      await nextTurn();
    }
    const end = page.at(-1);
    place = end === undefined ? null : { usedAt: end.usedAt, row: end.row };
    if (place === null) break;
    await nextTurn();
  }
  await notePlaceInSweep(connection, place);
  return total;
}

const CHORE = { tenant: NOBODY, name: 'sweep-documents' };
const IS_CHORE = and(eq(chores.tenant, CHORE.tenant), eq(chores.name, CHORE.name));

/** Where an unfinished sweep continues; null if it begins anew. */
async function placeInSweep({ query }: Connection): Promise<Place | null> {
  const [row] = await query.select({ place: chores.place }).from(chores).where(IS_CHORE);
  return row === undefined ? null : JSON.parse(row.place);
}

async function notePlaceInSweep({ query, commit }: Connection, at: Place | null): Promise<void> {
  const place = JSON.stringify(at);
  const target = [chores.tenant, chores.name];
  const noted = query.insert(chores).values({ ...CHORE, place });
  await commit([
    at === null ? query.delete(chores).where(IS_CHORE) : noted.onConflictDoUpdate({ target, set: { place } }),
  ]);
}

/** Deletes the subjects of experiments whose last version ended before a time, and keeps the sums. Returns the number of experiments. */
export async function forgetSubjects(connection: Connection, before: number, budget = new Budget()): Promise<number> {
  if (!budget.spend(1)) return 0;
  const { tenant, experiment } = experiments;
  const laterOpen = sql`exists (select 1 from ${experiments} as other where other.tenant = ${tenant}
    and other.experiment = ${experiment} and coalesce(other.stopped_at, ${before}) >= ${before})`;
  const withSubjects = sql`exists (select 1 from ${experimentExposures} as e where e.tenant = ${tenant}
    and e.experiment = ${experiment})`;
  const ended = await connection.query
    .selectDistinct({ tenant, number: experiment })
    .from(experiments)
    .where(sql`${experiments.stoppedAt} < ${before} and not ${laterOpen} and ${withSubjects}`);
  let forgotten = 0;
  for (const { tenant, number } of ended) {
    await keepSums(connection, tenant, number, budget);
    if (budget.isSpent) break;
    // Exposures last: they mark the experiment as unfinished if this is interrupted.
    for (const table of [experimentEvents, experimentTotals, experimentExposures]) {
      const own = sql`${eq(table.tenant, tenant)} and ${eq(table.experiment, number)}`;
      await deleteInChunks(connection, table, own, budget);
    }
    if (!budget.isSpent) forgotten++;
  }
  return forgotten;
}

async function keepSums(connection: Connection, tenant: string, number: number, budget: Budget): Promise<void> {
  if (!budget.spend(1)) return;
  const database = forTenant(connection, tenant);
  const { definition } = experiments;
  const versions = await database.query
    .select({
      key: experiments.key,
      version: experiments.version,
      variants: sql<number>`json_array_length(${definition}, '$.variants')`,
      metrics: sql<number>`json_array_length(${definition}, '$.metrics')
        + coalesce(json_array_length(${definition}, '$.guardrails'), 0)`,
    })
    .from(experiments)
    .where(and(eq(experiments.tenant, tenant), eq(experiments.experiment, number), isNull(experiments.kept)));
  for (const { key, version, variants, metrics } of versions) {
    if (!budget.spend(4 + 2 * metrics)) return; // what `readSums` and the commit run at most
    const kept = JSON.stringify(await readSums(database, key, version, variants));
    const isVersion = ofVersion(database, key, version);
    await database.commit([database.query.update(experiments).set({ kept }).where(isVersion)]);
  }
}
