/** With the `u` flag a well-formed pair is one character, so that only lone halves match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The UTF-16 offset of the first lone surrogate, or undefined where the text is well-formed. */
export function findLoneSurrogate(text: string): number | undefined {
  const offset = text.search(LONE_SURROGATE);
  return offset < 0 ? undefined : offset;
}
