import { sentences } from '../documents/sentences.ts';
import { STOP_WORDS } from '../kernel/stop-words.ts';

/** More facets than this are a list, of which the whole intent speaks better. */
const MOST = 6;
/** Words of its own that a facet needs; "why does it matter" has none. */
const LEAST_CONTENT = 2;
/** Where a sentence asks a second thing: "…, and what …", "…; …". */
const JOINTS =
  /\s*[;；]\s*|,?\s+(?:and|but|or|as well as)\s+(?=(?:how|what|why|who|whom|whose|when|where|which|whether)\b)/giu;

/**
 * The parts of an intent that can be answered one by one: its sentences, and the questions joined in one sentence. One
 * facet, the intent itself, where there is nothing to part.
 */
export function splitFacets(intent: string): string[] {
  const parts = sentences(intent).flatMap(({ start, end }) => intent.slice(start, end).split(JOINTS));
  const facets = parts.map((part) => part.trim()).filter((part) => part !== '');
  const canStand = facets.every((facet) => contentWords(facet) >= LEAST_CONTENT);
  return facets.length > 1 && facets.length <= MOST && canStand ? [...new Set(facets)] : [intent.trim()];
}

function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).length;
}
