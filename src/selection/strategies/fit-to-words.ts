/**
 * Which picks a summary of `maxWords` words holds. Walks down the ranks and keeps whatever still fits, so that a long point
 * gives way to shorter ones of lower rank instead of ending the summary.
 *
 * At least one pick is always kept: where the reserve leaves room for none, the first that fits without it; where none fits
 * at all, the shortest, and the bound is passed by as little as can be.
 *
 * @param words of each pick, in rank order
 * @param maxWords bound on the words of all sentences; null keeps everything
 * @param reserve words to leave for the summary's own framing
 * @returns positions in `words`, ascending
 */
export function fitToWords(words: readonly number[], maxWords: number | null, reserve: number): number[] {
  if (maxWords === null || words.length === 0) return [...words.keys()];
  const kept = firstFit(words, maxWords - reserve);
  if (kept.length > 0) return kept;
  const first = firstFit(words, maxWords).slice(0, 1);
  return first.length > 0 ? first : [words.indexOf(Math.min(...words))];
}

function firstFit(words: readonly number[], room: number): number[] {
  const kept: number[] = [];
  let used = 0;
  for (const [position, count] of words.entries()) {
    if (used + count > room) continue;
    kept.push(position);
    used += count;
  }
  return kept;
}
