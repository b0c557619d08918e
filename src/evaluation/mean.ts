/** Sum that does not depend on the order of the values, to the last bit. */
export function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** Mean that does not depend on the order of the values; null without values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
