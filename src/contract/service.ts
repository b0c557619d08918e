import { z } from '@hono/zod-openapi';
import { EXTRACTORS, WRITERS } from './choices.ts';
import type { TypeOf } from './fields.ts';

/** The components that a service offers. */
export const readinessSchema = z
  .object({
    status: z.literal('ready'),
    /** The default. */
    encoder: z.string(),
    encoders: z.array(z.string()),
    rerankers: z.array(z.string()),
    matrix: z.string(),
    languageModel: z
      .object({ model: z.string().nullable() })
      .nullable()
      .openapi({ description: 'Null if none is configured.' }),
    extractor: z.enum(EXTRACTORS),
    writer: z.enum(WRITERS),
  })
  .openapi('Readiness', {
    example: {
      status: 'ready',
      encoder: 'transformers',
      encoders: ['transformers'],
      rerankers: [],
      matrix: 'onnxruntime',
      languageModel: { model: 'gpt-4o-mini' },
      extractor: 'sentences',
      writer: 'compose',
    },
  });
export type Readiness = TypeOf<typeof readinessSchema>;

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .openapi('Problem', { description: 'RFC 9457 problem details.' });
export type Problem = TypeOf<typeof problemSchema>;
