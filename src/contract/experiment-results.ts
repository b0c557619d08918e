import { z } from '@hono/zod-openapi';
import { EXPERIMENT_STATES, METRIC_TYPES, queriedVersion } from './experiments.ts';
import type { TypeOf } from './fields.ts';

const BASES = ['sequential', 'fixed'] as const;
export type Basis = (typeof BASES)[number];

const CORRECTIONS = ['holm', 'benjamini-hochberg'] as const;

export const resultsQuery = z.strictObject({
  version: queriedVersion,
  alpha: z.coerce.number<string>().min(0.0001).max(0.5).default(0.05).openapi({
    description: 'Significance level; confidence intervals have the level 1 - alpha.',
    example: 0.05,
  }),
  correction: z
    .enum(CORRECTIONS)
    .default('holm')
    .openapi({ description: 'Multiple-comparison correction of p-values across all goal metrics and variants.' }),
});

const count = z.int().min(0);
const real = z.number().nullable();
const intervalSchema = z.strictObject({ low: z.number(), high: z.number() }).openapi('Interval');
export type Interval = TypeOf<typeof intervalSchema>;

const armResultSchema = z
  .strictObject({
    variant: z.string(),
    n: count.openapi({ description: 'Number of exposed subjects.' }),
    mean: real.openapi({ description: 'Per subject: share, mean or mean count. For ratio metrics: the ratio.' }),
    variance: real,
    conversions: count.nullable().openapi({ description: 'Number of subjects with an event (binomial metrics).' }),
    active: count.openapi({ description: 'Number of subjects with a value other than 0.' }),
  })
  .openapi('ArmResult');
export type ArmResult = TypeOf<typeof armResultSchema>;

const comparisonSchema = z
  .strictObject({
    variant: z.string(),
    difference: real,
    interval: intervalSchema
      .nullable()
      .openapi({ description: 'Confidence interval of the difference, valid for a single planned analysis.' }),
    lift: real.openapi({ description: 'Difference relative to the control (delta method).' }),
    liftInterval: intervalSchema.nullable(),
    test: z.enum(['welch', 'two-proportion-z', 'delta']).nullable(),
    statistic: real,
    degreesOfFreedom: real,
    p: real.openapi({ description: 'Two-sided p-value.' }),
    adjustedP: real.openapi({ description: 'p-value corrected across all goal metrics and variants.' }),
    sequential: z
      .strictObject({ interval: intervalSchema, liftInterval: intervalSchema.nullable(), significant: z.boolean() })
      .nullable()
      .openapi({ description: 'Valid at any time (asymptotic confidence sequence).' }),
    significant: z.boolean(),
    better: z.boolean().nullable(),
    stillNeeded: count
      .nullable()
      .openapi({ description: 'Subjects still needed per arm to detect the minimum effect with 80% power.' }),
  })
  .openapi('Comparison', { description: 'A variant compared with the control.' });
export type Comparison = TypeOf<typeof comparisonSchema>;

const VERDICTS = ['safe', 'breached', 'unclear'] as const;
/** Whether a variant stays within a guardrail's margin, exceeds it, or neither is certain. */
export type GuardrailVerdict = (typeof VERDICTS)[number];

const metricResultSchema = z
  .strictObject({
    key: z.string(),
    type: z.enum(METRIC_TYPES),
    role: z.enum(['goal', 'guardrail', 'automatic']),
    direction: z.enum(['increase', 'decrease']),
    arms: z.array(armResultSchema),
    comparisons: z.array(comparisonSchema),
    guardrail: z.array(z.strictObject({ variant: z.string(), verdict: z.enum(VERDICTS) })).nullable(),
  })
  .openapi('MetricResult');
export type MetricResult = TypeOf<typeof metricResultSchema>;

const ignoredOutcomesSchema = z.strictObject({
  /** Before the subject's exposure. */
  beforeExposure: count,
  /** After the version ended. */
  afterStop: count,
  overridden: count,
  /** Repeated outcomes. */
  duplicates: count,
});
export type IgnoredOutcomes = TypeOf<typeof ignoredOutcomesSchema>;

export const experimentResultsSchema = z
  .strictObject({
    key: z.string(),
    version: z.int().min(1),
    status: z.enum(EXPERIMENT_STATES),
    alpha: z.number(),
    correction: z.enum(CORRECTIONS),
    sampleRatio: z.strictObject({
      observed: z.array(z.strictObject({ variant: z.string(), subjects: count, expected: z.number() })),
      statistic: real,
      p: real,
      mismatch: z
        .boolean()
        .openapi({ description: 'True if p < 0.001: the assignment is broken, and there is no verdict.' }),
    }),
    exposed: count,
    overridden: count,
    ignored: ignoredOutcomesSchema,
    metrics: z.array(metricResultSchema),
    verdict: z.enum(['none', 'mismatch', 'winner', 'loser', 'guardrail', 'inconclusive']),
    basis: z.enum(BASES).nullable().openapi({
      description:
        'Basis of the verdict. `sequential`: intervals valid at any time. `fixed`: fixed intervals, once the experiment has stopped with enough subjects for the minimum effect of every goal. Null on a sample ratio mismatch.',
    }),
    /** A plain sentence per treatment, or what is missing. */
    conclusion: z.string(),
    dataVersion: count.openapi({ description: 'Changes with every exposure and outcome.' }),
  })
  .openapi('ExperimentResults');
export type ExperimentResults = TypeOf<typeof experimentResultsSchema>;
