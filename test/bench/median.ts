/** A run beyond this is done twice at most. */
const LONG = 4000;

/** The median time of some runs in milliseconds, after one to warm up; a long one is not repeated more than once. */
export async function medianTime(work: () => unknown, runs = 5): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const start = performance.now();
    await work();
    const ms = performance.now() - start;
    if (run > 0 || ms > LONG) times.push(ms);
    if (ms > LONG && times.length >= 2) break;
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Milliseconds, as wide as a column. */
export function ms(value: number | null): string {
  if (value === null) return 'refused'.padStart(9);
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0).padStart(9);
}
