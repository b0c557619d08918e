import { bySimilarity } from './cite-point.ts';
import { type Disagreements, statedBy } from './disagreements.ts';
import type { ComposeInput, SelectedPoint, Support } from './summary.ts';
import { contradictsQuotes } from './verify/negation.ts';

/** A point without those of its supporters that say the opposite, which is no support. */
export interface Stance {
  readonly point: SelectedPoint;
  /** The supporters that contradict it, most similar first; each with those that say the same as it does. */
  readonly counterpoints: readonly { readonly point: SelectedPoint; readonly on: string }[];
}

/** Takes the supporters that contradict a point out of its support: similar wording joins them to what they deny. */
export function splitSupports(point: SelectedPoint, disagreements: Disagreements): Stance {
  const against: { support: Support; on: string; joined: Support[] }[] = [];
  for (const support of bySimilarity(point.supports)) {
    const on = disagreements.between(point, statedBy(support), support.similarity);
    if (on === null) continue;
    const same = against.find((other) => other.on === on);
    if (same) same.joined.push(support);
    else against.push({ support, on, joined: [] });
  }
  const opposed = new Set(against.flatMap(({ support, joined }) => [support, ...joined]));
  // What turns the point around is no support either, though what they differ on cannot be said.
  const denying = point.supports.filter((support) => turnsAround(point, statedBy(support)));
  for (const support of denying) opposed.add(support);
  if (opposed.size === 0) return { point, counterpoints: [] };
  return {
    point: { ...point, supports: point.supports.filter((support) => !opposed.has(support)) },
    counterpoints: against.map(({ support, on, joined }) => ({ on, point: asPoint(support, point, joined) })),
  };
}

function turnsAround(point: Pick<SelectedPoint, 'text'>, other: Pick<SelectedPoint, 'text'>): boolean {
  return contradictsQuotes(point.text, [other.text]) || contradictsQuotes(other.text, [point.text]);
}

function asPoint(support: Support, point: SelectedPoint, supports: readonly Support[]): SelectedPoint {
  const { text, document, speaker } = statedBy(support);
  const { relevance, salience, rank, facet } = point;
  const { keyPoint: id, quote } = support;
  return { id, document, text, speaker, quote, relevance, salience, rank, facet, supports };
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
