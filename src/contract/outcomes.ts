import { z } from '@hono/zod-openapi';
import { subject } from './experiments.ts';
import { type TypeOf, text } from './fields.ts';

/** Outcomes of one batch at most. */
export const MAX_OUTCOMES = 1000;

/** What the contract calls an outcome. */
export const OUTCOME = 'Outcome';

/** Something that a subject did, or that happened to it. */
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
    // Anything: each is looked at by itself, so that one that is wrong keeps none of the others out.
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

/** What became of a batch. */
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
