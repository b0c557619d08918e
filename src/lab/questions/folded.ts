/** A text by its words alone, in lower case: two that differ in case, punctuation or spacing are the same. */
export function folded(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}
