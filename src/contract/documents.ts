import { z } from '@hono/zod-openapi';
import { date, LIMITS, type TypeOf, text } from './fields.ts';

export const documentSchema = z
  .strictObject({
    id: text(200).min(1).openapi({ example: 'd1' }),
    title: text(1000).optional(),
    url: z.url().max(2000).optional(),
    publishedAt: date.optional(),
    weight: z
      .number()
      .positive()
      .max(1e6)
      .optional()
      .openapi({ description: 'Reliability, a factor of quality; default 1.' }),
    text: text(LIMITS.documentCharacters),
  })
  .openapi('Document');
export type SourceDocument = TypeOf<typeof documentSchema>;

/** Documents of one request: no id twice. */
export const documentsSchema = z
  .array(documentSchema)
  .min(1)
  .max(LIMITS.documents)
  .superRefine((documents, context) => {
    const seen = new Set<string>();
    documents.forEach(({ id }, index) => {
      if (seen.has(id)) {
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'names a document that came before it' });
      }
      seen.add(id);
    });
  });
