import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Tenants, keys, webhooks and idempotency keys. Part of `schema.ts`. */
const tenant = () => text().notNull();

/** Created with the first key or the first webhook. */
export const tenants = sqliteTable('tenants', {
  tenant: text().primaryKey(),
  webhookSecret: text('webhook_secret').notNull(), // signs webhooks (`whsec_…`); the previous one also signs for a while
  previousSecret: text('previous_secret'),
  previousUntil: integer('previous_until'),
  createdAt: integer('created_at').notNull(),
});

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    name: text().notNull(),
    hash: text().notNull().unique(), // SHA-256 of the key
    shown: text().notNull(),
    scopes: text().notNull(), // JSON array of scopes
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('api_keys_tenant').on(table.tenant)],
);

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    digestId: text('digest_id').notNull(),
    url: text().notNull(),
    payload: text().notNull(),
    state: text().notNull(), // `waiting`, `delivered`, `failed`
    attempt: integer().notNull().default(0),
    notBefore: integer('not_before').notNull(),
    outcome: text(), // of the last attempt: an HTTP status, or the name of a failure
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('webhooks_next').on(table.state, table.notBefore),
    index('webhooks_tenant').on(table.tenant, table.createdAt, table.id),
  ],
);

/** Answers to requests with an idempotency key, replayed when they are repeated. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenant: tenant(),
    key: text().notNull(),
    fingerprint: text().notNull(), // hash of method, address and body
    digestId: text('digest_id'), // the digest that the request created, if any
    status: integer(), // null until there is an answer
    headers: text(), // JSON
    body: text(), // null if it is the digest's own answer
    owner: text(), // who handles it, and until when
    lockedUntil: integer('locked_until').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key] }),
    index('idempotency_keys_created_at').on(table.createdAt),
  ],
);
