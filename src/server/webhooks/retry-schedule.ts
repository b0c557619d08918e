const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each attempt, from the end of the one before: the schedule of Standard Webhooks, about three days. */
const WAITS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** How far a wait may be off, so that messages that failed together do not come again together. */
const JITTER = 0.1;

/**
 * Milliseconds to wait after an attempt that failed; null after the last.
 *
 * @param attempt which it was, from 1
 * @param asked milliseconds that the receiver asks to wait: may make the wait as long as the step after it, not shorter
 * @param random from 0 to 1
 */
export function waitAfter(attempt: number, asked: number | null, random: () => number): number | null {
  const wait = WAITS[attempt];
  if (wait === undefined) return null;
  const jittered = wait * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.max(jittered, Math.min(asked ?? 0, WAITS[attempt + 1] ?? wait)));
}
