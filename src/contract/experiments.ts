import { z } from '@hono/zod-openapi';
import { digestOptions } from './digest-request.ts';
import { type InputOf, type TypeOf, text } from './fields.ts';

export const NEW_EXPERIMENT = {
  key: 'shorter-digests',
  hypothesis: 'Readers open more sources when digests are short.',
  variants: [
    { name: 'control', weight: 0.5, options: {} },
    { name: 'short', weight: 0.5, options: { selection: { size: { keyPoints: 5 } }, summary: { maxWords: 100 } } },
  ],
  metrics: [{ key: 'source-opened', type: 'binomial', direction: 'increase', minimumEffect: 0.05 }],
  guardrails: [{ key: 'complaint', type: 'binomial', direction: 'decrease', minimumEffect: null, margin: 0.1 }],
  status: 'running',
} as const;

export const CHANGE = { hypothesis: 'Readers open more sources when digests have 100 words.' };

export const METRIC_TYPES = ['binomial', 'mean', 'count', 'ratio'] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

export const EXPERIMENT_STATES = ['draft', 'running', 'stopped'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

const MAX_VARIANTS = 20;
export const MAX_METRICS = 50;

const experimentKey = text(100).min(1).openapi({
  description: 'Letters, digits, dots, hyphens and underscores, starting with a letter or digit.',
  example: 'shorter-digests',
});
const subject = text(200).min(1).openapi({
  description: 'Id of a user, session or account, without control characters.',
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
  example: 'user-123',
});

const variantOptionsSchema = z.strictObject(digestOptions).openapi('VariantOptions', {
  description: 'Digest options that the variant sets. Options of the request take precedence.',
});
export type VariantOptions = TypeOf<typeof variantOptionsSchema>;

const variant = {
  name: text(100).min(1),
  weight: z
    .number()
    .min(1 / 10_000)
    .lt(1)
    .openapi({ description: 'Share of the subjects. The weights of all variants sum to 1.' }),
};

const variantSchema = z.strictObject({ ...variant, options: variantOptionsSchema }).openapi('Variant');
export type Variant = TypeOf<typeof variantSchema>;

const metric = {
  key: text(100).min(1),
  type: z.enum(METRIC_TYPES).openapi({
    description:
      'Per subject, `binomial`: whether an event occurred; `mean`: the sum of values; `count`: the number of events. Across all subjects, `ratio`: the sum of values divided by the sum of denominators.',
  }),
  direction: z.enum(['increase', 'decrease']).openapi({ description: 'The direction of improvement.' }),
};
const minimumEffect = z.number().positive().max(1e6).nullable().openapi({
  description: 'Smallest relative change of interest: 0.02 is 2 percent.',
});
const margin = z
  .number()
  .min(0)
  .max(1e6)
  .openapi({ description: 'Non-inferiority margin: the largest acceptable relative decline; 0.1 is 10 percent.' });

const metricDefinitionSchema = z.strictObject({ ...metric, minimumEffect }).openapi('Metric');
export type MetricDefinition = TypeOf<typeof metricDefinitionSchema>;

/** A metric that must not worsen by more than a relative margin. */
const guardrailSchema = z.strictObject({ ...metric, minimumEffect, margin }).openapi('Guardrail');
export type Guardrail = TypeOf<typeof guardrailSchema>;

const metricRequest = z.strictObject({ ...metric, minimumEffect: minimumEffect.default(null) });

const fields = {
  hypothesis: text(2000).min(1),
  variants: z
    .array(z.strictObject({ ...variant, options: variantOptionsSchema.default({}) }).openapi('VariantRequest'))
    .min(2)
    .max(MAX_VARIANTS)
    .openapi({ description: 'The first is the control.' }),
  metrics: z.array(metricRequest.openapi('MetricRequest')).min(1).max(MAX_METRICS),
};
const optional = {
  guardrails: z.array(metricRequest.extend({ margin }).openapi('GuardrailRequest')).max(MAX_METRICS).optional(),
  traffic: z
    .number()
    .positive()
    .max(1)
    .optional()
    .openapi({ description: 'Share of the subjects that participate. Default: 1.' }),
  salt: text(100).optional().openapi({ description: 'Salt of the assignment hash. Default: the key.' }),
};

/** Variants, subjects and metrics of an experiment. */
export const experimentRequestSchema = z
  .strictObject({
    key: experimentKey,
    ...fields,
    ...optional,
    status: z
      .enum(['draft', 'running'])
      .optional()
      .openapi({ description: '`running` starts the experiment immediately. Default: `draft`.' }),
  })
  .openapi('ExperimentRequest', { example: NEW_EXPERIMENT });
/** By default without guardrails, with all traffic, hashed with the experiment's key. */
export type ExperimentRequest = TypeOf<typeof experimentRequestSchema>;
export type ExperimentInput = InputOf<typeof experimentRequestSchema>;

export const experimentChangesSchema = z
  .strictObject({
    ...z.object(fields).partial().shape,
    ...optional,
    version: z.int().min(1).optional().openapi({
      description: 'The version to change; the request fails if a newer version exists.',
    }),
    newVersion: z.boolean().optional().openapi({
      description:
        'Continues a started experiment in a new version, which starts immediately and assigns subjects anew. Not needed for drafts.',
    }),
  })
  .openapi('ExperimentChanges', { description: 'Fields that are not sent stay unchanged.', example: CHANGE });
export type ExperimentChanges = TypeOf<typeof experimentChangesSchema>;
export type ExperimentUpdate = InputOf<typeof experimentChangesSchema>;

export const experimentParams = z.object({ key: experimentKey });

export const queriedVersion = z.coerce.number<string>().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().openapi({
  description: 'Default: the newest version.',
  example: 1,
});

export const versionQuery = z.strictObject({ version: queriedVersion });
export const subjectSchema = z.strictObject({ subject });

const time = z.iso.datetime();
const status = z.enum(EXPERIMENT_STATES);
const period = { startedAt: time.nullable(), stoppedAt: time.nullable() };

const experiment = z.strictObject({
  key: z.string(),
  hypothesis: z.string(),
  version: z.int().min(1).openapi({ description: 'Subjects and outcomes belong to a version.' }),
  status,
  variants: z.array(variantSchema),
  metrics: z.array(metricDefinitionSchema),
  guardrails: z.array(guardrailSchema),
  traffic: z.number(),
  salt: z.string(),
  createdAt: time,
  ...period,
});

export const experimentSchema = experiment.openapi('Experiment');
export type Experiment = TypeOf<typeof experimentSchema>;

const experimentVersionSchema = z.strictObject({ version: z.int().min(1), status, ...period });
export type ExperimentVersion = TypeOf<typeof experimentVersionSchema>;

export const experimentWithVersionsSchema = experiment
  .extend({ versions: z.array(experimentVersionSchema) })
  .openapi('ExperimentWithVersions', { description: 'An experiment with all its versions, the newest first.' });
export type ExperimentWithVersions = TypeOf<typeof experimentWithVersionsSchema>;

export const experimentsSchema = z
  .strictObject({
    experiments: z.array(experimentSchema),
    next: z.string().nullable().openapi({
      description: 'Cursor of the next page; null on the last page.',
    }),
  })
  .openapi('Experiments');

export const assignmentSchema = z
  .strictObject({
    key: z.string(),
    version: z.int().min(1),
    variant: z.string().nullable().openapi({ description: 'Null if the subject does not participate.' }),
    reason: z
      .enum(['assigned', 'traffic', 'draft', 'stopped'])
      .openapi({ description: '`assigned`, or why the subject has no variant.' }),
  })
  .openapi('Assignment');
export type Assignment = TypeOf<typeof assignmentSchema>;

/** Max outcomes per batch. */
const MAX_OUTCOMES = 1000;

/** Name of the schema in the contract. */
export const OUTCOME = 'Outcome';

export const outcomeSchema = z
  .strictObject({
    eventId: text(200)
      .min(1)
      .openapi({ description: 'Unique id of the event: an outcome that is sent again counts once.' }),
    subject,
    metric: text(100).min(1),
    value: z.number().optional().openapi({
      description: '`binomial`: 0 or 1; `count`: 1. Optional for both, with the default 1.',
    }),
    denominator: z.number().min(0).optional().openapi({ description: 'For `ratio` metrics. Default: 1.' }),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'When the event happened. Default: when it is received.' }),
  })
  .openapi(OUTCOME);
export type Outcome = TypeOf<typeof outcomeSchema>;

export const outcomesRequestSchema = z
  .strictObject({
    // Unchecked: items are validated one by one, so that an invalid one does not reject the batch.
    outcomes: z
      .array(
        z
          .custom<z.input<typeof outcomeSchema>>()
          .openapi({ type: 'object', allOf: [{ $ref: `#/components/schemas/${OUTCOME}` }] }),
      )
      .min(1)
      .max(MAX_OUTCOMES),
  })
  .openapi('OutcomesRequest');

const count = z.int().min(0);

export const recordedOutcomesSchema = z
  .strictObject({
    accepted: count.openapi({ description: 'Number of recorded outcomes.' }),
    duplicates: count.openapi({ description: 'Duplicate outcomes.' }),
    ignored: z
      .strictObject({ beforeExposure: count, afterStop: count, overridden: count })
      .openapi({ description: 'Recorded, but excluded from the analysis.' }),
    problems: z
      .array(z.strictObject({ index: count, pointer: z.string(), detail: z.string() }))
      .openapi({ description: 'Problems of outcomes that were not recorded.' }),
  })
  .openapi('RecordedOutcomes');
export type RecordedOutcomes = TypeOf<typeof recordedOutcomesSchema>;
