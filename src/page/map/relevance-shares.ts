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
