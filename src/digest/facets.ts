import { sentences } from '../documents/sentences.ts';
import { asks } from '../kernel/asks.ts';
import { STOP_WORDS } from '../kernel/stop-words.ts';

/** More facets than this are a list, of which the whole intent speaks better. */
const MOST = 6;
/** Words of its own that a facet needs; "why does it matter" has none. */
const LEAST_CONTENT = 2;
/** Where a sentence asks a second thing: "…, and what …", "…; …". */
const JOINTS =
  /\s*[;；]\s*|,?\s+(?:and|but|or|as well as)\s+(?=(?:how|what|why|who|whom|whose|when|where|which|whether)\b)/giu;

/** Words up to which statements before a question are its setting; more are a story with matters of its own. */
const LONGEST_SETTING = 25;

/**
 * The parts of an intent that can be answered one by one: its sentences, and the questions joined in one sentence. One
 * facet, the intent itself, where there is nothing to part. What is said before the questions ("I am resigning. What …?")
 * is part of each.
 */
export function splitFacets(intent: string): string[] {
  const facets = withSetting(
    sentences(intent).flatMap(({ start, end }) => {
      const parts = intent.slice(start, end).split(JOINTS);
      return parts.map((part) => part.trim()).filter((part) => part !== '');
    }),
  );
  const canStand = facets.every((facet) => contentWords(facet) >= LEAST_CONTENT);
  return facets.length > 1 && facets.length <= MOST && canStand ? [...new Set(facets)] : [intent.trim()];
}

function withSetting(parts: readonly string[]): readonly string[] {
  const first = parts.findIndex(asks);
  const setting = parts.slice(0, Math.max(0, first)).join(' ');
  if (setting === '' || setting.split(/\s+/u).length > LONGEST_SETTING) return parts;
  return parts.slice(first).map((part) => `${setting} ${part}`);
}

function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).length;
}
