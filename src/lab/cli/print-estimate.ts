import { fixed } from '../../evaluation/index.ts';
import type { Estimate } from '../bulk/estimate.ts';

/**
 * A figure and its interval: `54.6 [50.1, 59.0]`; a dash where there is none.
 *
 * @param digits after the point
 * @param expected values that the table's row promises; a figure that rests on fewer says so
 */
export function printEstimate({ value, low, high, n }: Estimate, digits: number, expected = n): string {
  if (value === null) return '–';
  const interval = low === null || high === null ? '' : ` [${fixed(low, digits)}, ${fixed(high, digits)}]`;
  return `${fixed(value, digits)}${interval}${n === expected ? '' : ` n=${n}`}`;
}
