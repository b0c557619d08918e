import { z } from '@hono/zod-openapi';
import { addressSchema, asAddress, checkIds, documentSchema } from './documents.ts';
import { eventsText, nextCursor, type TypeOf, text } from './fields.ts';

const COLLECTION = {
  id: 'col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92',
  name: 'Council minutes',
  documents: 12,
  createdAt: '2026-11-21T09:30:00.000Z',
};
const collectionId = z.string().openapi({ example: COLLECTION.id });
const time = z.iso.datetime().openapi({ example: COLLECTION.createdAt });

const FIELDS = {
  title: 'Minutes of 2 March',
  url: 'https://example.org/minutes/2026-03-02',
  publishedAt: '2026-03-02',
  weight: 1,
};

const TEXT = 'The council approved a congestion charge of 4 euros. Residents of the old town pay half the charge.';

const DOCUMENT = {
  id: 'minutes/2026-03-02',
  ...FIELDS,
  characters: TEXT.length,
  keyPoints: 2,
  updatedAt: COLLECTION.createdAt,
};

export const collectionParams = z.object({ id: collectionId });

export const collectionDocumentParams = z.object({
  id: collectionId,
  documentId: text(200).min(1).openapi({
    description: 'Percent-encoded. `.` and `..` are not allowed.',
    example: 'minutes-2026-03-02',
  }),
});

export const pageQuery = z.strictObject({
  limit: z.coerce
    .number<string>()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .openapi({ description: 'Maximum number of entries per page.', example: 20 }),
  cursor: z.string().max(4000).optional().openapi({ description: '`next` of the previous page.' }),
});

export const collectionRequestSchema = z
  .strictObject({ name: text(200).min(1).optional() })
  .openapi('CollectionRequest', { example: { name: COLLECTION.name } });

export const collectionSchema = z
  .strictObject({
    id: collectionId,
    name: z.string().nullable(),
    documents: z.int().min(0).openapi({ description: 'Number of documents.' }),
    createdAt: time,
  })
  .openapi('Collection', { example: COLLECTION });
export type Collection = TypeOf<typeof collectionSchema>;

export const collectionsSchema = z
  .strictObject({ collections: z.array(collectionSchema), next: nextCursor })
  .openapi('Collections', { example: { collections: [COLLECTION], next: null } });

export const collectionDocumentRequestSchema = z
  .union([documentSchema.omit({ id: true }), addressSchema.omit({ id: true }).transform(asAddress)])
  .openapi('CollectionDocumentRequest', { example: { ...FIELDS, text: TEXT } });

const documentFields = {
  id: z.string(),
  title: z.string().optional(),
  url: z.string().optional(),
  publishedAt: z.string().optional(),
  weight: z.number().optional(),
  characters: z.int().min(0).openapi({ description: 'Length of the text in UTF-16 code units.' }),
  keyPoints: z.int().min(0).openapi({ description: 'Number of key points extracted from it.' }),
  updatedAt: time,
};

const putFields = {
  ...documentFields,
  status: z.enum(['ok', 'empty', 'failed']).openapi({
    description:
      '`empty`: the text contains no statements. `failed`: extraction failed; it is retried when a digest uses the document.',
  }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
};

export const putDocumentSchema = z
  .strictObject(putFields)
  .openapi('PutDocument', { example: { ...DOCUMENT, status: 'ok', error: null } });
export type PutDocument = TypeOf<typeof putDocumentSchema>;

export const putDocumentsRequestSchema = z
  .strictObject({
    documents: z
      .array(z.union([documentSchema, addressSchema.extend({ id: documentSchema.shape.id }).transform(asAddress)]))
      .min(1)
      .superRefine(checkIds),
  })
  .openapi('PutDocumentsRequest', { example: { documents: [{ id: DOCUMENT.id, ...FIELDS, text: TEXT }] } });

export type PutDocumentsRequest = TypeOf<typeof putDocumentsRequestSchema>;

/** Documents to put, one a line. */
export const PUT_DOCUMENTS_LINES = [DOCUMENT.id, 'minutes/2026-04-06']
  .map((id) => `${JSON.stringify({ id, text: TEXT })}\n`)
  .join('');

export const putDocumentsSchema = z
  .strictObject({
    documents: z
      .array(z.strictObject({ ...putFields, isNew: z.boolean() }))
      .openapi({ description: 'In the order of the request.' }),
  })
  .openapi('PutDocuments', { example: { documents: [{ ...DOCUMENT, status: 'ok', error: null, isNew: true }] } });
export type PutDocuments = TypeOf<typeof putDocumentsSchema>;

/** Documents as they are put, as an event stream. */
export const PUT_DOCUMENTS_EVENTS = eventsText({
  progress: { stage: 'encode', done: 2, total: 2 },
  documents: { documents: [{ ...DOCUMENT, status: 'ok', error: null, isNew: true }] },
});

const collectionDocumentSchema = z.strictObject(documentFields).openapi('CollectionDocument', { example: DOCUMENT });
export type CollectionDocument = TypeOf<typeof collectionDocumentSchema>;

export const collectionTextSchema = z
  .strictObject({ ...documentFields, text: z.string() })
  .openapi('CollectionDocumentWithText', {
    example: { ...DOCUMENT, text: TEXT },
  });
export type CollectionText = TypeOf<typeof collectionTextSchema>;

export const collectionDocumentsSchema = z
  .strictObject({ documents: z.array(collectionDocumentSchema), next: nextCursor })
  .openapi('CollectionDocuments', {
    example: { documents: [DOCUMENT], next: null },
  });
