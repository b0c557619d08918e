/** Milliseconds before the second attempt, before jitter. */
const FIRST = 500;
/** Most milliseconds between attempts, before jitter. */
const LONGEST = 8_000;
/** Most milliseconds that the service may ask to wait. */
const MAX_ASKED_LENGTH = 60_000;

/**
 * Milliseconds to wait after so many failures: as long as the service asks and up to a quarter more, else exponentially
 * more with jitter, so that clients that failed together do not come back together.
 */
export function retryDelay(failures: number, asked: number | null = null): number {
  if (asked !== null) return Math.min(asked, MAX_ASKED_LENGTH) * (1 + Math.random() / 4);
  return Math.min(FIRST * 2 ** (failures - 1), LONGEST) * (0.5 + Math.random() / 2);
}

/** Milliseconds that an answer asks to wait, told in seconds or as a date; null for none. */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
