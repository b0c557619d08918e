import { z } from '@hono/zod-openapi';
import { findLoneSurrogate } from '../text/index.ts';

/** The output type of a schema, deeply read-only. */
export type TypeOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/** The input type of a schema: fields with a default are optional. */
export type InputOf<Schema extends z.ZodType> = Immutable<z.input<Schema>>;

/** Deeply read-only. */
type Immutable<Type> = Type extends object ? { readonly [Key in keyof Type]: Immutable<Type[Key]> } : Type;

/** Limits of one request; a service may lower the limit of the body. */
export const LIMITS = {
  documents: 2000,
  documentCharacters: 2_000_000,
  intentCharacters: 10_000,
  keyPoints: 1000,
  /** In one answer of `/v1/key-points`, without a selection. */
  extractedKeyPoints: 50_000,
  tableQuestions: 10,
  tableQuestionCharacters: 1000,
  /** Documents times questions. */
  tableCells: 2000,
  /** Of a bullet, sentence, key point, question or answer of an evaluation. */
  statementCharacters: 4000,
  /** Of a sentence that a model writes; a longer one is left out. */
  sentenceCharacters: 2000,
};

/** Max length in UTF-16 code units; no lone surrogates, which cannot be returned unchanged. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .superRefine((value, context) => {
      const offset = findLoneSurrogate(value);
      if (offset === undefined) return;
      const message = `contains half of a surrogate pair at offset ${offset}`;
      context.addIssue({ code: 'custom', message });
    });

/** Document dates. */
export const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).openapi({ example: '2026-01-31' });

export const question = text(LIMITS.intentCharacters).openapi({ example: 'What do they say about taxes?' });

/** `next` of a page of a list. */
export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: 'Cursor of the next page; null on the last page.', example: null });

export const backgroundText = text(100_000);

/** An example of an event stream: data by the names of its events. */
export function eventsText(events: Readonly<Record<string, unknown>>): string {
  return Object.entries(events)
    .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('');
}

/** The same schema under each of these names. */
export function schemaOfEach<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** JSON with sorted fields: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
