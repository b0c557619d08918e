import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Who uses the service, what is kept of their requests, and what is sent to them. Part of `schema.ts`. */
const tenant = () => text().notNull();

/** Who uses the service: made with the first key, or with the first webhook. */
export const tenants = sqliteTable('tenants', {
  tenant: text().primaryKey(),
  /** Signs webhooks: `whsec_…`, and the one before it, which signs as well for a while. */
  webhookSecret: text('webhook_secret').notNull(),
  previousSecret: text('previous_secret'),
  previousUntil: integer('previous_until'),
  createdAt: integer('created_at').notNull(),
});

/** Keys of callers; of the key itself only a hash is kept. */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    name: text().notNull(),
    /** SHA-256 of the key. */
    hash: text().notNull().unique(),
    /** The first characters, to tell keys apart. */
    shown: text().notNull(),
    /** JSON array of scopes. */
    scopes: text().notNull(),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('api_keys_tenant').on(table.tenant)],
);

/** Messages to callers, until they are delivered. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    digestId: text('digest_id').notNull(),
    url: text().notNull(),
    payload: text().notNull(),
    /** `waiting`, `delivered`, `failed`. */
    state: text().notNull(),
    attempt: integer().notNull().default(0),
    notBefore: integer('not_before').notNull(),
    /** What came of the last attempt: a status, or the name of a failure. */
    outcome: text(),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('webhooks_next').on(table.state, table.notBefore),
    index('webhooks_tenant').on(table.tenant, table.createdAt, table.id),
  ],
);

/** Answers to requests that came with a key, for those that come again. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenant: tenant(),
    key: text().notNull(),
    /** Hash of method, address and body. */
    fingerprint: text().notNull(),
    /** The digest that the request made, if it made one. */
    digestId: text('digest_id'),
    /** The answer; null while there is none. */
    status: integer(),
    /** JSON. */
    headers: text(),
    /** Null where it is the digest's own answer. */
    body: text(),
    /** Who is at it, until when. */
    owner: text(),
    lockedUntil: integer('locked_until').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
);
