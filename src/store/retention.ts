import { inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { Budget } from './budget.ts';
import type { Connection } from './database.ts';
import { DAY, dayOf } from './days.ts';
import { deleteInChunks } from './delete-in-chunks.ts';
import { forgetSubjects } from './forget-subjects.ts';
import { KEPT_MILLISECONDS } from './idempotency-keys.ts';
import { digests, encodings, idempotencyKeys, jobs, judgements, webhooks } from './schema.ts';
import { sweepDocuments } from './sweep-documents.ts';
import { sweepEvents } from './sweep-events.ts';

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
  /** False where the statements did not suffice; the next call goes on. */
  readonly isFinished: boolean;
}

/**
 * Deletes what has had its time. Always: idempotency keys after a day, and what ended jobs told on their way, after a day
 * and but for the last event. With retention: digests that are not under way, messages that were sent, vectors and verdicts
 * that were not read, who took part in experiments that have ended, and texts that nothing refers to. A kept digest or a
 * collection keeps its texts whatever their age; vectors and verdicts are made again where they are missing.
 *
 * With a bound of statements it stops where they end. What went does not come again, and texts, most of which stay, are gone
 * through from where the call before stopped: calls that follow reach everything.
 *
 * @param retention milliseconds that digests and texts are kept; null keeps them for ever
 * @param statements most that are run, at least 150 (an experiment of 50 metrics takes 104 at once); any number by default
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
    judgements: await deleteInChunks(connection, judgements, lt(judgements.usedOn, lastDay), 500, budget),
    experiments: await forgetSubjects(connection, before, budget),
    // Last: they are gone through, those that stay as well, and may take what is left.
    documents: await sweepDocuments(connection, before, budget),
  };
  return { ...swept, isFinished: !budget.isSpent };
}

const KEPT_ALL = { digests: 0, webhooks: 0, documents: 0, encodings: 0, judgements: 0, experiments: 0 };

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
