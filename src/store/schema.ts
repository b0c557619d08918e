import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Texts by content hash, so that a document that comes again is stored once. */
export const documents = sqliteTable('documents', {
  hash: text().primaryKey(),
  text: text().notNull(),
  createdAt: integer('created_at').notNull(),
});

/** Key points of a text by extractor: done once per document, whatever the intent (promise P9). */
export const extractions = sqliteTable(
  'extractions',
  {
    documentHash: text('document_hash')
      .notNull()
      .references(() => documents.hash, { onDelete: 'cascade' }),
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
  (table) => [primaryKey({ columns: [table.documentHash, table.extractor] })],
);

/** Vectors of a text by encoder. Little-endian: sentence Float32, tokens Int8, token ids Int32. */
export const encodings = sqliteTable(
  'encodings',
  {
    textHash: text('text_hash').notNull(),
    encoder: text().notNull(),
    sentence: blob({ mode: 'buffer' }).notNull(),
    tokens: blob({ mode: 'buffer' }).notNull(),
    tokenIds: blob('token_ids', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.textHash, table.encoder] })],
);

/** Finished digests, as they were answered. */
export const digests = sqliteTable(
  'digests',
  {
    id: text().primaryKey(),
    status: text().notNull(),
    /** JSON of the answer. */
    answer: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('digests_created_at').on(table.createdAt)],
);

/** Which texts a digest was made from. */
export const digestDocuments = sqliteTable(
  'digest_documents',
  {
    digestId: text('digest_id')
      .notNull()
      .references(() => digests.id, { onDelete: 'cascade' }),
    documentId: text('document_id').notNull(),
    documentHash: text('document_hash')
      .notNull()
      .references(() => documents.hash),
  },
  (table) => [
    primaryKey({ columns: [table.digestId, table.documentId] }),
    index('digest_documents_hash').on(table.documentHash),
  ],
);
