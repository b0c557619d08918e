/** How many of the most relevant points set the gate's level. */
const LEADERS = 20;

/**
 * Which points are relevant enough to be read: r >= m - (1 - gate)|m|, m = the mean of the 20 highest r (all where fewer).
 *
 * @param gate in [0, 1]; null lets everything through
 * @param most of them the most relevant, the first on a tie
 * @returns indices in ascending order
 */
export function passGate(
  relevance: Float64Array,
  gate: number | null,
  most: number = Number.POSITIVE_INFINITY,
): number[] {
  const everyone = Array.from(relevance, (_, i) => i);
  if (gate === null || relevance.length === 0) return everyone;
  const leaders = Float64Array.from(relevance).sort().slice(-LEADERS);
  const mean = leaders.reduce((sum, r) => sum + r, 0) / leaders.length;
  const level = mean - (1 - gate) * Math.abs(mean);
  // The best point always passes: with gate 1 and equal relevances rounding could shut everyone out.
  const best = leaders[leaders.length - 1];
  const past = everyone.filter((i) => relevance[i] >= level || relevance[i] === best);
  if (past.length <= most) return past;
  return past
    .sort((a, b) => relevance[b] - relevance[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
}
