/** Share of the values that hold, 0 to 100; null without values. */
export function share(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : (100 * values.filter(Boolean).length) / values.length;
}
