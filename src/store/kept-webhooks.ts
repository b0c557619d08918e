import { and, desc, eq, lt, or, type SQL } from 'drizzle-orm';
import type { Connection, Database } from './database.ts';
import { webhooks } from './schema.ts';

/** A message to a caller, as far as it is told who may see it. */
export interface StoredWebhook {
  readonly id: string;
  readonly tenant: string;
  readonly digestId: string;
  readonly url: string;
  /** `waiting`, `delivered`, `failed`. */
  readonly state: string;
  /** How often it was sent. */
  readonly attempt: number;
  /** When it is sent next, where it waits. */
  readonly notBefore: number;
  /** What came of the last attempt: a status, or the name of a failure. */
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

/** Messages of this tenant, from the newest on. */
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

/** Messages that were given up, of one tenant or of all, the last first. */
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

/** The message of this tenant with this id, or undefined. */
export async function readWebhook({ query, tenant }: Database, id: string): Promise<StoredWebhook | undefined> {
  const [row] = await query.select(COLUMNS).from(webhooks).where(own(tenant, id));
  return row;
}

/** Makes a message that was given up due again, with all its attempts before it; says whether it was given up. */
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
