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

/** What goes by a condition alone once it is older than the retention: the table, its rows per statement, the condition. */
const OLD_ROWS = [
  // Its job ended as long ago, and no idempotency key refers to it.
  [
    'digests',
    digests,
    20,
    (before: number) => sql`${digests.createdAt} < ${before}
      and not exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}
        and (${jobs.state} in ('queued', 'running') or coalesce(${jobs.endedAt}, ${jobs.createdAt}) >= ${before}))
      and (${digests.status} not in ('queued', 'running') or exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}))
      and ${digests.id} not in (select ${idempotencyKeys.digestId} from ${idempotencyKeys} where ${isNotNull(idempotencyKeys.digestId)})`,
  ],
  [
    'webhooks',
    webhooks,
    100,
    (before: number) => sql`${inArray(webhooks.state, ['delivered', 'failed'])} and ${lt(webhooks.endedAt, before)}`,
  ],
  ['encodings', encodings, 200, (before: number) => lt(encodings.usedOn, dayOf(before))],
  ['vectorLists', vectorLists, 20, (before: number) => lt(vectorLists.usedOn, dayOf(before))],
  ['judgements', judgements, 500, (before: number) => lt(judgements.usedOn, dayOf(before))],
] as const;

/** Deleted rows by table, without cascades; of experiments those whose subjects were deleted, while their sums stay. */
type Swept = Record<
  (typeof OLD_ROWS)[number][0] | 'idempotencyKeys' | 'jobEvents' | 'documents' | 'experiments',
  number
>;

const KEPT_ALL = { digests: 0, webhooks: 0, encodings: 0, vectorLists: 0, judgements: 0, experiments: 0, documents: 0 };

/**
 * Deletes expired rows. Always: idempotency keys, and events of ended jobs but the last, after a day. With retention: finished
 * digests, sent webhooks, unused vectors and verdicts, subjects of ended experiments, and texts that nothing refers to. A digest
 * or collection keeps its texts whatever their age.
 *
 * With a limit of statements it stops there and is not finished; repeated calls reach everything, since the walk over texts
 * continues where it stopped.
 *
 * @param retention milliseconds that digests and texts are kept; null for ever
 * @param statements max statements, at least 150 (an experiment of 50 metrics takes 104 at once); unlimited by default
 */
export async function sweep(
  connection: Connection,
  retention: number | null,
  statements?: number,
): Promise<Readonly<Swept> & { readonly isFinished: boolean }> {
  const budget = new Budget(statements);
  const time = connection.now();
  const isSpentKey = lt(idempotencyKeys.createdAt, time - KEPT_MILLISECONDS);
  const swept: Swept = {
    ...KEPT_ALL,
    idempotencyKeys: await deleteInChunks(connection, idempotencyKeys, isSpentKey, 100, budget),
    jobEvents: await sweepEvents(connection, time - DAY, budget),
  };
  if (retention !== null) {
    const before = time - retention;
    for (const [name, table, chunk, isOld] of OLD_ROWS) {
      swept[name] = await deleteInChunks(connection, table, isOld(before), chunk, budget);
    }
    swept.experiments = await forgetSubjects(connection, before, budget);
    // Last, since the walk over all texts may use up the budget.
    swept.documents = await sweepDocuments(connection, before, budget);
  }
  return { ...swept, isFinished: !budget.isSpent };
}

/**
 * Deletes progress and sentence events of jobs that ended before a time; late readers get the end alone. Cleared jobs are marked,
 * and not examined again.
 *
 * @returns deleted events
 */
async function sweepEvents(connection: Connection, before: number, budget: Budget): Promise<number> {
  const { query, commit } = connection;
  const hasEnded = and(eq(jobs.isTrimmed, 0), lt(jobs.endedAt, before));
  const ended = query.select({ id: jobs.id }).from(jobs).where(hasEnded);
  const last = sql`(select max(later.number) from ${jobEvents} as later where later.job_id = ${jobEvents.jobId})`;
  const passing = sql`${inArray(jobEvents.jobId, ended)} and ${inArray(jobEvents.event, ['progress', 'sentence'])} and ${jobEvents.number} < ${last}`;
  const total = await deleteInChunks(connection, jobEvents, passing, 500, budget);
  if (total > 0 && budget.spend(1)) await commit([query.update(jobs).set({ isTrimmed: 1 }).where(hasEnded)]);
  return total;
}

/** The chore that `sweepDocuments` continues. */
const CHORE = { tenant: NOBODY, name: 'sweep-documents' };

interface Place {
  readonly usedAt: number;
  readonly row: number;
}

const BEGIN: Place = { usedAt: Number.MIN_SAFE_INTEGER, row: 0 };

/** Rows examined, and rows deleted, per statement: the parts of a text cascade. */
const LOOKED_AT = 500;
const GOING = 50;

// By name: drizzle omits table names in queries over one table.
const IS_FREE = sql<number>`not exists (select 1 from ${digestDocuments} as d where d.tenant = documents.tenant and d.document_hash = documents.hash)
  and not exists (select 1 from ${collectionDocuments} as c where c.tenant = documents.tenant and c.document_hash = documents.hash)`;

/**
 * Deletes texts last used before a time that nothing refers to. Walks old texts once, so that kept ones are not read again for
 * every chunk. If the budget runs out, the next call continues from there; the call after the last begins anew.
 *
 * @returns deleted texts
 */
async function sweepDocuments(connection: Connection, before: number, budget: Budget): Promise<number> {
  if (!budget.spend(2)) return 0; // for reading and noting the place
  const { query } = connection;
  const isOld = lt(documents.usedAt, before);
  const begin = await chorePlace(connection);
  let total = 0;
  let place = begin ?? BEGIN;
  while (budget.spend(1)) {
    const page = await query
      .select({ usedAt: documents.usedAt, row: sql<number>`rowid`, isFree: IS_FREE })
      .from(documents)
      .where(and(isOld, sql`(${documents.usedAt}, rowid) > (${place.usedAt}, ${place.row})`))
      .orderBy(asc(documents.usedAt), sql`rowid`)
      .limit(LOOKED_AT);
    const end = page.at(-1);
    if (end === undefined) {
      if (begin !== null) await noteChorePlace(connection, null);
      return total;
    }
    const free = page.filter(({ isFree }) => isFree === 1).map(({ row }) => row);
    for (const going of chunks(free, GOING)) {
      if (!budget.spend(1)) {
        await noteChorePlace(connection, place); // what went is not found again
        return total;
      }
      // Checked again: the text may have been used since, or the row id reused.
      const mayGo = and(sql`rowid in (select value from json_each(${JSON.stringify(going)}))`, isOld, IS_FREE);
      const gone = await connection.write(() =>
        query.delete(documents).where(mayGo).returning({ hash: documents.hash }),
      );
      total += gone.length;
      await nextTurn();
    }
    place = { usedAt: end.usedAt, row: end.row };
    await nextTurn();
  }
  await noteChorePlace(connection, place);
  return total;
}

const IS_CHORE = and(eq(chores.tenant, CHORE.tenant), eq(chores.name, CHORE.name));

/** Where the unfinished chore continues; null if it begins anew. */
async function chorePlace({ query }: Connection): Promise<Place | null> {
  const [row] = await query.select({ place: chores.place }).from(chores).where(IS_CHORE);
  return row === undefined ? null : JSON.parse(row.place);
}

async function noteChorePlace({ query, commit }: Connection, at: Place | null): Promise<void> {
  const place = JSON.stringify(at);
  const noted = query
    .insert(chores)
    .values({ ...CHORE, place })
    .onConflictDoUpdate({ target: [chores.tenant, chores.name], set: { place } });
  await commit([at === null ? query.delete(chores).where(IS_CHORE) : noted]);
}

/**
 * Deletes the subjects of experiments whose last version ended before a time, and keeps the sums.
 *
 * @returns number of experiments
 */
export async function forgetSubjects(connection: Connection, before: number, budget = new Budget()): Promise<number> {
  if (!budget.spend(1)) return 0;
  const { tenant, experiment } = experiments;
  const isLaterOpen = sql`exists (select 1 from ${experiments} as other where other.tenant = ${tenant}
    and other.experiment = ${experiment} and coalesce(other.stopped_at, ${before}) >= ${before})`;
  const hasSubjects = sql`exists (select 1 from ${experimentExposures} as e where e.tenant = ${tenant}
    and e.experiment = ${experiment})`;
  const ended = await connection.query
    .selectDistinct({ tenant, number: experiment })
    .from(experiments)
    .where(sql`${experiments.stoppedAt} < ${before} and not ${isLaterOpen} and ${hasSubjects}`);
  let forgotten = 0;
  for (const { tenant, number } of ended) {
    await keepSums(connection, tenant, number, budget);
    if (budget.isSpent) break;
    // Exposures last: they mark the experiment as unfinished if this is interrupted.
    for (const table of [experimentEvents, experimentTotals, experimentExposures]) {
      const isOwn = sql`${eq(table.tenant, tenant)} and ${eq(table.experiment, number)}`;
      await deleteInChunks(connection, table, isOwn, 500, budget);
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
