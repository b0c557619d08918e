import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { evaluationRequestSchema } from '../../evaluation/index.ts';
import { ORDERS } from '../bulk/record.ts';
import type { LabelledSummary } from '../validation/judge-agreement.ts';

const name = text(500).min(1);

/** A record of a file to score: the body of `POST /v1/evaluations`, and what the table may be broken down by. */
export const evaluationRecordSchema = z.strictObject({
  id: name,
  system: name.optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  order: z.enum(ORDERS).optional(),
  inputWords: z.int().min(0).optional(),
  evaluation: evaluationRequestSchema.superRefine((evaluation, context) => {
    for (const field of ['judge', 'engine'] as const) {
      if (evaluation[field] === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'is chosen on the command line, for all records' });
    }
  }),
});

export type EvaluationRecordOrder = z.output<typeof evaluationRecordSchema>;

const level = z.literal([0, 0.5, 1], { error: 'must be 0, 0.5 or 1' });

/** A summary with people's labels, as `tessera eval judge` reads it. */
export const labelledSummarySchema: z.ZodType<LabelledSummary> = z
  .strictObject({
    id: name.optional(),
    system: name.optional(),
    topic: name.optional(),
    bullets: z.array(text(20_000)).max(1000),
    insights: z
      .array(
        z.strictObject({
          text: text(20_000).min(1),
          human: level,
          bullet: z.int().min(0).nullable(),
          models: z.record(z.string(), level).optional(),
        }),
      )
      .min(1)
      .max(1000),
  })
  .superRefine(({ bullets, insights }, context) => {
    insights.forEach(({ text: told, bullet }, index) => {
      if (told.trim() === '') {
        context.addIssue({ code: 'custom', path: ['insights', index, 'text'], message: 'is blank' });
      }
      if (bullet === null || bullet < bullets.length) return;
      context.addIssue({ code: 'custom', path: ['insights', index, 'bullet'], message: 'names none of the bullets' });
    });
  });
