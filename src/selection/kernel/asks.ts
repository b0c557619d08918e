import { contentWords } from './content-words.ts';

const ASKS =
  /^(?:what['’]?s?|who['’]?s?|whom|whose|which|when|where|why|how['’]?s?|is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had|compare|summari[sz]e|list|name|describe|explain|find|tell|show|give)\b/i;

/** After what it is about: "Doubled entries since the update - whats causing it". */
const ASKS_LATER = /(?:\s[-–—]|[.:;])\s+(?:what|who|why|how)(?:['’]?s)?\b/;

/** Whether an intent is put as a question or as a request for an answer, rather than as a topic or a claim. */
export function asks(text: string): boolean {
  return /[?？؟]\s*$/u.test(text) || ASKS.test(text.trim()) || ASKS_LATER.test(text);
}

const OPEN = /^(?:what|why|how\s+(?:do|does|did|is|are|was|were|can|could|should|to))\b/i;
/** Words of its own up to which an open question leaves open what would answer it. */
const FEW_WORDS = 3;

/**
 * Whether a question is so open that any statement of the documents on its subject helps to answer it ("Why do customers
 * cancel?"): it names nothing, asks for no figure, and no single sentence can be expected to look like its answer.
 */
export function isOpen(text: string): boolean {
  const asked = text.trim();
  const own = contentWords(asked);
  const names = own.some(({ text: word }) => /[\p{Lu}\p{N}]/u.test(word));
  return OPEN.test(asked) && !names && new Set(own.map(({ stem }) => stem)).size <= FEW_WORDS;
}
