import { groupBy } from '../../text/index.ts';

/** How many of the most relevant points set the gate's level. */
const LEADERS = 20;

/**
 * Which points are relevant enough to be read: r >= m - (1 - gate)|m|, m = the mean of the 20 highest r (all where fewer).
 *
 * @param gate in [0, 1]; null lets everything through
 * @returns indices in ascending order
 */
export function passGate(relevance: Float64Array, gate: number | null): number[] {
  const everyone = Array.from(relevance, (_, i) => i);
  if (gate === null || relevance.length === 0) return everyone;
  const leaders = Float64Array.from(relevance).sort().slice(-LEADERS);
  const mean = leaders.reduce((sum, r) => sum + r, 0) / leaders.length;
  const level = mean - (1 - gate) * Math.abs(mean);
  // The best point always passes: with gate 1 and equal relevances rounding could shut everyone out.
  const best = leaders[leaders.length - 1];
  return everyone.filter((i) => relevance[i] >= level || relevance[i] === best);
}

/**
 * The most relevant of some points for each facet, the facets in turn, the first of equals: so none is crowded out by another.
 *
 * @param past their indices, ascending
 * @param facets the facet of each of all points
 * @returns at most so many, ascending
 */
export function topOfFacets(
  past: readonly number[],
  { values, facets }: { readonly values: Float64Array; readonly facets: Int32Array },
  most: number,
): number[] {
  if (past.length <= most) return [...past];
  const byValue = (a: number, b: number): number => values[b] - values[a] || a - b;
  const queues = groupBy(past.toSorted(byValue), (i) => facets[i]);
  return [...queues.values()]
    .flatMap((queue) => queue.map((i, turn) => ({ i, turn })))
    .sort((a, b) => a.turn - b.turn || byValue(a.i, b.i))
    .slice(0, most)
    .map(({ i }) => i)
    .sort((a, b) => a - b);
}
