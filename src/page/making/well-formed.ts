/** With the `u` flag a whole pair is one character, so that only lone halves match. */
const HALF = /\p{Surrogate}/u;

/** Where a text holds half of a character, which cannot be sent; null where it does not. */
export function halfCharacterIn(text: string): number | null {
  const offset = text.search(HALF);
  return offset < 0 ? null : offset;
}

/** A text without halves of characters. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
