import { z } from '@hono/zod-openapi';
import { collectionDocumentParams } from './collections.ts';
import { experimentPartSchema } from './digest.ts';
import { digestRequestSchema, engineRequestSchema, summaryRequestSchema, WITH_DOCUMENTS } from './digest-request.ts';
import { DIGEST } from './examples/digest.ts';
import type { TypeOf } from './fields.ts';
import { selectionRequestSchema } from './selection-options.ts';

/** A recorded map of `DIGEST` in three dimensions. */
const DIGEST_MAP = {
  digest: DIGEST.id,
  encoder: 'transformers/all-MiniLM-L6-v2/q8/2',
  dimensions: 3,
  explained: 0.8009,
  points: [
    { id: 'kp_5ef8222b24e723b11de743eb', vector: [-0.5053, 0.1443, -0.2439] },
    { id: 'kp_e8d6a7b2a03f1fc2d1a459e9', vector: [-0.1938, 0.3544, 0.3945] },
    { id: 'kp_5618ce0342c7cc86053369f4', vector: [0.1385, -0.3961, 0.6133] },
    { id: 'kp_2282a1d9c8b294396d0c67c7', vector: [0.8363, 0.4913, -0.1873] },
    { id: 'kp_c3b76dd6b4fda0696bc8a33a', vector: [-0.5082, 0.1031, -0.2145] },
    { id: 'kp_064b52ea0a861627d2aa553c', vector: [0.2324, -0.6972, -0.3621] },
  ],
};

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

const id = z.string().openapi({ example: DIGEST_MAP.digest });

export const digestParams = z.object({ id });

export const digestDocumentParams = z.object({
  id,
  documentId: collectionDocumentParams.shape.documentId.openapi({ example: SOURCE_TEXT.id }),
});

export const mapQuery = z.strictObject({
  dimensions: z.coerce
    .number<string>()
    .int()
    .min(2)
    .max(50)
    .default(32)
    .openapi({ description: 'Maximum number of dimensions.', example: 32 }),
});

/** A key point's place on the map. */
const mappedPointSchema = z.strictObject({
  id: z.string(),
  /** Coordinates along the map's directions, to four decimals. */
  vector: z.array(z.number()),
});
export type MappedPoint = TypeOf<typeof mappedPointSchema>;

/** Key points along the principal components of their sentence vectors. */
export const digestMapSchema = z
  .strictObject({
    digest: id,
    encoder: z.string().openapi({
      description: 'The encoder of the vectors: that of the digest, or the default if the service no longer has it.',
    }),
    dimensions: z.int().min(0).openapi({ description: 'The requested number, or fewer if the key points span fewer.' }),
    explained: z
      .number()
      .min(0)
      .max(1)
      .openapi({ description: 'Share of the variance that these dimensions explain.' }),
    points: z.array(mappedPointSchema).openapi({
      description: 'The key points with a relevance, in the order of the digest.',
    }),
  })
  .openapi('DigestMap', { example: DIGEST_MAP });
export type DigestMap = TypeOf<typeof digestMapSchema>;

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
