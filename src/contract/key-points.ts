import { z } from '@hono/zod-openapi';
import { digestDocumentSchema, digestKeyPointSchema, digestUsageSchema } from './digest.ts';
import {
  engineOr,
  extractionFields,
  extractionRequestSchema,
  stageRecordsSchema,
  WITH_DOCUMENTS,
} from './digest-request.ts';
import { documentsSchema } from './documents.ts';
import { DIGEST } from './examples/digest.ts';
import type { TypeOf } from './fields.ts';

export const keyPointsRequestSchema = z
  .strictObject({
    documents: documentsSchema,
    engine: engineOr(
      { embedded: { extractor: 'sentences' }, llm: { extractor: 'llm' } },
      z.strictObject({
        ...extractionFields,
        extraction: extractionRequestSchema.omit({ conditioned: true }).optional(),
      }),
    ).optional(),
  })
  .openapi('KeyPointsRequest', {
    example: { documents: [{ id: 'council', text: 'The charge raised 40 million euros, which paid for new trams.' }] },
  });
export type KeyPointsRequest = TypeOf<typeof keyPointsRequestSchema>;

export const keyPointsSchema = z
  .object({
    keyPoints: z.array(
      digestKeyPointSchema
        .pick({ id: true, document: true, text: true, speaker: true, quote: true, moreQuotes: true })
        /** How well it reads alone, in (0, 1]; null if the document does not contain the quote. */
        .extend({ selfContained: z.number().nullable() }),
    ),
    documents: z.array(digestDocumentSchema),
    engine: z.object({ extractor: z.string(), models: stageRecordsSchema }),
    prompts: z.record(z.string(), z.string()),
    usage: digestUsageSchema.omit({ reusedEncodings: true }),
    offsetUnit: z.literal('utf16'),
  })
  .openapi('KeyPoints');
export type KeyPoints = TypeOf<typeof keyPointsSchema>;

const DOCUMENT = WITH_DOCUMENTS.documents[0];
const OWN_POINTS = DIGEST.keyPoints.filter(({ document }) => document === DOCUMENT.id);

export const KEY_POINTS: KeyPoints = {
  keyPoints: OWN_POINTS.map(({ id, document, text, speaker, quote, moreQuotes }) => {
    return { id, document, text, speaker, quote, moreQuotes, selfContained: 1 };
  }),
  documents: DIGEST.documents.filter(({ id }) => id === DOCUMENT.id),
  engine: { extractor: DIGEST.engine.extractor, models: {} },
  prompts: {},
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0, stages: {}, reusedExtractions: 0 },
  offsetUnit: 'utf16',
};

/** One example of each kind. */
export const KEY_POINTS_REQUESTS = {
  sentences: {
    summary: 'By rules',
    value: { documents: [{ id: DOCUMENT.id, title: DOCUMENT.title, text: DOCUMENT.text }] },
  },
};
