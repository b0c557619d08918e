import { z } from '@hono/zod-openapi';
import { OWN_ANSWERS, OWN_REQUESTS, STRATEGY_NAMES, strategies } from '../selection/index.ts';
import { CITES, PRESETS } from './choices.ts';
import { LIMITS, type TypeOf, text } from './fields.ts';

const size = z.union([
  z.strictObject({ keyPoints: z.int().min(1).max(LIMITS.keyPoints) }),
  z.strictObject({ words: z.int().min(1).max(100_000) }),
  z.literal('auto'),
]);

const STRATEGIES = STRATEGY_NAMES.map((name) => {
  const { objective, sizes, source } = strategies[name];
  return `- \`${name}\` (size: ${sizes.join(', ')}): ${objective} ${source}.`;
}).join('\n');

const weight = z.number().min(0).max(1e6);
const similarityThreshold = z.number().min(-4).max(4);

/** Missing options take their defaults. */
export const selectionRequestSchema = z
  .strictObject({
    preset: z.enum(PRESETS).optional().openapi({
      description:
        "`published`: the selection of Padmakumar et al. (2025) with this service's encoder; the distance between points is 1 - similarity. Explicit fields win.",
    }),
    strategy: z.enum(STRATEGY_NAMES).optional().openapi({ description: STRATEGIES }),
    size: size.optional().openapi({
      description:
        '`auto`, the default of digests: the points that are likely enough to help, at most 12 (3 in a brief) and what `maxWords` holds, possibly none; without an intent as many as those bounds allow; for `k-dpp` the expected size. A number is filled from the points past the gate. By default `/v1/selections` takes 12 key points.',
    }),
    seed: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: 'Random seed of strategies that sample; the others ignore it.' }),
    kernel: z
      .strictObject({
        similarity: z.enum(['bertscore', 'cosine']).optional(),
        form: z.enum(['gaussian', 'linear']).optional(),
        sigma: z.union([z.number().min(1e-3).max(1e6), z.literal('median')]).optional(),
        idf: z.number().min(0).max(10).optional(),
      })
      .optional(),
    relevance: z
      .strictObject({
        form: z.enum(['exponential', 'score']).optional(),
        weight: z.number().min(0).max(0.99).optional(),
        gate: z.number().min(0).max(1).nullable().optional().openapi({
          description:
            'Share of the relevance of the most relevant key points that a key point needs to be selected from. In a digest at most 256 pass, or twice as many as a size asks for; strategies that have no size, or draw, have no such bound. `null` lets every one through.',
        }),
        surroundings: z.number().min(0).max(1).optional(),
        facets: z
          .union([z.boolean(), z.literal('llm')])
          .optional()
          .openapi({
            description:
              'Whether to split an intent with several questions: by rules (`true`) or by a language model (`llm`).',
          }),
        estimate: z.boolean().optional().openapi({
          description:
            '`true` (default): relevance is the estimated probability that a key point helps to answer. `false`: relevance is the cosine of the vectors.',
        }),
        encoder: text(200).nullable().optional().openapi({
          description:
            'What finds relevance: an encoder or reranker of this service, by default the encoder of the kernel; or `llm`: a language model grades the hundred points that come nearest by that encoder (digests only).',
        }),
      })
      .optional(),
    salience: z.strictObject({ weight: weight.optional(), threshold: similarityThreshold.optional() }).optional(),
    sources: z.strictObject({ weight: weight.optional() }).optional().openapi({
      description:
        'How much more the next source is worth than the next point of the same one (sum over documents of a square root); by default 10 in digests, 0 in `/v1/selections`.',
    }),
    coverage: z
      .strictObject({
        weight: weight.optional(),
        threshold: z
          .union([similarityThreshold, z.strictObject({ percentile: z.number().min(0).max(100) })])
          .optional(),
      })
      .optional(),
    support: z
      .strictObject({
        threshold: similarityThreshold.nullable().optional(),
        cites: z.enum(CITES).optional().openapi({
          description:
            'Which other documents a digest cites beside that of a key point: those that repeat it (`states`, the default), or also those that argue nearly the same (`related`), as the Summary of a Haystack counts.',
        }),
      })
      .optional(),
    background: z.strictObject({ weight: weight.optional() }).optional(),
    ...OWN_REQUESTS,
    refine: z.boolean().optional(),
  })
  .openapi('SelectionOptions');
export type SelectionRequest = TypeOf<typeof selectionRequestSchema>;

const optionsAnswerSchema = z.object({
  preset: z.enum(PRESETS),
  strategy: z.enum(STRATEGY_NAMES),
  size: z.union([z.object({ keyPoints: z.int() }), z.object({ words: z.int() }), z.literal('auto')]).nullable(),
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
    encoder: z.string().nullable().openapi({ description: '`llm` if a language model graded the key points.' }),
  }),
  salience: z.object({ weight: z.number(), threshold: z.number() }),
  coverage: z.object({ weight: z.number(), threshold: z.number().nullable() }),
  sources: z.object({ weight: z.number() }),
  support: z.object({
    threshold: z.number().nullable(),
    cites: z.enum(CITES).optional(),
    paraphrase: z.number(),
    unlike: z.number(),
    same: z.number(),
  }),
  background: z.object({ weight: z.number() }),
  ...OWN_ANSWERS,
  refine: z.boolean(),
});
export type OptionsAnswer = TypeOf<typeof optionsAnswerSchema>;

/** Facts about the whole kernel; null if the strategy did not need them. */
const factsAnswerSchema = z.object({
  expectedSize: z.number().nullable(),
  clippedMass: z.number().nullable(),
  /** Trace that an approximation of the kernel leaves unexplained. */
  residual: z.number().nullable(),
  /** Bound on the total variation distance of draws from the kernel's own. */
  totalVariation: z.number().nullable(),
  landmarks: z.int().nullable(),
});
export type FactsAnswer = TypeOf<typeof factsAnswerSchema>;

const outcomeAnswerSchema = z.object({
  /** log det(L_S) + mu cov(S); null if the selected items have no volume. */
  objective: z.number().nullable(),
  logDeterminant: z.number().nullable(),
  /** For an exact search, whether it is optimal; if not, `gap` bounds the loss. */
  proven: z.boolean().nullable(),
  gap: z.number().nullable(),
  stoppedBy: z.enum(['size', 'words', 'rank', 'exhausted', 'draw', 'budget']),
});
export type OutcomeAnswer = TypeOf<typeof outcomeAnswerSchema>;

export const selectionFields = {
  ...optionsAnswerSchema.shape,
  gate: z.object({ kept: z.int(), dropped: z.int() }),
  ...factsAnswerSchema.shape,
};

export const outcomeFields = outcomeAnswerSchema.shape;
