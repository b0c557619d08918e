import { and, asc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { nextTurn } from '../text/index.ts';
import { NOBODY } from './api-keys.ts';
import { type Connection, DAY, dayOf, forTenant } from './database.ts';
import { Budget, deleteInChunks } from './deletion.ts';
import { readSums } from './experiment-data.ts';
import { ofVersion } from './experiments.ts';
import { KEPT_MILLISECONDS } from './idempotency-keys.ts';
import { inList } from './rows.ts';
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

const NAME = 'sweep-documents';

interface Place {
  readonly usedAt: number;
  readonly row: number;
}

const BEGIN: Place = { usedAt: Number.MIN_SAFE_INTEGER, row: 0 };

/** Rows examined, and rows deleted, per statement: the parts of a text cascade. */
const LOOKED_AT = 500;
const GOING = 50;

/**
 * Deletes texts last used before a time that nothing refers to. Walks old texts once, so that kept ones are not read again for
 * every chunk. If the budget runs out, the next call continues from there; the call after the last begins anew.
 *
 * @returns deleted texts
 */
async function sweepDocuments(connection: Connection, before: number, budget: Budget): Promise<number> {
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

// By name: drizzle omits table names in queries over one table.
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
          // Checked again: the text may have been used since, or the row id reused.
          lt(documents.usedAt, before),
          IS_FREE,
        ),
      )
      .returning({ hash: documents.hash }),
  );
  return gone.length;
}

/** Where an unfinished chore continues; null if it begins anew. */
async function chorePlace<Place>({ query }: Connection, name: string): Promise<Place | null> {
  const [row] = await query
    .select({ place: chores.place })
    .from(chores)
    .where(and(eq(chores.tenant, NOBODY), eq(chores.name, name)));
  return row === undefined ? null : JSON.parse(row.place);
}

async function noteChorePlace<Place>({ query, commit }: Connection, name: string, place: Place | null): Promise<void> {
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

const JOBS = 200;

/**
 * Deletes progress and sentence events of jobs that ended before a time; late readers get the end alone. Cleared jobs are marked,
 * and not examined again.
 *
 * @returns deleted events
 */
async function sweepEvents(connection: Connection, before: number, budget: Budget): Promise<number> {
  const { query, commit } = connection;
  const last = sql`(select max(later.number) from ${jobEvents} as later where later.job_id = ${jobEvents.jobId})`;
  let total = 0;
  while (budget.spend(1)) {
    const ended = await query
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.isTrimmed, 0), lt(jobs.endedAt, before)))
      .orderBy(asc(jobs.endedAt))
      .limit(JOBS);
    if (ended.length === 0) break;
    const ids = ended.map(({ id }) => id);
    const passing = sql`${inList(jobEvents.jobId, ids)} and ${inArray(jobEvents.event, ['progress', 'sentence'])} and ${jobEvents.number} < ${last}`;
    total += await deleteInChunks(connection, jobEvents, passing, 500, budget);
    if (!budget.spend(1)) break;
    await commit([query.update(jobs).set({ isTrimmed: 1 }).where(inList(jobs.id, ids))]);
    await nextTurn();
  }
  return total;
}

/** Deleted rows by table, without cascades. */
interface Swept {
  readonly idempotencyKeys: number;
  readonly jobEvents: number;
  readonly digests: number;
  readonly webhooks: number;
  readonly documents: number;
  readonly encodings: number;
  readonly vectorLists: number;
  readonly judgements: number;
  /** Experiments whose subjects were deleted; their sums stay. */
  readonly experiments: number;
  /** False if the statements did not suffice; the next call continues. */
  readonly isFinished: boolean;
}

/**
 * Deletes expired rows. Always: idempotency keys, and events of ended jobs but the last, after a day. With retention: finished
 * digests, sent webhooks, unused vectors and verdicts, subjects of ended experiments, and texts that nothing refers to. A digest
 * or collection keeps its texts whatever their age.
 *
 * With a limit of statements it stops there; repeated calls reach everything, since the walk over texts continues where it
 * stopped.
 *
 * @param retention milliseconds that digests and texts are kept; null for ever
 * @param statements max statements, at least 150 (an experiment of 50 metrics takes 104 at once); unlimited by default
 */
export async function sweep(connection: Connection, retention: number | null, statements?: number): Promise<Swept> {
  const budget = new Budget(statements);
  const time = connection.now();
  const spentKeys = lt(idempotencyKeys.createdAt, time - KEPT_MILLISECONDS);
  const always = {
    idempotencyKeys: await deleteInChunks(connection, idempotencyKeys, spentKeys, 100, budget),
    jobEvents: await sweepEvents(connection, time - DAY, budget),
  };
  if (retention === null) return { ...KEPT_ALL, ...always, isFinished: !budget.isSpent };
  const before = time - retention;
  const lastDay = dayOf(before);
  const swept = {
    ...always,
    digests: await deleteInChunks(connection, digests, isSpent(before), 20, budget),
    webhooks: await deleteInChunks(connection, webhooks, hasLongEnded(before), 100, budget),
    encodings: await deleteInChunks(connection, encodings, lt(encodings.usedOn, lastDay), 200, budget),
    vectorLists: await deleteInChunks(connection, vectorLists, lt(vectorLists.usedOn, lastDay), 20, budget),
    judgements: await deleteInChunks(connection, judgements, lt(judgements.usedOn, lastDay), 500, budget),
    experiments: await forgetSubjects(connection, before, budget),
    // Last, since the walk over all texts may use up the budget.
    documents: await sweepDocuments(connection, before, budget),
  };
  return { ...swept, isFinished: !budget.isSpent };
}

const KEPT_ALL = { digests: 0, webhooks: 0, documents: 0, encodings: 0, vectorLists: 0, judgements: 0, experiments: 0 };

/** Condition: an old digest whose job ended as long ago, and that no idempotency key refers to. */
function isSpent(before: number): SQL {
  return sql`${digests.createdAt} < ${before}
    and not exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}
      and (${jobs.state} in ('queued', 'running') or coalesce(${jobs.endedAt}, ${jobs.createdAt}) >= ${before}))
    and (${digests.status} not in ('queued', 'running') or exists (select 1 from ${jobs} where ${jobs.id} = ${digests.id}))
    and ${digests.id} not in (select ${idempotencyKeys.digestId} from ${idempotencyKeys} where ${isNotNull(idempotencyKeys.digestId)})`;
}

function hasLongEnded(before: number): SQL {
  return sql`${inArray(webhooks.state, ['delivered', 'failed'])} and ${lt(webhooks.endedAt, before)}`;
}

/**
 * Deletes the subjects of experiments whose last version ended before a time, and keeps the sums.
 *
 * @returns number of experiments
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
      // Exposures last: they mark the experiment as unfinished if this is interrupted.
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

/** Condition: no version of the experiment runs or ended later. */
function isOver(before: number): SQL {
  return sql`not exists (select 1 from ${experiments} as other where other.tenant = ${experiments.tenant}
    and other.experiment = ${experiments.experiment} and coalesce(other.stopped_at, ${before}) >= ${before})`;
}

function hasSubjects(): SQL {
  return sql`exists (select 1 from ${experimentExposures} as e where e.tenant = ${experiments.tenant}
    and e.experiment = ${experiments.experiment})`;
}
