/** Milliseconds before the second attempt, before jitter. */
const FIRST = 500;
/** Most milliseconds between attempts, before jitter. */
const LONGEST = 8_000;
/** Most milliseconds that a server may ask to wait. */
const MAX_ASKED_LENGTH = 20_000;

/** Milliseconds to wait after so many failures: as the server asks, else exponentially more with jitter. */
export function retryDelay(failures: number, asked: number | null, random: () => number): number {
  if (asked !== null) return Math.min(asked, MAX_ASKED_LENGTH);
  return Math.min(FIRST * 2 ** (failures - 1), LONGEST) * (0.5 + random() / 2);
}

/** Milliseconds that an answer asks to wait (`retry-after-ms`, or `retry-after` in seconds or as a date); null for none. */
export function retryAfter(headers: Headers | undefined, now: number = Date.now()): number | null {
  const milliseconds = numberOf(headers?.get('retry-after-ms'));
  if (milliseconds !== null) return milliseconds;
  const header = headers?.get('retry-after');
  const seconds = numberOf(header);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(header ?? '');
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberOf(header: string | null | undefined): number | null {
  return header && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : null;
}
