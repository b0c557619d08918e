import { and, asc, count, eq, getTableColumns, inArray, lte, min, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection } from './database.ts';
import { jobs, webhooks } from './schema.ts';

/** A message to a caller that is to be sent. */
export interface NewWebhook {
  readonly tenant: string;
  /** The digest that it tells the end of. */
  readonly digestId: string;
  readonly url: string;
  /** The body, as it is signed and sent. */
  readonly payload: string;
}

/** A message that is this process's to send, until its lease ends. */
export interface ClaimedWebhook extends NewWebhook {
  /** Names the message to its receiver, however often it is sent. */
  readonly id: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Names one attempt: who lost it to another process may not write of it any more. */
type WebhookAttempt = Pick<ClaimedWebhook, 'id' | 'attempt'>;

/**
 * The statement that keeps a message to be sent at once, for the commit that ends its cause. A run of a digest ends once, so
 * there is one message; where it is there already, it stays as it is.
 *
 * @param guard what must hold for the message to be written; the statement writes nothing where it does not
 */
export function insertWebhook(
  connection: Connection,
  webhook: NewWebhook,
  guard: SQL = sql`true`,
): BatchItem<'sqlite'> {
  const now = connection.now();
  const row: Record<keyof typeof webhooks.$inferSelect, string | number | SQL | null> = {
    id: webhookIdOf(webhook.digestId),
    tenant: webhook.tenant,
    digestId: webhook.digestId,
    url: webhook.url,
    payload: webhook.payload,
    state: 'waiting',
    attempt: 0,
    notBefore: now,
    outcome: null,
    createdAt: now,
    endedAt: null,
  };
  // Drizzle names all columns in the order of the table.
  const columns = Object.keys(getTableColumns(webhooks)) as (keyof typeof row)[]; // the same keys by its type
  const values = columns.map((column) => sql`${row[column]}`);
  return connection.query
    .insert(webhooks)
    .select(sql`select ${sql.join(values, sql`, `)} where (${guard})`)
    .onConflictDoNothing();
}

/** `msg_…` of `dig_…`, and `msg_…_2` when it ends for the second time, since receivers take the same id for the same message. */
function webhookIdOf(digestId: string): SQL {
  const run = sql`(select '_' || ${jobs.run} from ${jobs} where ${jobs.id} = ${digestId} and ${jobs.run} > 1)`;
  return sql`${`msg_${digestId.replace(/^dig_/, '')}`} || coalesce(${run}, '')`;
}

/**
 * Takes messages that are due, those that waited longest. Each becomes due again when the lease ends: a process that dies
 * with it in hand loses nothing.
 */
export async function claimWebhooks(
  connection: Connection,
  limit: number,
  leaseMilliseconds: number,
): Promise<ClaimedWebhook[]> {
  const now = connection.now();
  const due = connection.query
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.state, 'waiting'), lte(webhooks.notBefore, now)))
    .orderBy(asc(webhooks.notBefore), asc(webhooks.id))
    .limit(limit);
  return connection.write(() =>
    connection.query
      .update(webhooks)
      .set({ notBefore: now + leaseMilliseconds, attempt: sql`${webhooks.attempt} + 1` })
      .where(inArray(webhooks.id, due))
      .returning({
        id: webhooks.id,
        tenant: webhooks.tenant,
        digestId: webhooks.digestId,
        url: webhooks.url,
        payload: webhooks.payload,
        attempt: webhooks.attempt,
      }),
  );
}

/** Notes that a message needs no further attempt, and what came of the last; says whether the attempt still counted. */
export async function endWebhook(
  connection: Connection,
  webhook: WebhookAttempt,
  state: 'delivered' | 'failed',
  outcome: string,
): Promise<boolean> {
  return write(connection, webhook, { state, outcome, endedAt: connection.now() });
}

/** Notes what came of an attempt, and when the next is due; says whether the attempt still counted. */
export async function postponeWebhook(
  connection: Connection,
  webhook: WebhookAttempt,
  notBefore: number,
  outcome: string,
): Promise<boolean> {
  return write(connection, webhook, { notBefore, outcome });
}

async function write(
  connection: Connection,
  { id, attempt }: WebhookAttempt,
  changes: Partial<typeof webhooks.$inferInsert>,
): Promise<boolean> {
  const written = await connection.write(() =>
    connection.query
      .update(webhooks)
      .set(changes)
      .where(and(eq(webhooks.id, id), eq(webhooks.attempt, attempt), eq(webhooks.state, 'waiting')))
      .returning({ id: webhooks.id }),
  );
  return written.length > 0;
}

/** How many messages are not delivered yet. */
export async function waitingWebhooks(connection: Connection): Promise<number> {
  const [row] = await connection.query.select({ waiting: count() }).from(webhooks).where(eq(webhooks.state, 'waiting'));
  return row.waiting;
}

/** When the next message is due, be it in the past; null for none. */
export async function nextDue(connection: Connection): Promise<number | null> {
  const [row] = await connection.query
    .select({ due: min(webhooks.notBefore) })
    .from(webhooks)
    .where(eq(webhooks.state, 'waiting'));
  return row.due;
}
