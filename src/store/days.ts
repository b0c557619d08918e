/** Milliseconds. */
export const DAY = 86_400_000;

/** Days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
