import { z } from '@hono/zod-openapi';
import { STAGES } from './choices.ts';
import type { TypeOf } from './fields.ts';
import { sentenceSchema } from './summary.ts';

/** The digest is written down, and will be made. */
export const acceptedSchema = z.object({
  id: z.string(),
  /** Its address: `/v1/digests/{id}`. */
  location: z.string(),
});
export type Accepted = TypeOf<typeof acceptedSchema>;

/** How far a stage is. */
export const progressSchema = z.object({
  stage: z.enum(STAGES),
  done: z.int(),
  total: z.int(),
  /** The document that was just read. */
  document: z.string().optional(),
});
export type Progress = TypeOf<typeof progressSchema>;

/** A sentence of the summary, once it stands; one with an index that came before replaces the earlier one. */
export const sentenceEventSchema = sentenceSchema.extend({
  index: z.int().min(0),
  /** Numbers of the sources that it cites. */
  sources: z.array(z.int()),
});
export type SentenceEvent = TypeOf<typeof sentenceEventSchema>;
