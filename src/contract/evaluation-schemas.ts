import { z } from '@hono/zod-openapi';
import { IMPORTANCES, JUDGES, METRICS } from './evaluation-request.ts';
import { LIMITS, text } from './fields.ts';
import { stageRequestSchema } from './model-stages.ts';

/** Limits of one request to score. */
const MOST = { items: 1000, itemCharacters: 4_000, textCharacters: 200_000 };

const id = text(200).min(1);
const statement = text(MOST.itemCharacters).min(1);
const whole = text(MOST.textCharacters);
const documentIds = z.array(id).max(LIMITS.documents);

const digest = text(200).optional().openapi({
  description: 'A stored digest in the place of the text: its sentences, but for the framing.',
  example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
});

const sources = documentIds.optional().openapi({
  description:
    'With one text: the documents that its markers [1], [2] and so on stand for, in order; by default `documents`. A marker may name an id too.',
});

const judgeFields = {
  judge: z.enum(JUDGES).optional().openapi({
    description: '`embedded`, the default: an encoder, the same today and tomorrow. `llm`: a language model.',
  }),
  engine: z
    .strictObject({
      encoder: text(200).optional(),
      model: text(200).min(1).optional(),
      stages: z.strictObject({ judge: stageRequestSchema.optional() }).optional(),
    })
    .optional(),
};

export const insight = z.strictObject({
  id,
  text: statement,
  documents: documentIds
    .optional()
    .openapi({ description: 'Documents that tell it; without them citations are not scored.' }),
});

const summHay = z
  .strictObject({
    metric: z.literal('summhay'),
    bullets: z
      .union([z.array(text(MOST.itemCharacters)).max(MOST.items), whole])
      .optional()
      .openapi({
        description: 'With their markers: one by one, or as one text, a list or running text, which is split.',
      }),
    sources,
    digest,
    insights: z.array(insight).min(1).max(MOST.items),
    documents: documentIds.optional().openapi({ description: 'All documents there are.' }),
    ...judgeFields,
  })
  .openapi('SummHayRequest');

const keyPointRecall = z
  .strictObject({
    metric: z.literal('key-point-recall'),
    answer: whole.optional(),
    digest,
    keyPoints: z.array(statement).min(1).max(MOST.items),
    documents: z
      .array(text(LIMITS.documentCharacters))
      .min(1)
      .max(LIMITS.documents)
      .optional()
      .openapi({ description: 'Texts that the answer should rest on; by default those of the digest.' }),
    ...judgeFields,
  })
  .openapi('KeyPointRecallRequest');

export const nugget = z.strictObject({
  id,
  question: statement,
  importance: z
    .enum(IMPORTANCES)
    .optional()
    .openapi({ description: 'Whether a good report must tell it (`vital`, the default) or may (`okay`).' }),
  weight: z
    .number()
    .positive()
    .max(1e6)
    .optional()
    .openapi({ description: 'By default 1 for a vital nugget and 0.5 for an okay one.' }),
  answers: z
    .array(
      z.strictObject({
        text: statement,
        documents: documentIds.optional().openapi({
          description: 'Those that attest it: a report earns it by citing one of them. None: by any that supports it.',
        }),
      }),
    )
    .max(100)
    .optional()
    .openapi({ description: 'None: the report should say that nothing is known of it.' }),
});

const argue = z
  .strictObject({
    metric: z.literal('argue'),
    request: z
      .strictObject({
        problem: text(LIMITS.intentCharacters).optional(),
        userStory: text(LIMITS.intentCharacters).optional(),
        background: text(100_000).optional(),
      })
      .optional()
      .openapi({ description: 'What the report was asked for; what it says of that needs no citation.' }),
    report: z
      .union([
        z.strictObject({
          sentences: z.array(z.strictObject({ text: statement, citations: documentIds })).max(MOST.items),
        }),
        whole,
      ])
      .optional()
      .openapi({ description: 'Sentences with the ids that they cite, or one text with markers, which is split.' }),
    sources,
    digest,
    nuggets: z.array(nugget).max(MOST.items),
    documents: z
      .array(z.strictObject({ id, text: text(LIMITS.documentCharacters) }))
      .max(LIMITS.documents)
      .optional()
      .openapi({ description: 'Documents that may be cited; by default those of the digest.' }),
    options: z
      .strictObject({
        average: z.enum(['micro', 'macro']).optional(),
        citations: z.enum(['all', 'one']).optional(),
        weights: z.boolean().optional(),
      })
      .optional(),
    ...judgeFields,
  })
  .openapi('ArgueRequest');

const sourceCoverage = z
  .strictObject({
    metric: z.literal('source-coverage'),
    summary: whole.optional(),
    digest,
    documents: documentIds
      .optional()
      .openapi({ description: 'In the order in which the model was given them; by default those of the digest.' }),
    questions: z
      .array(z.strictObject({ question: statement, answer: statement, document: id }))
      .min(1)
      .max(MOST.items),
    intent: text(LIMITS.intentCharacters).min(1).optional(),
    ...judgeFields,
  })
  .openapi('SourceCoverageRequest');

const metrics = METRICS.map((metric) => `"${metric}"`).join(', ');

export const evaluationRequestSchema = z.discriminatedUnion(
  'metric',
  [summHay, keyPointRecall, argue, sourceCoverage],
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${metrics}` : undefined) },
);
