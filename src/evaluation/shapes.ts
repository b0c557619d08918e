import { z } from '@hono/zod-openapi';
import {
  callUsageSchema,
  ENGINES,
  LIMITS,
  stageRecordSchema,
  stageRequestSchema,
  type TypeOf,
  text,
} from '../contract/index.ts';

export const MAX = { items: 1000, textCharacters: 200_000 };

export const id = text(200).min(1);
export const bullet = text(LIMITS.statementCharacters);
export const statement = bullet.min(1);
export const whole = text(MAX.textCharacters);
export const documentIds = z.array(id).max(LIMITS.documents);

export const digest = text(200).optional().openapi({
  description: 'A stored digest in the place of the text: its sentences, but for the framing.',
  example: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
});

export const sources = documentIds.optional().openapi({
  description:
    'With one text: the documents that its markers [1], [2] and so on stand for, in order; by default `documents`. A marker may name an id too.',
});

export const JUDGES = ENGINES;

const judgeOptions = z.strictObject({
  encoder: text(200).optional(),
  model: text(200).min(1).optional(),
  stages: z.strictObject({ judge: stageRequestSchema.optional() }).optional(),
});
export type JudgeOptions = TypeOf<typeof judgeOptions>;

export const judgeFields = {
  judge: z.enum(JUDGES).optional().openapi({
    description:
      '`embedded`, the default: rules over words, the same today and tomorrow. It misses answers in other words, cannot tell a claim from one that differs in a hedge or a role, and takes introductions of reports for claims: for `argue` and `source-coverage` prefer `llm`, a language model; `key-point-recall` needs it.',
  }),
  engine: z
    .union([z.enum(ENGINES), judgeOptions])
    .optional()
    .openapi({ description: 'Options of the judge; or its name, if `judge` does not tell.' }),
};

const judgeRequest = z.object(judgeFields);
export type JudgeRequest = TypeOf<typeof judgeRequest>;

export function judgeOptionsOf({ engine }: Pick<JudgeRequest, 'engine'>): JudgeOptions {
  return typeof engine === 'object' ? engine : {};
}

/** A bullet with a separate list of citations and an exact text. */
export interface CitedBullet {
  readonly text: string;
  readonly documents: readonly string[];
}

export const oneOf = <N extends number>(...values: readonly N[]) => z.union(values.map((value) => z.literal(value)));
export const percent = z.number().min(0).max(100);
export const score = z.number().min(0).max(1);
export const place = z.int().min(0);
export const evidence = z
  .string()
  .nullable()
  .openapi({ description: 'What of the text decides, as it stands there; null where nothing does.' });

const agreement = z.object({
  kappa: z.number(),
  items: z.int(),
});
/** Cohen's kappa with people's labels, of so many items. */
export type Agreement = TypeOf<typeof agreement>;

/** Fields of every answer: the judge, so that a score can be reproduced, and its usage. */
export const judgedFields = {
  judge: z.object({
    name: z.enum(JUDGES),
    encoder: z.string().nullable(),
    version: z.string().openapi({ description: 'Of its rules and thresholds.' }),
    model: stageRecordSchema.nullable(),
    prompts: z.record(z.string(), z.string()).openapi({ description: 'Hashes of the prompts used, by id.' }),
    agreement: agreement
      .nullable()
      .optional()
      .openapi({ description: "Cohen's kappa with people's labels in what this metric asks; null if not measured." }),
  }),
  usage: callUsageSchema.extend({ reusedVerdicts: z.int() }),
  warnings: z.array(z.string()),
};

const judged = z.object(judgedFields);
type Judged = TypeOf<typeof judged>;
export type JudgeRecord = Judged['judge'];
export type Unjudged<Answer> = Answer extends unknown ? Omit<Answer, keyof Judged> : never;

export const JUDGED_EXAMPLE: Judged = {
  judge: {
    name: 'embedded',
    encoder: 'transformers/all-MiniLM-L6-v2/q8/2',
    version: 'embedded/5',
    model: null,
    prompts: {},
    agreement: { kappa: 0.57, items: 1083 },
  },
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0, reusedVerdicts: 0 },
  warnings: [],
};

export const JUDGED_BY_MODEL: Judged = {
  judge: {
    name: 'llm',
    encoder: null,
    version: 'llm-judge@1',
    model: { model: 'gpt-4o', temperature: 0, topP: null, seed: null, prompt: 'judge-entailment' },
    prompts: { 'judge-entailment': '0f1d3c' },
    agreement: null,
  },
  usage: { requests: 3, promptTokens: 2150, completionTokens: 96, cost: 0.0063, reusedVerdicts: 0 },
  warnings: [],
};

/** What the examples of all metrics are about. */
export const FACT = 'Traffic in the centre fell by 18 percent.';

export const insight = z.strictObject({
  id,
  text: statement,
  documents: documentIds
    .optional()
    .openapi({ description: 'Documents that tell it; without them citations are not scored.' }),
});
export type Insight = TypeOf<typeof insight>;

export const coverage = oneOf(0, 50, 100);
/** How far a bullet covers an insight, as SummHay counts it. */
export type CoverageLevel = z.output<typeof coverage>;

/**
 * A question that a report should answer, with its answers; without any, the report should state the absence. `vital`
 * and `okay` are the terms of the TREC tracks.
 */
export const nugget = z.strictObject({
  id,
  question: statement,
  importance: z
    .enum(['vital', 'okay'])
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
export type Nugget = TypeOf<typeof nugget>;

export const reportRequestText = z.strictObject({
  problem: text(LIMITS.intentCharacters).optional(),
  userStory: text(LIMITS.intentCharacters).optional(),
  background: text(100_000).optional(),
});
export type ReportRequestText = TypeOf<typeof reportRequestText>;

export const sourceQuestion = z.strictObject({ question: statement, answer: statement, document: id });
export type SourceQuestion = TypeOf<typeof sourceQuestion>;
