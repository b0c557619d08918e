import { z } from '@hono/zod-openapi';
import { date, type InputOf, LIMITS, type TypeOf, text } from './fields.ts';

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
      .openapi({ description: 'Reliability of the document; key points count in proportion. Default: 1.' }),
    text: text(LIMITS.documentCharacters),
  })
  .openapi('Document');
export type SourceDocument = TypeOf<typeof documentSchema>;

/** Text alone, or text with metadata. */
const documentRequestSchema = z.union([
  documentSchema.shape.text,
  z
    .strictObject({
      ...documentSchema.shape,
      id: text(200).min(1).optional().openapi({
        description:
          'Id that citations refer to. Default: the position in the list, from "1"; numbers that are the id of another document are skipped.',
        example: 'd1',
      }),
    })
    .openapi('DocumentRequest'),
]);
export type DocumentInput = InputOf<typeof documentRequestSchema>;

export const documentsSchema = z
  .array(documentRequestSchema)
  .min(1)
  .max(LIMITS.documents)
  .superRefine((documents, context) => {
    const seen = new Set<string>();
    documents.forEach((document, index) => {
      if (typeof document === 'string' || document.id === undefined) return;
      if (seen.has(document.id)) {
        context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is a duplicate id' });
      }
      seen.add(document.id);
    });
  })
  .transform(withIds);

/** Ids default to positions in the list; a taken number yields to the next free one. */
function withIds(documents: readonly DocumentInput[]): SourceDocument[] {
  const taken = new Set(documents.flatMap((document) => (typeof document === 'string' ? [] : (document.id ?? []))));
  return documents.map((document, index) => {
    const given = typeof document === 'string' ? { text: document } : document;
    if (given.id !== undefined) return { ...given, id: given.id };
    let number = index + 1;
    while (taken.has(String(number))) number++;
    taken.add(String(number));
    return { ...given, id: String(number) };
  });
}
