import { z } from '@hono/zod-openapi';
import { collectionDocumentParams } from './collection-schemas.ts';
import { DIGEST_MAP, DIGEST_REQUEST, SOURCE_TEXT } from './examples/digest-sources.ts';
import { digestOptions, digestRequestSchema } from './schemas.ts';

const id = z.string().openapi({ example: DIGEST_MAP.digest });
const asked = digestRequestSchema.shape;

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
    .openapi({ description: 'Directions at most.', example: 32 }),
});

export const digestMapSchema = z
  .strictObject({
    digest: id,
    encoder: z
      .string()
      .openapi({ description: 'What made the vectors: the encoder of the digest, as long as it is here.' }),
    dimensions: z.int().min(0).openapi({ description: 'As many as were asked for, or as the points have.' }),
    explained: z
      .number()
      .min(0)
      .max(1)
      .openapi({ description: 'Share of the variance that lies in these directions.' }),
    points: z.array(z.strictObject({ id: z.string(), vector: z.array(z.number()) })).openapi({
      description: 'The key points that have a relevance, in the order of the digest.',
    }),
  })
  .openapi('DigestMap', { example: DIGEST_MAP });

const documentFields = {
  id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  publishedAt: z.string().nullable(),
};

export const keptRequestSchema = z
  .strictObject({
    digest: id,
    createdAt: z.iso.datetime(),
    intent: asked.intent.unwrap().nullable().openapi({
      description: 'A background in words is not kept when the digest has ended.',
    }),
    collection: z.string().nullable().openapi({ description: 'The collection that the documents were of.' }),
    documents: z.array(
      z.strictObject({
        ...documentFields,
        weight: z.number().nullable(),
        characters: z
          .int()
          .min(0)
          .nullable()
          .openapi({ description: 'Length of the text, in UTF-16 code units; null where it is not kept.' }),
      }),
    ),
    // A union: of a component that may be null the document would say that it must be both.
    selection: z.union([asked.selection.unwrap(), z.null()]),
    summary: asked.summary.unwrap().nullable(),
    engine: digestOptions.engine.unwrap().nullable(),
    experiment: z
      .strictObject({ key: z.string(), version: z.int(), variant: z.string().nullable(), overridden: z.boolean() })
      .nullable()
      .openapi({ description: 'The options of its variant are among those above.' }),
  })
  .openapi('KeptRequest', {
    description: 'What was not given, or is not known any more, is null.',
    example: DIGEST_REQUEST,
  });

export const sourceTextSchema = z
  .strictObject({
    ...documentFields,
    text: z.string().openapi({ description: 'As the digest read it: all its offsets point into this.' }),
  })
  .openapi('SourceText', { example: SOURCE_TEXT });
