export type LayoutKind = 'tsne' | 'pca';

/** Points that a browser lays out by t-SNE while one waits. */
const MAX_POINTS = 2500;
const MIN_POINTS = 4;
const MAX_NEIGHBOURS = 30;

/** Why points cannot be laid out by t-SNE; null where they can. */
export function whyNoTsne(points: number): string | null {
  if (points < MIN_POINTS) return `With fewer than ${MIN_POINTS} key points there are no groups to find.`;
  if (points > MAX_POINTS) {
    return `With more than ${MAX_POINTS.toLocaleString('en')} key points grouping takes too long in a browser.`;
  }
  return null;
}

/** How many neighbours t-SNE keeps near. */
export function perplexityOf(points: number): number {
  return Math.max(1, Math.min(MAX_NEIGHBOURS, (points - 1) / 3));
}

/** The first two components of each vector, one point after the other. */
export function firstTwo(vectors: readonly (readonly number[])[]): Float64Array {
  const layout = new Float64Array(2 * vectors.length);
  for (const [i, [x = 0, y = 0]] of vectors.entries()) layout.set([x, y], 2 * i);
  return layout;
}

/** Share of the vectors' variance that lies in their first two components; 1 where there is none. */
export function shareOfTwo(vectors: readonly (readonly number[])[]): number {
  let two = 0;
  let all = 0;
  for (const vector of vectors) {
    for (const [c, value] of vector.entries()) {
      all += value * value;
      if (c < 2) two += value * value;
    }
  }
  return all === 0 ? 1 : two / all;
}
