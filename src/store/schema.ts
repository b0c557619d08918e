import { foreignKey, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export { experimentEvents, experimentExposures, experiments, experimentTotals } from './experiments-schema.ts';
export { encodings, judgements } from './kept-work-schema.ts';

/**
 * Every table has a column `tenant`, and the modules of this folder that serve callers read and write the rows of one
 * tenant only: `Database.tenant`. Times are milliseconds since 1970.
 */
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

/** Texts by content hash, so that a document that comes again is stored once. */
export const documents = sqliteTable(
  'documents',
  {
    tenant: tenant(),
    hash: text().notNull(),
    text: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** When it last came. */
    usedAt: integer('used_at').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.hash] }), index('documents_used_at').on(table.usedAt)],
);

/** Key points of a text by extractor: done once per document, whatever the intent (promise P9). */
export const extractions = sqliteTable(
  'extractions',
  {
    tenant: tenant(),
    documentHash: text('document_hash').notNull(),
    extractor: text().notNull(),
    /** ISO 639-3 code, or `und`. */
    language: text().notNull(),
    words: integer().notNull(),
    /** JSON array of ExtractedKeyPoint. */
    keyPoints: text('key_points').notNull(),
    /** JSON array of UnverifiedKeyPoint. */
    unverified: text().notNull().default('[]'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.documentHash, table.extractor] }),
    foreignKey({
      columns: [table.tenant, table.documentHash],
      foreignColumns: [documents.tenant, documents.hash],
    }).onDelete('cascade'),
  ],
);

/** Digests asked for, and their answers once they are made. */
export const digests = sqliteTable(
  'digests',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    /** `queued` until there is an answer, then the answer's; `failed` where there is none. A cancelled job leaves it as it is. */
    status: text().notNull(),
    /** JSON of the request, with hashes in the place of texts; null for digests from before requests were kept. */
    request: text(),
    /** JSON of the answer; null until it is made. */
    answer: text(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('digests_created_at').on(table.createdAt),
    index('digests_tenant').on(table.tenant, table.createdAt, table.id),
  ],
);

/** Which texts a digest is made from. */
export const digestDocuments = sqliteTable(
  'digest_documents',
  {
    tenant: tenant(),
    digestId: text('digest_id')
      .notNull()
      .references(() => digests.id, { onDelete: 'cascade' }),
    documentId: text('document_id').notNull(),
    documentHash: text('document_hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.digestId, table.documentId] }),
    foreignKey({
      columns: [table.tenant, table.documentHash],
      foreignColumns: [documents.tenant, documents.hash],
    }),
    index('digest_documents_hash').on(table.tenant, table.documentHash),
  ],
);

/** The work on a digest: who does it until when, and how often it was begun. */
export const jobs = sqliteTable(
  'jobs',
  {
    id: text()
      .primaryKey()
      .references(() => digests.id, { onDelete: 'cascade' }),
    tenant: tenant(),
    /** `queued`, `running`, `done`, `failed`, `cancelled`. */
    state: text().notNull(),
    /** Higher goes first: 1 where a caller waits. */
    priority: integer().notNull(),
    /** How often it was begun; guards every write of who runs it. */
    attempt: integer().notNull().default(0),
    /** How often it may be begun again after a failure that may pass. */
    retries: integer().notNull(),
    /** How often who ran it was gone before the end. */
    crashes: integer().notNull().default(0),
    /** Who runs it, and until when that holds. */
    owner: text(),
    leaseUntil: integer('lease_until'),
    /** Not to be begun before. */
    notBefore: integer('not_before').notNull(),
    /** JSON of Progress. */
    progress: text(),
    /** JSON of the problem that ended it. */
    problem: text(),
    callbackUrl: text('callback_url'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [
    index('jobs_next').on(table.state, table.priority, table.createdAt),
    index('jobs_tenant').on(table.tenant, table.state),
  ],
);

/** What finished stages of a job left, so that they are not done again after a crash; gone with its end. */
export const jobCheckpoints = sqliteTable(
  'job_checkpoints',
  {
    tenant: tenant(),
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    stage: text().notNull(),
    /** Names everything that the value depends on. */
    key: text().notNull(),
    value: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.stage] })],
);

/** What a job told while it ran: what streams read, from wherever they were cut. */
export const jobEvents = sqliteTable(
  'job_events',
  {
    tenant: tenant(),
    jobId: text('job_id')
      .notNull()
      .references(() => jobs.id, { onDelete: 'cascade' }),
    /** Counts up from 1. */
    number: integer().notNull(),
    event: text().notNull(),
    /** JSON; null for the event that carries the answer, which is read from the digest. */
    data: text(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
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
  (table) => [index('webhooks_next').on(table.state, table.notBefore), index('webhooks_tenant').on(table.tenant)],
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

/** Documents that are kept to be asked of again and again. */
export const collections = sqliteTable(
  'collections',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    name: text(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('collections_tenant').on(table.tenant, table.createdAt, table.id)],
);

/** The documents of a collection. */
export const collectionDocuments = sqliteTable(
  'collection_documents',
  {
    tenant: tenant(),
    collectionId: text('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    documentId: text('document_id').notNull(),
    documentHash: text('document_hash').notNull(),
    title: text(),
    url: text(),
    publishedAt: text('published_at'),
    weight: real(),
    /** UTF-16 code units. */
    characters: integer().notNull(),
    keyPoints: integer('key_points').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.documentId] }),
    foreignKey({
      columns: [table.tenant, table.documentHash],
      foreignColumns: [documents.tenant, documents.hash],
    }),
    index('collection_documents_hash').on(table.tenant, table.documentHash),
  ],
);
