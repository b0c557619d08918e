import type { MapPoint } from './map-point.ts';
import type { Picture } from './picture.ts';

/** What is drawn, by the places of points. */
export interface Scene {
  /** Unselected points, the least relevant first, so that what matters lies on top. */
  readonly order: readonly number[];
  /** Share of all points that each is more relevant than. */
  readonly shares: Float64Array;
  /** The same among the points past the gate, which the strength of colours tells. */
  readonly shades: Float64Array;
  /** Points that did not pass the gate, or were left out before it. */
  readonly isGated: readonly boolean[];
  readonly picks: readonly number[];
  /** Picks with what stands beside them. */
  readonly labels: readonly string[];
  /** Points that the digest selected and this selection does not. */
  readonly gone: readonly number[];
  /** From each point that joined to the one that it says the same as. */
  readonly joins: readonly (readonly [number, number])[];
  /** From each point to the selected one that it is most like. */
  readonly nearest: readonly (number | null)[];
}

/** @param own ids of the points that the digest picked; null where its own selection is shown */
export function makeScene(
  points: readonly MapPoint[],
  { standings, picks }: Picture,
  own: ReadonlySet<string> | null,
): Scene {
  const placeOf = new Map(points.map(({ id }, place) => [id, place]));
  const place = (id: string | undefined): number | null => (id === undefined ? null : (placeOf.get(id) ?? null));
  const shares = relevanceShares(standings.map(({ relevance }) => relevance));
  const isGated = standings.map(({ reason }) => reason === 'gate' || reason === 'known');
  const past = [...points.keys()].filter((i) => !isGated[i]);
  const shades = new Float64Array(points.length);
  const pastShares = relevanceShares(past.map((i) => standings[i].relevance));
  for (const [k, i] of past.entries()) shades[i] = pastShares[k];
  const joins = standings.flatMap(({ supports }, from): (readonly [number, number])[] => {
    const to = place(supports ?? undefined);
    return to === null ? [] : [[from, to]];
  });
  const gone = own === null ? [] : points.flatMap(({ id }, i) => (own.has(id) && !standings[i].selected ? [i] : []));
  const isElsewhere = new Set(gone);
  return {
    order: [...points.keys()]
      .filter((i) => !standings[i].selected && !isElsewhere.has(i))
      .sort((a, b) => Number(isGated[b]) - Number(isGated[a]) || shares[a] - shares[b]),
    shares,
    shades,
    isGated,
    picks,
    labels: picks.map((i, k) => `${own?.has(points[i].id) === false ? '+' : ''}${standings[i].rank ?? k + 1}`),
    gone,
    joins,
    nearest: standings.map(({ nearest }) => place(nearest?.id)),
  };
}
/**
 * How each point stands among all by relevance: the share that is less relevant, from 0 for the least to 1 for the most relevant.
 * Points that are as relevant stand alike; where all do, at 1.
 */
export function relevanceShares(relevances: readonly number[]): Float64Array {
  const sorted = Float64Array.from(relevances).sort();
  const n = sorted.length;
  if (n === 0 || sorted[0] === sorted[n - 1]) return new Float64Array(n).fill(1);
  const shareOf = new Map<number, number>();
  let from = 0;
  for (let i = 1; i <= n; i++) {
    if (i < n && sorted[i] === sorted[from]) continue;
    // Those in the middle of a tie.
    shareOf.set(sorted[from], (from + i - 1) / 2 / (n - 1));
    from = i;
  }
  return Float64Array.from(relevances, (value) => shareOf.get(value) ?? 0);
}
