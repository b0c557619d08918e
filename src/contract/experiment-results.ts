import { z } from '@hono/zod-openapi';
import { EXPERIMENT_STATES, METRIC_TYPES, queriedVersion } from './experiments.ts';
import type { TypeOf } from './fields.ts';

/** Which intervals a finding rests on: those valid at every look, or the fixed ones of a single planned look. */
const BASES = ['sequential', 'fixed'] as const;
export type Basis = (typeof BASES)[number];

const CORRECTIONS = ['holm', 'benjamini-hochberg'] as const;
export type Correction = (typeof CORRECTIONS)[number];

export const resultsQuery = z.strictObject({
  version: queriedVersion,
  alpha: z.coerce.number<string>().min(0.0001).max(0.5).default(0.05).openapi({
    description: 'Chance of a false finding that is accepted; intervals have the level 1 - alpha.',
    example: 0.05,
  }),
  correction: z
    .enum(CORRECTIONS)
    .default('holm')
    .openapi({ description: 'Of p-values, over all goal metrics and variants.' }),
});

const count = z.int().min(0);
const real = z.number().nullable();
const intervalSchema = z.strictObject({ low: z.number(), high: z.number() }).openapi('Interval');
export type Interval = TypeOf<typeof intervalSchema>;

/** One arm of a metric. */
const armResultSchema = z
  .strictObject({
    variant: z.string(),
    n: count.openapi({ description: 'Subjects exposed.' }),
    mean: real.openapi({ description: 'Per subject: share, mean or mean count; of a ratio metric the ratio.' }),
    variance: real,
    conversions: count.nullable().openapi({ description: 'Subjects with an event, for binomial metrics.' }),
    active: count.openapi({ description: 'Subjects whose value is not 0.' }),
  })
  .openapi('ArmResult');
export type ArmResult = TypeOf<typeof armResultSchema>;

const comparisonSchema = z
  .strictObject({
    variant: z.string(),
    difference: real,
    interval: intervalSchema
      .nullable()
      .openapi({ description: 'Of the difference: valid at one look that was planned.' }),
    lift: real.openapi({ description: 'Relative to the control (delta method).' }),
    liftInterval: intervalSchema.nullable(),
    test: z.enum(['welch', 'two-proportion-z', 'delta']).nullable(),
    statistic: real,
    degreesOfFreedom: real,
    p: real.openapi({ description: 'Two-sided.' }),
    adjustedP: real.openapi({ description: 'Corrected over all goal metrics and variants.' }),
    sequential: z
      .strictObject({ interval: intervalSchema, liftInterval: intervalSchema.nullable(), significant: z.boolean() })
      .nullable()
      .openapi({ description: 'Valid at every look (asymptotic confidence sequence).' }),
    significant: z.boolean(),
    better: z.boolean().nullable(),
    detectable: real.openapi({ description: 'Smallest relative change that so many subjects show with 80% power.' }),
    stillNeeded: count.nullable().openapi({ description: 'Further subjects an arm needs for the minimum effect.' }),
  })
  .openapi('Comparison', { description: 'A variant against the control.' });
export type Comparison = TypeOf<typeof comparisonSchema>;

const VERDICTS = ['safe', 'breached', 'unclear'] as const;
/** Whether a variant stays within the margin of a guardrail, is beyond it, or neither is sure. */
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

/** Outcomes that came and were left out. */
const ignoredOutcomesSchema = z.strictObject({
  /** Older than their subject's exposure. */
  beforeExposure: count,
  /** Later than the end of their version. */
  afterStop: count,
  /** Of subjects whose exposure was overridden. */
  overridden: count,
  /** That came again. */
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
      mismatch: z.boolean().openapi({ description: 'p < 0.001: the assignment is broken, and there is no verdict.' }),
    }),
    exposed: count,
    overridden: count,
    ignored: ignoredOutcomesSchema,
    metrics: z.array(metricResultSchema),
    verdict: z.enum(['none', 'mismatch', 'winner', 'loser', 'guardrail', 'inconclusive']),
    basis: z.enum(BASES).nullable().openapi({
      description:
        'What the verdict rests on: intervals valid at every look, or the fixed ones, once an experiment ended with what the minimum effect of every goal asks for; null on a mismatch.',
    }),
    /** One plain sentence. */
    conclusion: z.string(),
    dataVersion: count.openapi({ description: 'Changes with every exposure and outcome.' }),
  })
  .openapi('ExperimentResults');
export type ExperimentResults = TypeOf<typeof experimentResultsSchema>;
