import { and, asc, count, desc, eq, getTableColumns, inArray, lt, lte, min, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { jobs, tenants, webhooks } from './schema.ts';

export interface NewWebhook {
  readonly tenant: string;
  readonly digestId: string;
  readonly url: string;
  /** The body to sign and send. */
  readonly payload: string;
}

/** A message that this process sends before its lease ends. */
export interface ClaimedWebhook extends NewWebhook {
  /** The same for every attempt, so that receivers can deduplicate. */
  readonly id: string;
  readonly attempt: number;
}

/** One attempt; its writes do nothing once another process has taken the message. */
type WebhookAttempt = Pick<ClaimedWebhook, 'id' | 'attempt'>;

/**
 * Inserts a message to send at once, for the commit that ends the digest. A run of a digest ends once, so there is one message;
 * an existing one stays.
 *
 * @param guard condition for inserting it
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
  // Drizzle inserts all columns in table order.
  const columns = Object.keys(getTableColumns(webhooks)) as (keyof typeof row)[]; // the same keys by its type
  const values = columns.map((column) => sql`${row[column]}`);
  return connection.query
    .insert(webhooks)
    .select(sql`select ${sql.join(values, sql`, `)} where (${guard})`)
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

/** Ends a message; false if the attempt is no longer current. */
export async function endWebhook(
  connection: Connection,
  webhook: WebhookAttempt,
  state: 'delivered' | 'failed',
  outcome: string,
): Promise<boolean> {
  return write(connection, webhook, { state, outcome, endedAt: connection.now() });
}

/** Schedules the next attempt; false if this one is no longer current. */
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

export async function waitingWebhooks(connection: Connection): Promise<number> {
  const [row] = await connection.query.select({ waiting: count() }).from(webhooks).where(eq(webhooks.state, 'waiting'));
  return row.waiting;
}

/** When the next message is due, possibly in the past; null if none is. */
export async function nextDue(connection: Connection): Promise<number | null> {
  const [row] = await connection.query
    .select({ due: min(webhooks.notBefore) })
    .from(webhooks)
    .where(eq(webhooks.state, 'waiting'));
  return row.due;
}

/** A message without its payload. */
export interface StoredWebhook {
  readonly id: string;
  readonly tenant: string;
  readonly digestId: string;
  readonly url: string;
  /** `waiting`, `delivered`, `failed`. */
  readonly state: string;
  readonly attempt: number;
  /** Time of the next attempt, if it waits. */
  readonly notBefore: number;
  /** Of the last attempt: an HTTP status, or the name of a failure. */
  readonly outcome: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

const COLUMNS = {
  id: webhooks.id,
  tenant: webhooks.tenant,
  digestId: webhooks.digestId,
  url: webhooks.url,
  state: webhooks.state,
  attempt: webhooks.attempt,
  notBefore: webhooks.notBefore,
  outcome: webhooks.outcome,
  createdAt: webhooks.createdAt,
  endedAt: webhooks.endedAt,
};

/** Messages of this tenant, newest first. */
export async function listWebhooks(
  { query, tenant }: Database,
  {
    after,
    state,
    limit,
  }: {
    readonly after: { readonly createdAt: number; readonly id: string } | null;
    readonly state: string | undefined;
    readonly limit: number;
  },
): Promise<StoredWebhook[]> {
  const isOlder =
    after === null
      ? undefined
      : or(
          lt(webhooks.createdAt, after.createdAt),
          and(eq(webhooks.createdAt, after.createdAt), lt(webhooks.id, after.id)),
        );
  return query
    .select(COLUMNS)
    .from(webhooks)
    .where(and(eq(webhooks.tenant, tenant), isOlder, state === undefined ? undefined : eq(webhooks.state, state)))
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(limit);
}

/** Failed messages of one tenant or of all, latest first. */
export async function listFailedWebhooks(
  { query }: Connection,
  { tenant, limit }: { readonly tenant?: string | undefined; readonly limit: number },
): Promise<StoredWebhook[]> {
  return query
    .select(COLUMNS)
    .from(webhooks)
    .where(and(eq(webhooks.state, 'failed'), tenant === undefined ? undefined : eq(webhooks.tenant, tenant)))
    .orderBy(desc(webhooks.endedAt), desc(webhooks.id))
    .limit(limit);
}

export async function readWebhook({ query, tenant }: Database, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await query.select(COLUMNS).from(webhooks).where(own(tenant, id));
  return row;
}

/** Makes a failed message due again with all attempts; false if it has not failed. */
export async function retryWebhook({ query, write, tenant, now }: Database, id: string): Promise<boolean> {
  const written = await write(() =>
    query
      .update(webhooks)
      .set({ state: 'waiting', attempt: 0, notBefore: now(), endedAt: null })
      .where(and(own(tenant, id), eq(webhooks.state, 'failed')))
      .returning({ id: webhooks.id }),
  );
  return written.length > 0;
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
  const known = (await readSecrets(database)) ?? (await makeSecrets(database));
  const { current, previous, until } = known;
  return previous !== null && until !== null && until > database.now() ? [current, previous] : [current];
}

/** Creates and returns a new secret. The previous one stays valid for so many milliseconds; the one before that ends. */
export async function rotateWebhookSecret(database: Database, keepMilliseconds: number): Promise<string> {
  const now = database.now();
  const [row] = await database.write(() =>
    database.query
      .insert(tenants)
      .values({ tenant: database.tenant, webhookSecret: newWebhookSecret(), createdAt: now })
      .onConflictDoUpdate({
        target: tenants.tenant,
        set: {
          webhookSecret: sql`excluded.webhook_secret`,
          previousSecret: sql`${tenants.webhookSecret}`,
          previousUntil: now + keepMilliseconds,
        },
      })
      .returning({ current: tenants.webhookSecret }),
  );
  return row.current;
}

interface Secrets {
  readonly current: string;
  readonly previous: string | null;
  readonly until: number | null;
}

async function readSecrets(database: Database): Promise<Secrets | undefined> {
  const [row] = await database.query
    .select({ current: tenants.webhookSecret, previous: tenants.previousSecret, until: tenants.previousUntil })
    .from(tenants)
    .where(eq(tenants.tenant, database.tenant));
  return row;
}

async function makeSecrets(database: Database): Promise<Secrets> {
  const current = newWebhookSecret();
  // One of two processes inserts the row; both use what is in it.
  await database.write(() =>
    database.query
      .insert(tenants)
      .values({ tenant: database.tenant, webhookSecret: current, createdAt: database.now() })
      .onConflictDoNothing()
      .returning({ tenant: tenants.tenant }),
  );
  return (await readSecrets(database)) ?? { current, previous: null, until: null };
}
