/** Harmonic mean of two shares, in their unit; 0 where both are, null where one is missing. */
export function harmonicMean(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}
