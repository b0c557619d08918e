import type { Interval } from './around.ts';

export type GuardrailVerdict = 'safe' | 'breached' | 'unclear';

/**
 * Whether a relative change stays within a margin for the worse: a test of non-inferiority by the interval of the lift.
 *
 * @param lift null where there is no interval yet
 * @param margin relative and positive: 0.02 allows to get worse by two percent
 */
export function guardrailVerdict(
  lift: Interval | null,
  margin: number,
  direction: 'increase' | 'decrease',
): GuardrailVerdict {
  if (lift === null) return 'unclear';
  const { low, high } = direction === 'increase' ? { low: -lift.high, high: -lift.low } : lift;
  if (high < margin) return 'safe';
  return low > margin ? 'breached' : 'unclear';
}
