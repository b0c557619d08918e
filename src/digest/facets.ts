import { sentences } from '../documents/sentences.ts';

/** More facets than this are a list, of which the whole intent speaks better. */
const MOST = 6;
const LEAST_WORDS = 3;
/** Where a sentence asks a second thing: "…, and what …", "…; …". */
const JOINTS =
  /\s*[;；]\s*|,?\s+(?:and|but|or|as well as)\s+(?=(?:how|what|why|who|whom|whose|when|where|which|whether)\b)/giu;

/**
 * The parts of an intent that can be answered one by one: its sentences, and the questions joined in one sentence. One
 * facet, the intent itself, where there is nothing to part.
 */
export function splitFacets(intent: string): string[] {
  const parts = sentences(intent).flatMap(({ start, end }) => intent.slice(start, end).split(JOINTS));
  const facets = parts.map((part) => part.trim()).filter((part) => part.split(/\s+/).length >= LEAST_WORDS);
  return facets.length > 1 && facets.length <= MOST ? [...new Set(facets)] : [intent.trim()];
}
