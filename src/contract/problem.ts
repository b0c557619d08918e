import { z } from '@hono/zod-openapi';
import type { TypeOf } from './fields.ts';

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
