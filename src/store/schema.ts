import { customType, foreignKey, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export { apiKeys, idempotencyKeys, tenants, webhooks } from './callers-schema.ts';
export { experimentEvents, experimentExposures, experiments, experimentTotals } from './experiments-schema.ts';

/**
 * Every table has a column `tenant`, and the modules of this folder that serve callers read and write the rows of one
 * tenant only: `Database.tenant`. Times are milliseconds since 1970.
 */
const tenant = () => text().notNull();

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
    /** How many parts the text is in, where it is too long for a row; the column is then empty. */
    parts: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.hash] }), index('documents_used_at').on(table.usedAt)],
);

/** What is made of texts and too long for a row (see `long-text.ts`), in the order of its parts. */
export const documentChunks = sqliteTable(
  'document_parts',
  {
    tenant: tenant(),
    documentHash: text('document_hash').notNull(),
    /** `text`, or `extraction:` and the extractor. */
    kind: text().notNull(),
    /** Counts up from 0. */
    part: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.documentHash, table.kind, table.part] }),
    foreignKey({
      columns: [table.tenant, table.documentHash],
      foreignColumns: [documents.tenant, documents.hash],
    }).onDelete('cascade'),
  ],
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
    /** How many parts the two arrays are in, where they are too long for a row; the columns are then empty. */
    parts: integer().notNull().default(0),
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
    /** How many parts the answer is in, where it is too long for a row; the column is then empty. */
    answerChunks: integer('answer_parts').notNull().default(0),
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

/** What belongs to digests and is too long for a row, in the order of its parts. */
export const digestChunks = sqliteTable(
  'digest_parts',
  {
    tenant: tenant(),
    digestId: text('digest_id')
      .notNull()
      .references(() => digests.id, { onDelete: 'cascade' }),
    /** `answer`, or `checkpoint:` and the stage. */
    kind: text().notNull(),
    /** Counts up from 0. */
    part: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.digestId, table.kind, table.part] })],
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
    /** Counts up from 1, each time that it is begun anew after it failed for good. */
    run: integer().notNull().default(1),
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
    /** 1 once what it told on its way is cleared away. */
    isTrimmed: integer('is_trimmed').notNull().default(0),
  },
  (table) => [
    index('jobs_next').on(table.state, table.priority, table.createdAt),
    index('jobs_tenant').on(table.tenant, table.state),
    index('jobs_ended').on(table.isTrimmed, table.endedAt),
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
    /** How many parts the value is in, where it is too long for a row; the column is then empty. */
    parts: integer().notNull().default(0),
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

/** Bytes, whatever a driver makes of them: better-sqlite3 views into larger buffers, D1 lists of numbers. Read, they begin a buffer of their own. */
const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array | readonly number[] }>({
  dataType: () => 'blob',
  fromDriver: (value) => new Uint8Array(value),
});

/** Vectors of a text by encoder. Little-endian: sentence Float32, tokens Int8, token ids Int32. */
export const encodings = sqliteTable(
  'encodings',
  {
    tenant: tenant(),
    textHash: text('text_hash').notNull(),
    encoder: text().notNull(),
    sentence: bytes().notNull(),
    tokens: bytes().notNull(),
    tokenIds: bytes('token_ids').notNull(),
    /** Day on which it was last read, since 1970. */
    usedOn: integer('used_on').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.textHash, table.encoder] }),
    index('encodings_used_on').on(table.usedOn),
  ],
);

/** Sentence vectors of texts that are asked for together, as those of a document. */
export const vectorLists = sqliteTable(
  'vector_lists',
  {
    tenant: tenant(),
    /** SHA-256 over the texts. */
    key: text().notNull(),
    encoder: text().notNull(),
    /** End to end, little-endian Float32. */
    vectors: bytes().notNull(),
    /** Day on which it was kept, since 1970. */
    usedOn: integer('used_on').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key, table.encoder] }),
    index('vector_lists_used_on').on(table.usedOn),
  ],
);

/** What a language model judged, and scores made of such verdicts, by everything that they depend on: judged once. */
export const judgements = sqliteTable(
  'judgements',
  {
    tenant: tenant(),
    /** SHA-256 over everything that the verdict depends on. */
    key: text().notNull(),
    /** What was judged: `judge-coverage`, say. */
    kind: text().notNull(),
    /** JSON. */
    verdict: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Day on which it was last read, since 1970. */
    usedOn: integer('used_on').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.key] }), index('judgements_used_on').on(table.usedOn)],
);

/** Where chores that take more than one run go on. */
export const chores = sqliteTable(
  'chores',
  {
    /** Nobody's, as long as they are done for all tenants at once. */
    tenant: tenant(),
    name: text().notNull(),
    /** JSON. */
    place: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name] })],
);
