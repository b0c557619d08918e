/** Edits that a slip of the fingers takes. */
const MAX_EDITS = 2;

/** The word that was most likely meant; null where none is near. */
export function nearest(given: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, edits: word.startsWith(given) && given.length > 1 ? 1 : editsBetween(given, word) }))
    .filter(({ word, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(word.length / 2)));
  return near.toSorted((a, b) => a.edits - b.edits).at(0)?.word ?? null;
}

/** Characters to be put in, taken out, changed or swapped with the next one, at the least (Damerau 1964). */
export function editsBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  rows[0] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const edits = [rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i][j] = Math.min(...edits, isSwapped ? rows[i - 2][j - 2] + 1 : Number.POSITIVE_INFINITY);
    }
  }
  return rows[a.length][b.length];
}
