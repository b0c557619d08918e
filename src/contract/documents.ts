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

/** A document that the service fetches; its text is known then. */
export const addressSchema = z
  .strictObject({
    ...documentSchema.omit({ text: true }).shape,
    id: documentRequestSchema.options[1].shape.id,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .openapi({ description: 'Fetched when the request is accepted.' }),
  })
  .openapi('DocumentAddress');
export const asAddress = <Document extends object>(document: Document) => ({
  ...document,
  text: '',
  isAddress: true as const,
});

/** Reports ids that documents of a list have in common. */
export function checkIds(documents: readonly (Pick<Given, 'id'> | string)[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  documents.forEach((each, index) => {
    if (typeof each === 'string' || each.id === undefined) return;
    if (seen.has(each.id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is a duplicate id' });
    seen.add(each.id);
  });
}

const listOf = <Schema extends z.ZodType<Given | string>>(document: Schema) =>
  z.array(document).min(1).max(LIMITS.documents).superRefine(checkIds).transform(withIds);

export const documentsSchema = listOf(documentRequestSchema);

const digestDocumentSchema = z.union([...documentRequestSchema.options, addressSchema.transform(asAddress)]);
export type DigestDocumentInput = InputOf<typeof digestDocumentSchema>;
/** Documents of a digest, with what to fetch among them. */
export const digestDocumentsSchema = listOf(digestDocumentSchema);
export type DigestSource = TypeOf<typeof digestDocumentsSchema>[number];

/** Whether there is nothing to read in a text. */
export function isBlank(given: string): boolean {
  return !/[\p{L}\p{N}]/u.test(given);
}

type Given = Omit<SourceDocument, 'id'> & { readonly id?: string | undefined; readonly isAddress?: true };

/** Ids default to positions in the list; a taken number yields to the next free one. */
function withIds(documents: readonly (Given | string)[]): (Given & { readonly id: string })[] {
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
