import { z } from '@hono/zod-openapi';
import { OWN_ANSWERS, STRATEGY_NAMES } from '../selection/index.ts';
import { REASONS } from './digest.ts';
import { PRESETS } from './digest-request.ts';

/** What became of the sentences that a language model wrote. */
const writingSchema = z
  .object({
    drafted: z.int(),
    kept: z.int(),
    judged: z.int(),
    mended: z.int(),
    replaced: z.int(),
    uncited: z.int(),
    repeated: z.int(),
    tooLong: z.int(),
    tooMany: z.int().optional().openapi({
      description: 'Beyond the three sentences of a brief; absent where a stored digest does not say.',
    }),
    askedAgain: z.int(),
    added: z.int(),
    leftOut: z
      .array(
        z.object({
          keyPoint: z.string(),
          reason: z.enum(['writer', 'words', 'sentences', 'level', 'said', 'unsupported']),
        }),
      )
      .optional()
      .openapi({
        description:
          'Selected key points that are not in the text: the writer left them out, no words or no sentence was left for them, they are not relevant enough to be added, another says the same words, or the sentence that told them with others was not borne out. Absent where a stored digest does not say.',
      }),
    draft: z.string().nullable().optional().openapi({
      description:
        "What the model wrote, as it came and unchecked, of the paper's own arms: the preset `published`, and the strategies `all`, `llm` and `naive` (of the last the sentences of its answer). Its first 128,000 characters; null for other digests, absent where a stored digest does not say.",
    }),
  })
  .nullable()
  .openapi({ description: 'What became of the sentences that a language model wrote; null where none did.' });

const quote = z
  .object({ text: z.string(), start: z.int().min(0), end: z.int().min(0) })
  .openapi('Quote', { description: 'document.text.slice(start, end) === text, in UTF-16 code units.' });

const size = z.union([z.object({ keyPoints: z.int() }), z.object({ words: z.int() }), z.literal('auto')]);

const verification = z.enum(['verbatim', 'judged', 'mended', 'unverified']);

const sentence = z.object({
  text: z.string(),
  framing: z.boolean(),
  keyPoints: z.array(z.string()),
  citations: z.array(z.object({ document: z.string(), quote })),
  support: z.number().nullable().openapi({
    description: "1 for the quotes' own wording; null for framing and for any other wording.",
  }),
  verification: verification.nullable().optional().openapi({
    description:
      "How the sentence was held against what it cites: the quotes' own wording, judged by a model, judged after it was asked for again, or not at all, as the request wanted. Null for framing, absent where a stored digest does not say.",
  }),
  disagreement: z.object({ with: z.array(z.string()), on: z.string() }).nullable(),
  paragraph: z.int().min(0).optional().openapi({
    description:
      'Index of its paragraph. A paragraph may be a list, or end in one. Absent where a stored digest does not say.',
  }),
  item: z.int().min(0).optional().openapi({
    description:
      'Index of the list item in its paragraph that it belongs to; an item may hold several sentences. Absent outside lists.',
  }),
  label: z.string().optional().openapi({
    description:
      'What the list that it belongs to stands under in the text, without its colon ("Still open"): the same for all sentences of the list, and held together with them. Absent where nothing names the list.',
  }),
});

const pointQuote = quote.extend({ status: z.enum(['exact', 'repaired']) });

/** What calls of a language model took. */
export const callUsage = z.object({
  requests: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cost: z.number().nullable().openapi({ description: 'In the currency of the price table; null without a price.' }),
});

const perStage = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    extract: schema.optional(),
    select: schema.optional(),
    write: schema.optional(),
    judge: schema.optional(),
  });

/** Settings of a stage that asked a language model. */
export const stageRecord = z.object({
  model: z.string(),
  temperature: z.number().nullable(),
  topP: z.number().nullable(),
  seed: z.int().nullable(),
  prompt: z.string(),
});

const stageRecords = perStage(stageRecord);

const keyPoint = z
  .object({
    id: z.string(),
    document: z.string(),
    text: z.string(),
    speaker: z.string().nullable(),
    quote: z.union([
      pointQuote,
      z.object({ text: z.string(), start: z.null(), end: z.null(), status: z.literal('unverified') }),
    ]),
    moreQuotes: z.array(pointQuote),
    verification: verification.optional().openapi({
      description:
        'How its text was held against its quotes: `unverified` where a language model worded it and nothing in the digest rests on that. Absent where a stored digest does not say.',
    }),
    relevance: z.number().nullable(),
    probability: z.number().nullable().optional().openapi({
      description:
        'That it helps to answer; by grades of a language model 0.8 and more for what answers, 0.5 and more for what helps to. Null without an intent, and where relevance is no estimate of a calibrated encoder; absent where a stored digest does not say.',
    }),
    quality: z.number().nullable().optional().openapi({
      description:
        'What relevance is multiplied with: the weight of its document times how well it stands alone. Absent where a stored digest does not say; it counts as 1 then.',
    }),
    salience: z.int().nullable(),
    selected: z.boolean(),
    rank: z.int().nullable(),
    gain: z.number().nullable(),
    supports: z.string().nullable(),
    related: z.array(z.string()).optional().openapi({
      description:
        'Key points near a selected one that do not state it, most similar first: not cited for it. Empty for those not selected, absent where a stored digest does not say.',
    }),
    nearest: z.object({ id: z.string(), similarity: z.number() }).nullable(),
    marginal: z.number().nullable(),
    reason: z.enum(REASONS).nullable(),
  })
  .openapi('KeyPoint');

const documentStatus = z
  .object({
    id: z.string(),
    status: z.enum(['ok', 'failed', 'empty', 'excluded']),
    excluded: z
      .enum(['date', 'known'])
      .nullable()
      .openapi({ description: 'Why it was not read: published outside the window, or read for an earlier digest.' }),
    keyPoints: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .openapi('DocumentStatus');

/** The resolved options of a selection, and what came of them. */
export const selectionFields = {
  preset: z.enum(PRESETS),
  strategy: z.enum(STRATEGY_NAMES),
  size: size.nullable(),
  seed: z.int(),
  kernel: z.object({
    similarity: z.enum(['bertscore', 'cosine']),
    form: z.enum(['gaussian', 'linear']),
    sigma: z.number().nullable(),
    idf: z.number(),
  }),
  relevance: z.object({
    form: z.enum(['exponential', 'score']),
    weight: z.number(),
    gate: z.number().nullable(),
    surroundings: z.number(),
    facets: z.array(z.string()),
    estimate: z.boolean(),
    encoder: z.string().nullable().openapi({ description: '`llm` where a language model graded the points.' }),
  }),
  salience: z.object({ weight: z.number(), threshold: z.number() }),
  coverage: z.object({ weight: z.number(), threshold: z.number().nullable() }),
  sources: z.object({ weight: z.number() }),
  support: z.object({ threshold: z.number().nullable(), paraphrase: z.number(), unlike: z.number(), same: z.number() }),
  background: z.object({ weight: z.number() }),
  ...OWN_ANSWERS,
  refine: z.boolean(),
  gate: z.object({ kept: z.int(), dropped: z.int() }),
  expectedSize: z.number().nullable(),
  clippedMass: z.number().nullable(),
  residual: z.number().nullable(),
  totalVariation: z.number().nullable(),
  landmarks: z.int().nullable(),
};

/** What came of one selection. */
export const outcomeFields = {
  objective: z.number().nullable(),
  logDeterminant: z.number().nullable(),
  proven: z.boolean().nullable(),
  gap: z.number().nullable(),
  stoppedBy: z.enum(['size', 'words', 'rank', 'exhausted', 'draw', 'budget']),
};

/** A digest as it is answered, stored and read again. */
export const digestSchema = z
  .object({
    id: z.string().openapi({ example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071' }),
    status: z.enum(['completed', 'partial', 'failed']),
    summary: z.object({ text: z.string(), sentences: z.array(sentence) }),
    sources: z.array(z.object({ number: z.int(), document: z.string(), title: z.string().optional() })),
    keyPoints: z.array(keyPoint),
    intent: z
      .object({
        answered: z.enum(['yes', 'partly', 'no']),
        facets: z.array(z.object({ text: z.string(), answered: z.boolean() })),
        nearest: z
          .array(z.string())
          .openapi({ description: 'The key points that come nearest, where nothing answers.' }),
      })
      .nullable()
      .optional()
      .openapi({
        description:
          'Whether what was asked is answered: `yes` where each part of it is, `partly` where some are, `no` where none is. By grades of a language model points that only help to answer leave it at `no`. Null without an intent, absent where a stored digest does not say.',
      }),
    documents: z.array(documentStatus).openapi({
      description: 'In the order of the request, which is the order in which a language model is shown them.',
    }),
    selection: z.object({ ...selectionFields, ...outcomeFields }),
    engine: z.object({
      extractor: z.string(),
      encoder: z.string(),
      relevanceEncoder: z.string(),
      matrix: z.string(),
      writer: z.string(),
      verifier: z.string().nullable().optional().openapi({
        description:
          "What held a language model's wording against the quotes: `llm`, `rules`, `off` or the id of an entailment model. Null where none worded anything, absent where a stored digest does not say.",
      }),
      models: stageRecords,
    }),
    prompts: z.record(z.string(), z.string()),
    warnings: z.array(z.string()),
    metrics: z.object({
      documentCoverage: z.number(),
      citedDocuments: z.number(),
      redundancy: z.number().nullable(),
      relevance: z.number().nullable(),
      compression: z.number(),
      words: z.int(),
      wordsPerSentence: z.number(),
    }),
    writing: writingSchema,
    usage: callUsage.extend({
      stages: perStage(callUsage).extend({ encode: callUsage.optional() }),
      reusedExtractions: z.int(),
      reusedEncodings: z.int(),
    }),
    timings: z.object({
      extract: z.number(),
      encode: z.number(),
      rank: z.number(),
      select: z.number(),
      write: z.number(),
    }),
    offsetUnit: z.literal('utf16'),
    experiment: z
      .object({ key: z.string(), version: z.int(), variant: z.string().nullable(), overridden: z.boolean() })
      .nullable()
      .openapi({
        description:
          'The experiment that it is part of; null where the request names none. `variant` is null where the subject takes no part.',
      }),
  })
  .openapi('Digest');

export const keyPointsSchema = z
  .object({
    keyPoints: z.array(
      keyPoint
        .pick({ id: true, document: true, text: true, speaker: true, quote: true, moreQuotes: true })
        .extend({ selfContained: z.number().nullable() }),
    ),
    documents: z.array(documentStatus),
    engine: z.object({ extractor: z.string(), models: stageRecords }),
    prompts: z.record(z.string(), z.string()),
    usage: callUsage.extend({
      stages: perStage(callUsage).extend({ encode: callUsage.optional() }),
      reusedExtractions: z.int(),
    }),
    offsetUnit: z.literal('utf16'),
  })
  .openapi('KeyPoints');

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi('Problem', { description: 'RFC 9457 problem details.' });
