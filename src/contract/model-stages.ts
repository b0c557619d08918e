import { z } from '@hono/zod-openapi';
import { type TypeOf, text } from './fields.ts';

/** The same field of every stage, where it is there. */
export const perStage = <Schema extends z.ZodType>(schema: Schema) => ({
  extract: schema.optional(),
  select: schema.optional(),
  write: schema.optional(),
  judge: schema.optional(),
});

/** How a stage asks its language model. */
export const stageRequestSchema = z.strictObject({
  model: text(200).min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  seed: z.int().min(0).optional(),
  prompt: text(100).min(1).optional().openapi({ description: 'Id of the prompt for the stage.' }),
});
export type StageRequest = TypeOf<typeof stageRequestSchema>;

/** What calls of a language model took. */
export const callUsageSchema = z.object({
  requests: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cost: z
    .number()
    .nullable()
    .openapi({ description: 'In the currency of the price table; null if no price is configured.' }),
});

/** Settings of a stage that asked a language model. */
export const stageRecordSchema = z.object({
  model: z.string(),
  temperature: z.number().nullable(),
  topP: z.number().nullable(),
  seed: z.int().nullable(),
  prompt: z.string(),
});
export type StageRecord = TypeOf<typeof stageRecordSchema>;

/** Settings of the stages that asked a language model. */
export const stageRecordsSchema = z.object(perStage(stageRecordSchema));
