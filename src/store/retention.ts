import { and, asc, gt, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { nextTurn } from './chunks.ts';
import type { Connection } from './database.ts';
import { deleteInChunks } from './delete-in-chunks.ts';
import { forgetSubjects } from './forget-subjects.ts';
import { KEPT_MILLISECONDS } from './idempotency-keys.ts';
import { inList } from './in-list.ts';
import {
  collectionDocuments,
  digestDocuments,
  digests,
  documents,
  encodings,
  idempotencyKeys,
  jobEvents,
  jobs,
  judgements,
  webhooks,
} from './schema.ts';

/** Rows that went, by table; what hung on them went too and is not counted. */
export interface Swept {
  readonly idempotencyKeys: number;
  readonly jobEvents: number;
  readonly digests: number;
  readonly webhooks: number;
  readonly documents: number;
  readonly encodings: number;
  readonly judgements: number;
  /** Experiments whose subjects were forgotten; what they come to stays. */
  readonly experiments: number;
}

const DAY = 86_400_000;

/**
 * Deletes what has had its time. Always: idempotency keys after a day, and what ended jobs told on their way, after a day
 * and but for the last event. With retention: digests that are not under way, messages that were sent, then texts that
 * nothing refers to, then vectors and verdicts that were not read, then who took part in experiments that have ended. A kept digest or a collection keeps its texts whatever
 * their age; vectors and verdicts are made again where they are missing.
 *
 * @param retention milliseconds that digests and texts are kept; null keeps them for ever
 */
export async function sweep(connection: Connection, retention: number | null): Promise<Swept> {
  const time = connection.now();
  const always = {
    idempotencyKeys: await deleteInChunks(
      connection,
      idempotencyKeys,
      lt(idempotencyKeys.createdAt, time - KEPT_MILLISECONDS),
      100,
    ),
    jobEvents: await sweepEvents(connection, time - DAY),
  };
  if (retention === null) {
    return { ...always, digests: 0, webhooks: 0, documents: 0, encodings: 0, judgements: 0, experiments: 0 };
  }
  const before = time - retention;
  const lastDay = Math.floor(before / DAY);
  return {
    ...always,
    digests: await deleteInChunks(connection, digests, isSpent(before), 20),
    webhooks: await deleteInChunks(connection, webhooks, hasLongEnded(before), 100),
    documents: await sweepDocuments(connection, before),
    encodings: await deleteInChunks(connection, encodings, lt(encodings.usedOn, lastDay), 200),
    judgements: await deleteInChunks(connection, judgements, lt(judgements.usedOn, lastDay), 500),
    experiments: await forgetSubjects(connection, before),
  };
}

/** Progress and sentences of jobs that ended before; whoever comes back later is told the end alone. */
async function sweepEvents(connection: Connection, before: number): Promise<number> {
  const last = sql`(select max(later.number) from ${jobEvents} as later where later.job_id = ${jobEvents.jobId})`;
  let total = 0;
  for (let after = ''; ; ) {
    const page = await connection.query
      .select({ id: jobs.id, endedAt: jobs.endedAt })
      .from(jobs)
      .where(gt(jobs.id, after))
      .orderBy(asc(jobs.id))
      .limit(200);
    const ended = page.flatMap(({ id, endedAt }) => (endedAt !== null && endedAt < before ? [id] : []));
    const passing = sql`${inList(jobEvents.jobId, ended)} and ${inArray(jobEvents.event, ['progress', 'sentence'])} and ${jobEvents.number} < ${last}`;
    if (ended.length > 0) total += await deleteInChunks(connection, jobEvents, passing, 500);
    const end = page.at(-1);
    if (end === undefined) return total;
    after = end.id;
    await nextTurn();
  }
}

/** A digest that is old, whose job ended as long ago, and that no request may come again for. */
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

/** Goes through old texts once: those that are kept are not read again for every chunk. */
async function sweepDocuments(connection: Connection, before: number): Promise<number> {
  const { query, write } = connection;
  let total = 0;
  for (let after = { usedAt: Number.MIN_SAFE_INTEGER, row: 0 }; ; ) {
    const page = await query
      .select({ usedAt: documents.usedAt, row: sql<number>`rowid` })
      .from(documents)
      .where(and(lt(documents.usedAt, before), sql`(${documents.usedAt}, rowid) > (${after.usedAt}, ${after.row})`))
      .orderBy(asc(documents.usedAt), sql`rowid`)
      .limit(50);
    const end = page.at(-1);
    if (end === undefined) return total;
    const gone = await write(() =>
      query
        .delete(documents)
        .where(
          and(
            sql`rowid in (select value from json_each(${JSON.stringify(page.map(({ row }) => row))}))`,
            // All of it again: since then the text may have come again, or the number may be another row's.
            lt(documents.usedAt, before),
            sql`not exists (select 1 from ${digestDocuments} where ${digestDocuments.tenant} = ${documents.tenant} and ${digestDocuments.documentHash} = ${documents.hash})`,
            sql`not exists (select 1 from ${collectionDocuments} where ${collectionDocuments.tenant} = ${documents.tenant} and ${collectionDocuments.documentHash} = ${documents.hash})`,
          ),
        )
        .returning({ hash: documents.hash }),
    );
    total += gone.length;
    after = end;
    await nextTurn();
  }
}
