import { bySimilarity } from './cite-point.ts';
import { type Disagreements, statedBy } from './disagreements.ts';
import type { ComposeInput, SelectedPoint, Support } from '../contract/summary.ts';

/** A point without those of its supporters that say the opposite, which is no support. */
export interface Stance {
  readonly point: SelectedPoint;
  /** What contradicts it among those that are near, most similar first; of those that say the same, one. */
  readonly counterpoints: readonly { readonly point: SelectedPoint; readonly on: string }[];
}

/** Finds what contradicts a point among what is near it: similar wording brings up what is denied. */
export function splitSupports(point: SelectedPoint, disagreements: Disagreements): Stance {
  const counterpoints: { readonly point: SelectedPoint; readonly on: string }[] = [];
  const opposed = new Set<Support>();
  for (const support of bySimilarity([...point.supports, ...(point.near ?? [])])) {
    const other = statedBy(support);
    const on = disagreements.between(point, other, support.similarity);
    if (on === null) continue;
    opposed.add(support);
    const isNew = counterpoints.every(({ point: known }) => disagreements.between(known, other, 1) !== null);
    if (isNew) counterpoints.push({ on, point: asPoint(support, point) });
  }
  if (opposed.size === 0) return { point, counterpoints };
  return { point: { ...point, supports: point.supports.filter((support) => !opposed.has(support)) }, counterpoints };
}

function asPoint(support: Support, point: SelectedPoint): SelectedPoint {
  const { text, document, speaker } = statedBy(support);
  const { relevance, salience, rank, facet } = point;
  const { keyPoint: id, quote } = support;
  return { id, document, text, speaker, quote, relevance, salience, rank, facet, supports: [] };
}

export interface Opposed {
  readonly a: number;
  readonly b: number;
  readonly on: string;
  readonly similarity: number;
}

/** All pairs of selected points that contradict each other, closest pair first. */
export function opposedPairs(
  { points, similarity }: Pick<ComposeInput, 'points' | 'similarity'>,
  disagreements: Disagreements,
): Opposed[] {
  const n = points.length;
  const pairs: Opposed[] = [];
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      const closeness = similarity[a * n + b] as number;
      const on = disagreements.between(points[a] as SelectedPoint, points[b] as SelectedPoint, closeness);
      if (on !== null) pairs.push({ a, b, on, similarity: closeness });
    }
  }
  return pairs.sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);
}

/** The pairs to set side by side: every point in one pair at most, so that a paragraph does not become a debate. */
export function pairUp(pairs: readonly Opposed[]): Opposed[] {
  const taken = new Set<number>();
  return pairs.filter(({ a, b }) => {
    if (taken.has(a) || taken.has(b)) return false;
    taken.add(a).add(b);
    return true;
  });
}
