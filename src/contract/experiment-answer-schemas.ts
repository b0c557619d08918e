import { z } from '@hono/zod-openapi';
import { CORRECTIONS, EXPERIMENT_STATES, METRIC_TYPES } from './experiment.ts';
import { BASES } from './experiment-results.ts';
import { guardrailSchema, layerSchema, metricSchema, variantSchema } from './experiment-schemas.ts';

const time = z.iso.datetime();
const status = z.enum(EXPERIMENT_STATES);
const period = { startedAt: time.nullable(), stoppedAt: time.nullable() };
const count = z.int().min(0);

const experiment = z.strictObject({
  key: z.string(),
  hypothesis: z.string(),
  version: z.int().min(1).openapi({ description: 'Subjects and outcomes belong to one.' }),
  status,
  variants: z.array(variantSchema),
  metrics: z.array(metricSchema),
  guardrails: z.array(guardrailSchema),
  traffic: z.number(),
  layer: layerSchema.nullable(),
  salt: z.string(),
  createdAt: time,
  ...period,
});

export const experimentSchema = experiment.openapi('Experiment');

export const experimentWithVersionsSchema = experiment
  .extend({ versions: z.array(z.strictObject({ version: z.int().min(1), status, ...period })) })
  .openapi('ExperimentWithVersions', { description: 'With all its versions, the newest first.' });

export const experimentsSchema = z
  .strictObject({
    experiments: z.array(experimentSchema),
    next: z.string().nullable().openapi({
      description: 'Send it as `cursor` for the page after this; null where there is none.',
    }),
  })
  .openapi('Experiments');

export const assignmentSchema = z
  .strictObject({
    key: z.string(),
    version: z.int().min(1),
    variant: z.string().nullable().openapi({ description: 'Null where the subject takes no part.' }),
    reason: z
      .enum(['assigned', 'traffic', 'layer', 'draft', 'stopped'])
      .openapi({ description: 'Why there is no variant.' }),
  })
  .openapi('Assignment');

export const recordedSchema = z
  .strictObject({
    accepted: count.openapi({ description: 'How many count.' }),
    duplicates: count.openapi({ description: 'That came before.' }),
    ignored: z
      .strictObject({ beforeExposure: count, afterStop: count, overridden: count })
      .openapi({ description: 'Kept, and outside the analysis.' }),
    problems: z
      .array(z.strictObject({ index: count, pointer: z.string(), detail: z.string() }))
      .openapi({ description: 'Of outcomes that were not kept.' }),
  })
  .openapi('RecordedOutcomes');

const real = z.number().nullable();
const interval = z.strictObject({ low: z.number(), high: z.number() }).openapi('Interval');

const arm = z
  .strictObject({
    variant: z.string(),
    n: count.openapi({ description: 'Subjects exposed.' }),
    mean: real.openapi({ description: 'Per subject: share, mean or mean count; of a ratio metric the ratio.' }),
    variance: real,
    conversions: count.nullable().openapi({ description: 'Subjects with an event, for binomial metrics.' }),
    active: count.openapi({ description: 'Subjects whose value is not 0.' }),
  })
  .openapi('ArmResult');

const comparison = z
  .strictObject({
    variant: z.string(),
    difference: real,
    interval: interval.nullable().openapi({ description: 'Of the difference: valid at one look that was planned.' }),
    lift: real.openapi({ description: 'Relative to the control (delta method).' }),
    liftInterval: interval.nullable(),
    test: z.enum(['welch', 'two-proportion-z', 'delta']).nullable(),
    statistic: real,
    degreesOfFreedom: real,
    p: real.openapi({ description: 'Two-sided.' }),
    adjustedP: real.openapi({ description: 'Corrected over all goal metrics and variants.' }),
    sequential: z
      .strictObject({ interval, liftInterval: interval.nullable(), significant: z.boolean() })
      .nullable()
      .openapi({ description: 'Valid at every look (asymptotic confidence sequence).' }),
    significant: z.boolean(),
    better: z.boolean().nullable(),
    detectable: real.openapi({ description: 'Smallest relative change that so many subjects show with 80% power.' }),
    stillNeeded: count.nullable().openapi({ description: 'Further subjects an arm needs for the minimum effect.' }),
  })
  .openapi('Comparison', { description: 'A variant against the control.' });

const metric = z
  .strictObject({
    key: z.string(),
    type: z.enum(METRIC_TYPES),
    role: z.enum(['goal', 'guardrail', 'automatic']),
    direction: z.enum(['increase', 'decrease']),
    arms: z.array(arm),
    comparisons: z.array(comparison),
    guardrail: z
      .array(z.strictObject({ variant: z.string(), verdict: z.enum(['safe', 'breached', 'unclear']) }))
      .nullable(),
  })
  .openapi('MetricResult');

export const resultsSchema = z
  .strictObject({
    key: z.string(),
    version: z.int().min(1),
    status,
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
    ignored: z.strictObject({ beforeExposure: count, afterStop: count, overridden: count, duplicates: count }),
    metrics: z.array(metric),
    verdict: z.enum(['none', 'mismatch', 'winner', 'loser', 'guardrail', 'inconclusive']),
    basis: z.enum(BASES).nullable().openapi({
      description:
        'What the verdict rests on: intervals valid at every look, or the fixed ones, once an experiment ended with what the minimum effect of every goal asks for; null on a mismatch.',
    }),
    conclusion: z.string(),
    dataVersion: count.openapi({ description: 'Changes with every exposure and outcome.' }),
  })
  .openapi('ExperimentResults');
