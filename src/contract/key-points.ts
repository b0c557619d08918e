import { z } from '@hono/zod-openapi';
import { digestDocumentSchema, digestKeyPointSchema, digestUsageSchema } from './digest.ts';
import { extractionFields, extractionRequestSchema, stageRecordsSchema } from './digest-request.ts';
import { documentsSchema } from './documents.ts';
import type { TypeOf } from './fields.ts';

export const keyPointsRequestSchema = z
  .strictObject({
    documents: documentsSchema,
    engine: z
      .strictObject({ ...extractionFields, extraction: extractionRequestSchema.omit({ conditioned: true }).optional() })
      .optional(),
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

export const KEY_POINTS: KeyPoints = {
  keyPoints: [
    {
      id: 'kp_c3b76dd6b4fda0696bc8a33a',
      document: 'council',
      text: 'Traffic in the centre fell by 18 percent in the first year of the charge.',
      speaker: null,
      quote: {
        text: 'Traffic in the centre fell by 18 percent in the first year of the charge.',
        start: 0,
        end: 73,
        status: 'exact',
      },
      moreQuotes: [],
      selfContained: 1,
    },
    {
      id: 'kp_064b52ea0a861627d2aa553c',
      document: 'council',
      text: 'The charge raised 40 million euros, which paid for new trams.',
      speaker: null,
      quote: {
        text: 'The charge raised 40 million euros, which paid for new trams.',
        start: 74,
        end: 135,
        status: 'exact',
      },
      moreQuotes: [],
      selfContained: 1,
    },
  ],
  documents: [{ id: 'council', status: 'ok', excluded: null, keyPoints: 2, error: null }],
  engine: { extractor: 'sentences@6', models: {} },
  prompts: {},
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0, stages: {}, reusedExtractions: 0 },
  offsetUnit: 'utf16',
};

/** One example of each kind. */
export const KEY_POINTS_REQUESTS = {
  sentences: {
    summary: 'By rules',
    value: {
      documents: [
        {
          id: 'council',
          title: 'Council report',
          text: 'Traffic in the centre fell by 18 percent in the first year of the charge. The charge raised 40 million euros, which paid for new trams.',
        },
      ],
    },
  },
};
