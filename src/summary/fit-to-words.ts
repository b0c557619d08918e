import { countWords } from './count-words.ts';
import { sentenceText } from './sentence-text.ts';
import type { SelectedPoint } from './summary.ts';

export interface Fit<Point> {
  /** In rank order. */
  readonly kept: Point[];
  readonly dropped: Point[];
}

/**
 * Deselects the points that a summary of `maxWords` words cannot hold. Walks down the ranks and keeps whatever still
 * fits, so that a long point gives way to shorter ones of lower rank instead of ending the summary.
 *
 * At least one point is always kept. Where the reserve leaves room for none, the framing gives way to the first point
 * that fits without it; where no point fits at all, the shortest is kept and the bound is passed by as little as can be.
 *
 * @param points In rank order.
 * @param maxWords Bound on the words of all sentences; null keeps everything.
 * @param reserve Words to leave for framing sentences: `framingReserve`.
 */
export function fitToWords<Point extends Pick<SelectedPoint, 'text' | 'speaker'>>(
  points: readonly Point[],
  maxWords: number | null,
  reserve = 0,
): Fit<Point> {
  if (maxWords === null) return { kept: [...points], dropped: [] };
  const words = points.map((point) => countWords(sentenceText(point)));
  let kept = firstFit(words, maxWords - reserve);
  if (kept.size === 0) kept = new Set([...firstFit(words, maxWords)].slice(0, 1));
  if (kept.size === 0 && words.length > 0) kept.add(words.indexOf(words.reduce((a, b) => Math.min(a, b))));
  return {
    kept: points.filter((_, index) => kept.has(index)),
    dropped: points.filter((_, index) => !kept.has(index)),
  };
}

function firstFit(words: readonly number[], room: number): Set<number> {
  const kept = new Set<number>();
  let used = 0;
  for (const [index, count] of words.entries()) {
    if (used + count > room) continue;
    kept.add(index);
    used += count;
  }
  return kept;
}
