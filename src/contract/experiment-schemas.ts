import { z } from '@hono/zod-openapi';
import { CHANGE, NEW_EXPERIMENT } from './examples/experiments-requests.ts';
import { CORRECTIONS, METRIC_TYPES, MOST_METRICS, MOST_VARIANTS } from './experiment.ts';
import { MOST_OUTCOMES } from './outcome.ts';
import { digestOptions, text } from './schemas.ts';

const key = text(100).min(1).openapi({
  description: 'Letters, digits, dots, hyphens and underscores, a letter or digit first.',
  example: 'shorter-digests',
});
/** A subject as it stands in an address or a body. */
const subject = text(200).min(1).openapi({ description: 'Of a user, a session, an account.', example: 'user-123' });
const share = z.number().min(0).max(1);

const variantOptionsSchema = z.strictObject(digestOptions).openapi('VariantOptions', {
  description: 'Options of a digest that the variant sets; what a request sets itself goes before.',
});

const variant = {
  name: text(100).min(1),
  weight: share.openapi({ description: 'Share of the subjects; those of all variants sum to 1.' }),
};

export const variantSchema = z.strictObject({ ...variant, options: variantOptionsSchema }).openapi('Variant');

const metric = {
  key: text(100).min(1),
  type: z.enum(METRIC_TYPES).openapi({
    description:
      'Per subject: whether there was an event (`binomial`), the sum of values (`mean`), the number of events (`count`); or over all subjects the sum of values by the sum of denominators (`ratio`).',
  }),
  direction: z.enum(['increase', 'decrease']).openapi({ description: 'Which way is better.' }),
};
const minimumEffect = z.number().positive().max(1e6).nullable().openapi({
  description: 'Smallest relative change that matters: 0.02 is two percent.',
});
const margin = z
  .number()
  .min(0)
  .max(1e6)
  .openapi({ description: 'Relative change for the worse that is put up with.' });

export const metricSchema = z.strictObject({ ...metric, minimumEffect }).openapi('Metric');
export const guardrailSchema = z.strictObject({ ...metric, minimumEffect, margin }).openapi('Guardrail');
const metricRequest = z.strictObject({ ...metric, minimumEffect: minimumEffect.default(null) });

export const layerSchema = z
  .strictObject({ key: text(100).min(1), from: share, to: share })
  .openapi('Layer', { description: 'A part of the traffic that experiments of one layer share without meeting.' });

const fields = {
  hypothesis: text(2000).min(1),
  variants: z
    .array(z.strictObject({ ...variant, options: variantOptionsSchema.default({}) }).openapi('VariantRequest'))
    .min(2)
    .max(MOST_VARIANTS)
    .openapi({ description: 'The first is the control.' }),
  metrics: z.array(metricRequest.openapi('MetricRequest')).min(1).max(MOST_METRICS),
};
const optional = {
  guardrails: z.array(metricRequest.extend({ margin }).openapi('GuardrailRequest')).max(MOST_METRICS).optional(),
  traffic: z
    .number()
    .positive()
    .max(1)
    .optional()
    .openapi({ description: 'Share of the subjects that take part; by default all.' }),
  layer: layerSchema.nullable().optional(),
  salt: text(100).optional().openapi({ description: 'What subjects are hashed with; by default the key.' }),
};

export const experimentRequestSchema = z
  .strictObject({
    key,
    ...fields,
    ...optional,
    status: z.enum(['draft', 'running']).optional().openapi({ description: '`running` starts it at once.' }),
  })
  .openapi('ExperimentRequest', { example: NEW_EXPERIMENT });

export const experimentChangesSchema = z
  .strictObject({
    hypothesis: fields.hypothesis.optional(),
    variants: fields.variants.optional(),
    metrics: fields.metrics.optional(),
    ...optional,
    version: z.int().min(1).optional().openapi({
      description: 'Which version the change is for: it is refused where there is a newer one by now.',
    }),
    newVersion: z.boolean().optional().openapi({
      description:
        'One that has begun goes on in a new version, which runs at once: its subjects are assigned afresh. A draft needs none.',
    }),
  })
  .openapi('ExperimentChanges', { description: 'What is not given stays as it is.', example: CHANGE });

export const experimentParams = z.object({ key });

/** A version, as queries name it. */
const version = z.coerce.number<string>().int().min(1).optional().openapi({
  description: 'By default the newest.',
  example: 1,
});

export const versionQuery = z.strictObject({ version });
export const subjectSchema = z.strictObject({ subject });

export const resultsQuery = z.strictObject({
  version,
  alpha: z.coerce.number<string>().min(0.0001).max(0.5).default(0.05).openapi({
    description: 'Chance of a false finding that is accepted; intervals have the level 1 - alpha.',
    example: 0.05,
  }),
  correction: z
    .enum(CORRECTIONS)
    .default('holm')
    .openapi({ description: 'Of p-values, over all goal metrics and variants.' }),
});

/** What the contract calls an outcome. */
export const OUTCOME = 'Outcome';

export const outcomeSchema = z
  .strictObject({
    eventId: text(200).min(1).openapi({ description: 'Makes it count once, however often it comes.' }),
    subject,
    metric: text(100).min(1),
    value: z.number().optional().openapi({
      description: 'Of a `binomial` metric 0 or 1, of a `count` 1; both may be left out.',
    }),
    denominator: z.number().min(0).optional().openapi({ description: 'Of a `ratio`; by default 1.' }),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: 'When it happened; by default when it arrives.' }),
  })
  .openapi(OUTCOME);

export const outcomesRequestSchema = z
  .strictObject({
    // Anything: each is looked at by itself, so that one that is wrong keeps none of the others out.
    outcomes: z
      .array(
        z
          .custom<z.input<typeof outcomeSchema>>()
          .openapi({ type: 'object', allOf: [{ $ref: `#/components/schemas/${OUTCOME}` }] }),
      )
      .min(1)
      .max(MOST_OUTCOMES),
  })
  .openapi('OutcomesRequest');
