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
export type RecordedOutcomes = TypeOf<typeof recordedOutcomesSchema>;
