import { customType, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** What can be made again, kept so that it need not be. Part of `schema.ts`. */
const tenant = () => text().notNull();

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
