import type { Interval } from '../../../contract/index.ts';

/** The interval that reaches as far to both sides of a value. */
export function around(value: number, half: number): Interval {
  return { low: value - half, high: value + half };
}
