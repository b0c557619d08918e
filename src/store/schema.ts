import {
  type AnySQLiteColumn,
  customType,
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';

export { apiKeys, idempotencyKeys, tenants, webhooks } from './callers-schema.ts';
export { experimentEvents, experimentExposures, experiments, experimentTotals } from './experiments-schema.ts';

/**
 * Every table has a column `tenant`, and code that serves callers reads and writes the rows of one tenant only
 * (`Database.tenant`). Times are milliseconds since 1970.
 */
const tenant = () => text().notNull();

/** Number of parts of a text too long for a row (`rows.ts`); its column is then empty. */
const parts = (name: string) => integer(name).notNull().default(0);

const ofDigest = () =>
  text('digest_id')
    .notNull()
    .references(() => digests.id, { onDelete: 'cascade' });

const ofJob = () =>
  text('job_id')
    .notNull()
    .references(() => jobs.id, { onDelete: 'cascade' });

const ofCollection = () =>
  text('collection_id')
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' });

const ofDocument = (table: { readonly tenant: AnySQLiteColumn; readonly documentHash: AnySQLiteColumn }) =>
  foreignKey({
    columns: [table.tenant, table.documentHash],
    foreignColumns: [documents.tenant, documents.hash],
  });

/** Texts by content hash, so that a repeated document is stored once. */
export const documents = sqliteTable(
  'documents',
  {
    tenant: tenant(),
    hash: text().notNull(),
    text: text().notNull(),
    createdAt: integer('created_at').notNull(),
    usedAt: integer('used_at').notNull().default(0),
    parts: parts('parts'),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.hash] }), index('documents_used_at').on(table.usedAt)],
);

/** Parts of texts and extractions too long for a row (`rows.ts`). */
export const documentChunks = sqliteTable(
  'document_parts',
  {
    tenant: tenant(),
    documentHash: text('document_hash').notNull(),
    kind: text().notNull(), // `text`, or `extraction:` and the extractor
    part: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.documentHash, table.kind, table.part] }),
    ofDocument(table).onDelete('cascade'),
  ],
);

/** Key points of a text by extractor: made once per document, whatever the intent (promise P9). */
export const extractions = sqliteTable(
  'extractions',
  {
    tenant: tenant(),
    documentHash: text('document_hash').notNull(),
    extractor: text().notNull(),
    language: text().notNull(), // ISO 639-3 code, or `und`
    words: integer().notNull(),
    keyPoints: text('key_points').notNull(), // JSON array of ExtractedKeyPoint
    unverified: text().notNull().default('[]'), // JSON array of UnverifiedKeyPoint
    createdAt: integer('created_at').notNull(),
    parts: parts('parts'),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.documentHash, table.extractor] }),
    ofDocument(table).onDelete('cascade'),
  ],
);

export const digests = sqliteTable(
  'digests',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    status: text().notNull(), // `queued`, then the answer's status, or `failed`. A cancelled job leaves it unchanged.
    request: text(), // JSON of the request, with hashes in place of texts; null for digests older than stored requests
    answer: text(), // JSON; null until the digest is made
    createdAt: integer('created_at').notNull(),
    answerChunks: parts('answer_parts'),
    /** Number of parts of what the answer leaves out; 0 if it is whole. */
    receiptChunks: parts('receipt_parts'),
  },
  (table) => [
    index('digests_created_at').on(table.createdAt),
    index('digests_tenant').on(table.tenant, table.createdAt, table.id),
  ],
);

export const digestDocuments = sqliteTable(
  'digest_documents',
  {
    tenant: tenant(),
    digestId: ofDigest(),
    documentId: text('document_id').notNull(),
    documentHash: text('document_hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.digestId, table.documentId] }),
    ofDocument(table),
    index('digest_documents_hash').on(table.tenant, table.documentHash),
  ],
);

/** Parts of answers and checkpoints too long for a row. */
export const digestChunks = sqliteTable(
  'digest_parts',
  {
    tenant: tenant(),
    digestId: ofDigest(),
    kind: text().notNull(), // `answer`, `receipts`, `documents` of the request, or `checkpoint:` and the stage
    part: integer().notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.digestId, table.kind, table.part] })],
);

export const jobs = sqliteTable(
  'jobs',
  {
    id: text()
      .primaryKey()
      .references(() => digests.id, { onDelete: 'cascade' }),
    tenant: tenant(),
    state: text().notNull(), // `queued`, `running`, `done`, `failed`, `cancelled`
    priority: integer().notNull(), // higher goes first: 1 if a caller waits
    attempt: integer().notNull().default(0), // number of the attempt; guards every write of its runner
    retries: integer().notNull(), // retries left after transient failures
    crashes: integer().notNull().default(0), // attempts whose runner disappeared
    run: integer().notNull().default(1), // number of the run, raised by each retry of a failed job
    owner: text(), // the runner, and until when it holds the job
    leaseUntil: integer('lease_until'),
    notBefore: integer('not_before').notNull(),
    progress: text(), // JSON of Progress
    problem: text(), // JSON of the final problem
    callbackUrl: text('callback_url'),
    createdAt: integer('created_at').notNull(),
    endedAt: integer('ended_at'),
    isTrimmed: integer('is_trimmed').notNull().default(0), // 1 once its events are cleared
  },
  (table) => [
    index('jobs_next').on(table.state, table.priority, table.createdAt),
    index('jobs_tenant').on(table.tenant, table.state),
    index('jobs_ended').on(table.isTrimmed, table.endedAt),
  ],
);

/** Results of finished stages, so that a crash does not repeat them; deleted when the job ends. */
export const jobCheckpoints = sqliteTable(
  'job_checkpoints',
  {
    tenant: tenant(),
    jobId: ofJob(),
    stage: text().notNull(),
    key: text().notNull(), // hash of all that the value depends on
    value: text().notNull(),
    parts: parts('parts'),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.stage] })],
);

/** Events of a job, from which streams resume. */
export const jobEvents = sqliteTable(
  'job_events',
  {
    tenant: tenant(),
    jobId: ofJob(),
    number: integer().notNull(),
    event: text().notNull(),
    data: text(), // JSON; null for the event with the answer, which is read from the digest
  },
  (table) => [primaryKey({ columns: [table.jobId, table.number] })],
);

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

export const collectionDocuments = sqliteTable(
  'collection_documents',
  {
    tenant: tenant(),
    collectionId: ofCollection(),
    documentId: text('document_id').notNull(),
    documentHash: text('document_hash').notNull(),
    title: text(),
    url: text(),
    publishedAt: text('published_at'),
    weight: real(),
    characters: integer().notNull(), // UTF-16 code units
    keyPoints: integer('key_points').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.documentId] }),
    ofDocument(table),
    index('collection_documents_hash').on(table.tenant, table.documentHash),
  ],
);

/** Standing requests for what is new in a collection. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    tenant: tenant(),
    collectionId: ofCollection(),
    request: text().notNull(), // JSON of SubscriptionRequest
    isPaused: integer('is_paused').notNull().default(0),
    changedAt: integer('changed_at'), // first addition since the last claim
    quietSince: integer('quiet_since'), // last addition; later than now during a claim, null without new documents
    lastRun: text('last_run'), // JSON, as answered
    digestId: text('digest_id'), // last digest that was made, background of the next
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('subscriptions_quiet').on(table.quietSince),
    index('subscriptions_collection').on(table.collectionId),
    index('subscriptions_tenant').on(table.tenant, table.createdAt, table.id),
  ],
);

/** Bytes in a buffer of their own: better-sqlite3 returns views into larger buffers, D1 lists of numbers. */
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
    usedOn: integer('used_on').notNull().default(0), // day of the last read, since 1970
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.textHash, table.encoder] }),
    index('encodings_used_on').on(table.usedOn),
  ],
);

/** Sentence vectors of texts that are read together, such as those of a document; and packed documents, for a scan. */
export const vectorLists = sqliteTable(
  'vector_lists',
  {
    tenant: tenant(),
    key: text().notNull(), // SHA-256 over the texts, or what identifies a packed document
    encoder: text().notNull(),
    vectors: bytes().notNull(), // concatenated, little-endian Float32
    usedOn: integer('used_on').notNull(), // day on which it was saved, since 1970
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.key, table.encoder] }),
    index('vector_lists_used_on').on(table.usedOn),
  ],
);

/** Verdicts of language models and scores made from them, so that each is judged once. */
export const judgements = sqliteTable(
  'judgements',
  {
    tenant: tenant(),
    key: text().notNull(), // SHA-256 of all that the verdict depends on
    kind: text().notNull(), // for example `judge-coverage`
    verdict: text().notNull(), // JSON
    createdAt: integer('created_at').notNull(),
    usedOn: integer('used_on').notNull(), // day of the last read, since 1970
  },
  (table) => [primaryKey({ columns: [table.tenant, table.key] }), index('judgements_used_on').on(table.usedOn)],
);

/** Progress of chores that take more than one run. */
export const chores = sqliteTable(
  'chores',
  {
    tenant: tenant(), // empty: chores serve all tenants at once
    name: text().notNull(),
    place: text().notNull(), // JSON
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name] })],
);
