import { z } from '@hono/zod-openapi';
import { findLoneSurrogate } from '../text/index.ts';

/** What a schema reads, as a type. Nothing that came in or goes out is changed, so all of it is read-only. */
export type TypeOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/** What a schema takes, as a type: fields with a default may be absent. */
export type InputOf<Schema extends z.ZodType> = Immutable<z.input<Schema>>;

/** A type with `readonly` all the way down. */
type Immutable<Type> = Type extends object ? { readonly [Key in keyof Type]: Immutable<Type[Key]> } : Type;

/** Limits of one request; a service may set lower ones for the body. */
export const LIMITS = { documents: 2000, documentCharacters: 2_000_000, intentCharacters: 10_000, keyPoints: 1000 };

/** Text of so many UTF-16 code units at most that can be given back as it came: without half of a surrogate pair. */
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

/** A day or a moment, as documents are dated. */
export const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).openapi({ example: '2026-01-31' });

/** A question in plain words. */
export const question = text(LIMITS.intentCharacters).openapi({ example: 'What do they say about taxes?' });

/** What the reader knows already, in words. */
export const backgroundText = text(100_000);

/** JSON in which the fields of every object come in order of their names: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
