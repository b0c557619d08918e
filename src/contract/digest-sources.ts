import { z } from '@hono/zod-openapi';
import { collectionDocumentParams } from './collections.ts';
import { experimentPartSchema } from './digest.ts';
import { digestRequestSchema, engineRequestSchema, summaryRequestSchema, WITH_DOCUMENTS } from './digest-request.ts';
import { DIGEST } from './examples/digest.ts';
import type { TypeOf } from './fields.ts';
import { selectionRequestSchema } from './selection-options.ts';

const UNKNOWN = { title: null, url: null, publishedAt: null };

const DIGEST_REQUEST = {
  ...WITH_DOCUMENTS,
  digest: DIGEST.id,
  createdAt: '2026-11-21T09:30:00.000Z',
  collection: null,
  documents: WITH_DOCUMENTS.documents.map(({ text, ...document }) => {
    return { ...UNKNOWN, weight: null, ...document, characters: text.length };
  }),
  engine: null,
  experiment: null,
};

const SOURCE_TEXT = { ...UNKNOWN, ...WITH_DOCUMENTS.documents[0] };

const id = z.string().openapi({ example: DIGEST.id });

export const digestParams = z.object({ id });

export const digestDocumentParams = z.object({
  id,
  documentId: collectionDocumentParams.shape.documentId.openapi({ example: SOURCE_TEXT.id }),
});

const documentFields = {
  id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  publishedAt: z.string().nullable(),
};

/** A document of a request, without its text. */
const requestedDocumentSchema = z.strictObject({
  ...documentFields,
  weight: z.number().nullable(),
  characters: z
    .int()
    .min(0)
    .nullable()
    .openapi({ description: 'Length of the text in UTF-16 code units; null if the text is no longer stored.' }),
});
export type RequestedDocument = TypeOf<typeof requestedDocumentSchema>;

export const keptRequestSchema = z
  .strictObject({
    digest: id,
    createdAt: z.iso.datetime(),
    intent: digestRequestSchema.shape.intent.unwrap().nullable().openapi({
      description: 'The background text is deleted when the digest is finished.',
    }),
    collection: z.string().nullable().openapi({ description: 'The collection of the documents.' }),
    documents: z.array(requestedDocumentSchema),
    // A union: for a nullable component, OpenAPI would require both.
    selection: z.union([selectionRequestSchema, z.null()]),
    summary: summaryRequestSchema.nullable(),
    engine: engineRequestSchema.nullable(),
    experiment: experimentPartSchema
      .strict()
      .nullable()
      .openapi({ description: 'The options of its variant are included above.' }),
  })
  .openapi('KeptRequest', {
    description: 'Fields that were not sent, or are no longer known, are null.',
    example: DIGEST_REQUEST,
  });
export type KeptRequest = TypeOf<typeof keptRequestSchema>;

/** A document's text as the digest read it. */
export const sourceTextSchema = z
  .strictObject({
    ...documentFields,
    text: z.string().openapi({ description: 'The text that the offsets of the digest refer to.' }),
  })
  .openapi('SourceText', { example: SOURCE_TEXT });
export type SourceText = TypeOf<typeof sourceTextSchema>;
