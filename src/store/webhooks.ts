import { and, asc, eq, getTableColumns, inArray, lte, min, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Connection, type Database, wrote } from './database.ts';
import { newestFirst, type Page, type PageRequest } from './page.ts';
import { valuesOf } from './rows.ts';
import { jobs, tenants, webhooks } from './schema.ts';

type WebhookRow = Readonly<typeof webhooks.$inferSelect>;

/** A message; its payload is the body to sign and send. */
export type NewWebhook = Pick<WebhookRow, 'tenant' | 'digestId' | 'url' | 'payload'>;

/** One attempt; its writes do nothing once another process has taken the message. */
type WebhookAttempt = Pick<WebhookRow, 'id' | 'attempt'>;

/** A message that this process sends before its lease ends. The id is the same for every attempt, so that receivers can deduplicate. */
export type ClaimedWebhook = NewWebhook & WebhookAttempt;

/**
 * Inserts a message to send at once, for the commit that ends the digest. A run of a digest ends once, so there is one message;
 * an existing one stays.
 *
 * @param guard condition for inserting it
 */
export function insertWebhook(
  { query, now }: Connection,
  { tenant, digestId, url, payload }: NewWebhook,
  guard: SQL = sql`true`,
): BatchItem<'sqlite'> {
  const time = now();
  const message = { id: webhookIdOf(digestId), tenant, digestId, url, payload };
  const row = { ...message, state: 'waiting', notBefore: time, createdAt: time };
  return query
    .insert(webhooks)
    .select(sql`select ${valuesOf(webhooks, row)} where (${guard})`)
    .onConflictDoNothing();
}

/** `msg_…` for `dig_…`, and `msg_…_2` for its second run, since receivers deduplicate by id. */
function webhookIdOf(digestId: string): SQL {
  const run = sql`(select '_' || ${jobs.run} from ${jobs} where ${jobs.id} = ${digestId} and ${jobs.run} > 1)`;
  return sql`${`msg_${digestId.replace(/^dig_/, '')}`} || coalesce(${run}, '')`;
}

/**
 * Takes the messages that have been due longest. Each becomes due again when the lease ends, so that nothing is lost with a
 * process.
 */
export async function claimWebhooks(
  { query, write, now }: Connection,
  limit: number,
  leaseMilliseconds: number,
): Promise<ClaimedWebhook[]> {
  const { id, tenant, digestId, url, payload, attempt, notBefore } = webhooks;
  const time = now();
  const due = query
    .select({ id })
    .from(webhooks)
    .where(and(IS_WAITING, lte(notBefore, time)))
    .orderBy(asc(notBefore), asc(id))
    .limit(limit);
  const taken = { notBefore: time + leaseMilliseconds, attempt: sql`${attempt} + 1` };
  return write(() =>
    query
      .update(webhooks)
      .set(taken)
      .where(inArray(id, due))
      .returning({ id, tenant, digestId, url, payload, attempt }),
  );
}

const IS_WAITING = eq(webhooks.state, 'waiting');

/** What came of an attempt. */
export interface WebhookVerdict {
  readonly state: 'delivered' | 'failed' | 'waiting';
  /** A status, or the name of a failure. */
  readonly outcome: string;
  /** Null unless waiting. */
  readonly waitMilliseconds: number | null;
}

/** Ends a message or schedules its next attempt; false if this attempt is no longer current. */
export async function settleWebhook(
  connection: Connection,
  { id, attempt }: WebhookAttempt,
  { state, outcome, waitMilliseconds: wait }: WebhookVerdict,
): Promise<boolean> {
  const time = connection.now();
  const settled = { state, outcome, ...(wait === null ? { endedAt: time } : { notBefore: time + wait }) };
  const isCurrent = and(eq(webhooks.id, id), eq(webhooks.attempt, attempt), IS_WAITING);
  return wrote(connection, connection.query.update(webhooks).set(settled).where(isCurrent));
}

export async function waitingWebhooks({ query }: Connection): Promise<number> {
  return query.$count(webhooks, IS_WAITING);
}

/** When the next message is due, possibly in the past; null if none is. */
export async function nextDue({ query }: Connection): Promise<number | null> {
  const [row] = await query
    .select({ due: min(webhooks.notBefore) })
    .from(webhooks)
    .where(IS_WAITING);
  return row.due;
}

/** A message without its payload. */
export type StoredWebhook = Omit<WebhookRow, 'payload'>;

const { payload: _, ...COLUMNS } = getTableColumns(webhooks);

/** Messages of this tenant, newest first. @throws InvalidCursorError */
export async function listWebhooks(
  { query, tenant }: Database,
  request: PageRequest,
  state: string | undefined,
): Promise<Page<StoredWebhook>> {
  const isListed = and(eq(webhooks.tenant, tenant), state === undefined ? undefined : eq(webhooks.state, state));
  const list = query.select(COLUMNS).from(webhooks);
  return newestFirst(request, list, isListed, [webhooks.createdAt, webhooks.id], (row) => row.id);
}

export async function readWebhook({ query, tenant }: Database, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await query.select(COLUMNS).from(webhooks).where(own(tenant, id));
  return row;
}

/** Makes a failed message due again with all attempts; false if it has not failed. */
export async function retryWebhook(database: Database, id: string): Promise<boolean> {
  const anew = { state: 'waiting', attempt: 0, notBefore: database.now(), endedAt: null };
  const hasFailed = and(own(database.tenant, id), eq(webhooks.state, 'failed'));
  return wrote(database, database.query.update(webhooks).set(anew).where(hasFailed));
}

function own(tenant: string, id: string): SQL | undefined {
  return and(eq(webhooks.tenant, tenant), eq(webhooks.id, id));
}

/** Bytes of a secret: Standard Webhooks asks for 24 to 64. */
const BYTES = 32;

/** A random secret in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;
}

/** The secrets that sign the tenant's messages: the current one, created if missing, and the previous one while it is valid. */
export async function webhookSecrets(database: Database): Promise<readonly [string, ...string[]]> {
  const { query, commit, tenant, now } = database;
  const [row] = await query.select().from(tenants).where(eq(tenants.tenant, tenant));
  if (row === undefined) {
    // One of two processes inserts the row; both use what is in it.
    const made = { tenant, webhookSecret: newWebhookSecret(), createdAt: now() };
    await commit([query.insert(tenants).values(made).onConflictDoNothing()]);
    return webhookSecrets(database);
  }
  const { webhookSecret: current, previousSecret: previous, previousUntil: until } = row;
  return previous !== null && until !== null && until > now() ? [current, previous] : [current];
}

/** Creates and returns a new secret. The previous one stays valid for so many milliseconds; the one before that ends. */
export async function rotateWebhookSecret(database: Database, keepMilliseconds: number): Promise<string> {
  const { query, commit, tenant, now } = database;
  const webhookSecret = newWebhookSecret();
  const previous = { previousSecret: sql`${tenants.webhookSecret}`, previousUntil: now() + keepMilliseconds };
  const insert = query.insert(tenants).values({ tenant, webhookSecret, createdAt: now() });
  await commit([insert.onConflictDoUpdate({ target: tenants.tenant, set: { webhookSecret, ...previous } })]);
  return webhookSecret;
}
