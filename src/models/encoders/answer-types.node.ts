import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { AnswerTypes } from './answer-types.ts';
import { SHIPPED_MODELS } from './model-folder.node.ts';

/** Where the classifier and what it was fitted on are. */
export const ANSWER_TYPES = join(SHIPPED_MODELS, 'answer-types');

const classifier = z.object({ bias: z.array(z.number()), weights: z.array(z.array(z.number())) });
const schema = z.object({
  encoder: z.string(),
  types: z.array(z.string()),
  statements: classifier,
  questions: classifier,
});

/** The classifier that ships (models/README.md). */
export function shippedAnswerTypes(): AnswerTypes {
  return schema.parse(JSON.parse(readFileSync(join(ANSWER_TYPES, 'weights.json'), 'utf8')));
}
