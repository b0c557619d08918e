import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import { THOUGHTS } from './thoughts.ts';

/** The value of a JSON answer, or what is wrong with it, in words that its author understands. */
export type JsonReading<T> = { readonly value: T } | { readonly problem: string };

const FENCE = /```(?:json)?\s*([\s\S]*?)(?:```|$)/gi;
/** Most places of an answer that are looked at for JSON. */
const MOST_OPENINGS = 50;

/**
 * Reads an answer that should be JSON: fences and prose around it are passed over, cut or careless JSON is repaired where
 * there is no other, and the schema decides.
 *
 * @param wholeItems whether of a list that is cut the item that did not end is left out; an answer that ends in its first
 *   item, or outside of any list, is none then
 */
export function readJson<T>(answer: string, schema: z.ZodType<T>, wholeItems = false): JsonReading<T> {
  let problem: string | null = null;
  for (const { text, isRepaired } of candidates(answer.replace(THOUGHTS, ''), wholeItems)) {
    const parsed = parse(text, isRepaired);
    if (parsed === undefined) continue;
    const read = schema.safeParse(parsed);
    if (read.success) return { value: read.data };
    problem ??= z.prettifyError(read.error).replace(/\s+/g, ' ');
  }
  return { problem: problem ?? 'it holds no JSON' };
}

interface Candidate {
  readonly text: string;
  readonly isRepaired: boolean;
}

/** The places where the JSON may be: the whole, fenced blocks, what brackets enclose, all from a bracket on. */
function candidates(answer: string, wholeItems: boolean): Candidate[] {
  const fenced = [...answer.matchAll(FENCE)].map(([, block]) => block);
  const enclosed: string[] = [];
  const repaired = wholeItems ? [] : [...fenced];
  let isWhole = true;
  let opening = nextOpening(answer, 0);
  for (let looked = 0; opening >= 0 && looked < MOST_OPENINGS; looked++) {
    const end = endOf(answer, opening);
    const value = answer.slice(opening, end < 0 ? undefined : end);
    if (end >= 0 || !wholeItems) repaired.push(value);
    else if (isWhole) repaired.push(untilLastItem(value));
    // What is within a value that is cut is a part of it, and only looked at where the whole cannot be repaired.
    isWhole &&= end >= 0;
    if (isWhole) enclosed.push(answer.slice(opening, end));
    opening = nextOpening(answer, end < 0 ? opening + 1 : end);
  }
  return [
    ...[answer, ...fenced, ...enclosed].map((text) => ({ text: text.trim(), isRepaired: false })),
    ...repaired.map((text) => ({ text: text.trim(), isRepaired: true })),
  ].filter(({ text }) => /^[{[]/.test(text));
}

function nextOpening(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found < 0 ? -1 : from + found;
}

/** Where the value that opens at an index is closed, after its last bracket; -1 where it is not. */
function endOf(text: string, opening: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let i = opening; i < text.length; i++) {
    const character = text[i];
    if (isQuoted) {
      if (character === '\\') i++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return i + 1;
  }
  return -1;
}

/** A value that is cut, up to the last item of its outermost list that ended; empty where none did. */
function untilLastItem(text: string): string {
  const open: string[] = [];
  let [outermost, lastComma] = [Number.POSITIVE_INFINITY, 0];
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isQuoted) {
      if (character === '\\') i++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') {
      open.push(character);
      if (character === '[') outermost = Math.min(outermost, open.length);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && open.length === outermost) lastComma = i;
  }
  return text.slice(0, lastComma);
}

function parse(text: string, isRepaired: boolean): unknown {
  try {
    return JSON.parse(isRepaired ? jsonrepair(text) : text);
  } catch {
    // The next way of reading it may do; where none does, the answer is asked for again.
    return undefined;
  }
}
