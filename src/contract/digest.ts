import { z } from '@hono/zod-openapi';
import { STAGES } from './choices.ts';
import { callUsageSchema, perStage, stageRecordsSchema } from './digest-request.ts';
import { schemaOfEach, type TypeOf } from './fields.ts';
import { outcomeFields, selectionFields } from './selection-options.ts';
import { quoteSchema, sourceSchema, summarySchema, verificationSchema, writingReportSchema } from './summary.ts';

export const REASONS = [
  'gate',
  'supports',
  'rank',
  'level',
  'size',
  'words',
  'notDrawn',
  'unverified',
  'known',
] as const;
export type Reason = (typeof REASONS)[number];

/** A quote and how it was found. */
const pointQuoteSchema = quoteSchema.extend({ status: z.enum(['exact', 'repaired']) });
export type PointQuote = TypeOf<typeof pointQuoteSchema>;

/** A model's quote that is not in the document. */
const unverifiedQuoteSchema = z.object({
  text: z.string(),
  start: z.null(),
  end: z.null(),
  status: z.literal('unverified'),
});

/** A key point with its source and the reason why it was selected or not. */
export const digestKeyPointSchema = z
  .object({
    /** Hash of document id, start, end and extractor. */
    id: z.string(),
    document: z.string(),
    text: z.string(),
    speaker: z.string().nullable(),
    quote: z.union([pointQuoteSchema, unverifiedQuoteSchema]),
    /** Further quotes of the same document that state it. */
    moreQuotes: z.array(pointQuoteSchema),
    verification: verificationSchema.optional().openapi({
      description:
        'How the text was checked against its quotes. `unverified`: a language model worded it, and nothing in the digest relies on the wording. Absent in older digests.',
    }),
    /** Null if the document does not contain the quote; such a point is ignored. */
    relevance: z.number().nullable(),
    probability: z.number().nullable().optional().openapi({
      description:
        'That it helps to answer; by grades of a language model 0.8 and more for what answers, 0.5 and more for what helps to. Null without an intent, and where relevance is no estimate of a calibrated encoder; absent in older digests.',
    }),
    quality: z.number().nullable().optional().openapi({
      description:
        'Factor of relevance: the weight of the document times how well the key point can be understood alone. Absent in older digests, where it is 1.',
    }),
    /** Number of other documents that say the same; null if the gate dropped the point, or if no option needs it. */
    salience: z.int().nullable(),
    selected: z.boolean(),
    rank: z.int().nullable(),
    /** Gain when picked, or after the last pick; null if it could add nothing or a set was chosen. */
    gain: z.number().nullable(),
    /** Id of the selected point that it supports. */
    supports: z.string().nullable(),
    related: z.array(z.string()).optional().openapi({
      description:
        'Similar key points that do not state the same and are not cited for it, most similar first. Empty if the key point is not selected; absent in older digests.',
    }),
    nearest: z.object({ id: z.string(), similarity: z.number() }).nullable(),
    marginal: z.number().nullable().openapi({
      description:
        'Probability that an exact draw of random size holds it; null of `k-dpp`, and where the strategy did not decompose the kernel.',
    }),
    reason: z.enum(REASONS).nullable(),
  })
  .openapi('KeyPoint');
export type DigestKeyPoint = TypeOf<typeof digestKeyPointSchema>;

const DOCUMENT_STATUSES = ['ok', 'failed', 'empty', 'excluded'] as const;

export const digestDocumentSchema = z
  .object({
    id: z.string(),
    status: z.enum(DOCUMENT_STATUSES),
    excluded: z.enum(['date', 'known']).nullable().openapi({
      description:
        'Why the document was skipped: published outside the requested dates, or already read for an earlier digest.',
    }),
    keyPoints: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi('DocumentStatus');
export type DigestDocument = TypeOf<typeof digestDocumentSchema>;

const digestMetricsSchema = z.object({
  /** Share of the documents read that contain a selected key point. */
  documentCoverage: z.number(),
  /** Share of the documents read that are cited. */
  citedDocuments: z.number(),
  /** Mean over selected points of the largest similarity to another one; null for fewer than two. */
  redundancy: z.number().nullable(),
  /** Mean relevance of the selected points; null without an intent or a selection. */
  relevance: z.number().nullable(),
  /** Words of the summary per word of the documents read. */
  compression: z.number(),
  words: z.int(),
  wordsPerSentence: z.number(),
});
export type DigestMetrics = TypeOf<typeof digestMetricsSchema>;

export const digestUsageSchema = callUsageSchema.extend({
  /** Language model calls by stage, and calls of encoder endpoints. */
  stages: z.object({ ...perStage(callUsageSchema), encode: callUsageSchema.optional() }),
  reusedExtractions: z.int(),
  reusedEncodings: z.int(),
});

const digestTimingsSchema = z.object(schemaOfEach(STAGES, z.number()));
export type DigestTimings = TypeOf<typeof digestTimingsSchema>;

export const experimentPartSchema = z.object({
  key: z.string(),
  version: z.int(),
  /** Null if the subject takes no part. */
  variant: z.string().nullable(),
  /** Whether the request sets an option of the variants, or not all variants could serve it: excluded from the analysis. */
  overridden: z.boolean(),
});
export type ExperimentPart = TypeOf<typeof experimentPartSchema>;

const STATUSES = ['completed', 'partial', 'failed'] as const;
export type DigestStatus = (typeof STATUSES)[number];

export const digestSchema = z
  .object({
    id: z.string().openapi({ example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' }),
    status: z.enum(STATUSES),
    summary: summarySchema,
    sources: z.array(sourceSchema),
    keyPoints: z.array(digestKeyPointSchema).openapi({
      description:
        'Those selected, up to three that joined them in each sentence, and those of `nearest`. With `include=receipts`, or in pages at `/v1/digests/{id}/key-points`: all.',
    }),
    intent: z
      .object({
        answered: z.enum(['yes', 'partly', 'no']),
        facets: z.array(z.object({ text: z.string(), answered: z.boolean() })),
        nearest: z
          .array(z.string())
          .openapi({ description: 'The most relevant key points, if nothing answers the question.' }),
      })
      .nullable()
      .optional()
      .openapi({
        description:
          'Whether what was asked is answered: `yes` where each part of it is for sure, as nine in ten of such parts are; `partly` where some are, or where it is not certain; `no` where none is. By grades of a language model points that only help to answer leave it at `no`. Null without an intent, absent in older digests.',
      }),
    documents: z.array(digestDocumentSchema).openapi({
      description:
        'In the order of the request, in which language models see them. Of more than 100 those of the key points listed, and up to 100 that failed.',
    }),
    counts: z
      .object({ keyPoints: z.int(), documents: z.object(schemaOfEach(DOCUMENT_STATUSES, z.int())) })
      .optional()
      .openapi({ description: 'Of all key points, and of the documents by status; absent in older digests.' }),
    selection: z.object({ ...selectionFields, ...outcomeFields }),
    engine: z.object({
      extractor: z.string(),
      encoder: z.string(),
      relevanceEncoder: z.string(),
      matrix: z.string(),
      /** `compose` also if the language model failed. */
      writer: z.string(),
      verifier: z.string().nullable().optional().openapi({
        description:
          "What held a language model's wording against the quotes: `llm`, `rules` or `off`; older digests may name an entailment model. Null where none worded anything, absent in older digests.",
      }),
      models: stageRecordsSchema,
    }),
    prompts: z.record(z.string(), z.string()),
    warnings: z.array(z.string()),
    metrics: digestMetricsSchema,
    writing: writingReportSchema
      .partial({ tooMany: true, leftOut: true, draft: true })
      .nullable()
      .openapi({ description: 'What happened to the sentences of a language model; null if none wrote.' }),
    usage: digestUsageSchema,
    timings: digestTimingsSchema,
    offsetUnit: z.literal('utf16'),
    experiment: experimentPartSchema.nullable().openapi({
      description:
        'The experiment of the request; null if it names none. `variant` is null if the subject does not participate.',
    }),
  })
  .openapi('Digest');
export type Digest = TypeOf<typeof digestSchema>;
export type SelectionAnswer = Digest['selection'];
