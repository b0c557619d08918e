import { z } from 'zod';
import type { JsonForm } from '../../models/language/stage-model.ts';

/** A key point as a model gives it: a statement with the words of the document that state it. */
export interface ModelKeyPoint {
  readonly text: string;
  readonly quotes: readonly string[];
}

const asAsked = z.object({ quotes: z.array(z.string()), text: z.string() });
/** What small models make of it: one quote under one name or the other, quotes alone, the quote as the statement. */
const nearly = z.union([
  asAsked.transform((point) => [point]),
  z.object({ text: z.string(), quote: z.string() }).transform(({ text, quote }) => [{ text, quotes: [quote] }]),
  z.object({ text: z.string(), quotes: z.string() }).transform(({ text, quotes }) => [{ text, quotes: [quotes] }]),
  z.object({ quotes: z.array(z.string()) }).transform(({ quotes }) => quotes.map(itsOwnQuote)),
  z.object({ text: z.string() }).transform(({ text }) => [itsOwnQuote(text)]),
  z.string().transform((text) => [itsOwnQuote(text)]),
]);

function itsOwnQuote(text: string): ModelKeyPoint {
  return { text, quotes: [text] };
}

/** The form that is asked for; what comes is read more kindly by `keyPointsIn`. */
const asked = z.object({ keyPoints: z.array(asAsked) });
const answer = z.union([
  z.object({ keyPoints: z.array(z.unknown()) }).transform(({ keyPoints }) => keyPoints),
  z.array(z.unknown()),
]);

/** Key points as JSON; an item that is none is passed over, and does not cost the others. */
export const KEY_POINTS: JsonForm<ModelKeyPoint[]> = {
  name: 'key_points',
  schema: answer.transform((items) => items.flatMap(keyPointsIn)),
  asked,
};

function keyPointsIn(item: unknown): ModelKeyPoint[] {
  const read = nearly.safeParse(item);
  return (read.data ?? []).flatMap(({ text, quotes }) => {
    const filled = quotes.filter((quote) => /\S/.test(quote));
    return /[\p{L}\p{N}]/u.test(text) && filled.length > 0 ? [{ text, quotes: filled }] : [];
  });
}
