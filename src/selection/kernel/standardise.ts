/** z-scores; all 0 where the values do not differ. */
export function standardise(values: Float64Array): Float64Array {
  const n = values.length;
  if (n === 0) return new Float64Array(0);
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n);
  // A deviation that is rounding noise beside the mean is none.
  if (deviation <= 1e-12 * Math.max(1, Math.abs(mean))) return new Float64Array(n);
  return values.map((v) => (v - mean) / deviation);
}
