import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';

/** The value of a JSON answer, or what is wrong with it, in words that its author understands. */
export type JsonReading<T> = { readonly value: T } | { readonly problem: string };

/** Longest start of an answer that may be prose before the JSON. */
const FENCE = /```(?:json)?\s*([\s\S]*?)(?:```|$)/i;

/**
 * Reads an answer that should be JSON: fences and prose around it are passed over, cut or careless JSON is repaired, and
 * the schema decides.
 */
export function readJson<T>(answer: string, schema: z.ZodType<T>): JsonReading<T> {
  let problem = 'it holds no JSON';
  for (const candidate of candidates(answer)) {
    const parsed = parseLeniently(candidate);
    if (parsed === undefined) continue;
    const read = schema.safeParse(parsed);
    if (read.success) return { value: read.data };
    problem = z.prettifyError(read.error).replace(/\s+/g, ' ');
  }
  return { problem };
}

/** The places where the JSON may be: the whole, a fenced block, from the first brace or bracket on. */
function candidates(answer: string): string[] {
  const fenced = FENCE.exec(answer)?.[1];
  const opening = answer.search(/[{[]/);
  const found = [answer, fenced, opening < 0 ? undefined : answer.slice(opening)];
  const closing = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'));
  if (opening >= 0 && closing > opening) found.push(answer.slice(opening, closing + 1));
  return [...new Set(found.filter((each) => each !== undefined).map((each) => each.trim()))].filter((each) =>
    /^[{[]/.test(each),
  );
}

function parseLeniently(text: string): unknown {
  for (const read of [JSON.parse, (each: string) => JSON.parse(jsonrepair(each))]) {
    try {
      return read(text);
    } catch {
      // The next way of reading it may do; where none does, the answer is asked for again.
    }
  }
  return undefined;
}
