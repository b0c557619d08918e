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
  const sorted = past.toSorted((a, b) => values[b] - values[a] || a - b);
  const counts = new Map<number, number>();
  const turns = new Map(
    sorted.map((i) => {
      const turn = counts.get(facets[i]) ?? 0;
      counts.set(facets[i], turn + 1);
      return [i, turn];
    }),
  );
  const turnOf = (i: number): number => turns.get(i) ?? 0;
  return sorted
    .sort((a, b) => turnOf(a) - turnOf(b)) // a stable sort: within a turn the most relevant first
    .slice(0, most)
    .sort((a, b) => a - b);
}
