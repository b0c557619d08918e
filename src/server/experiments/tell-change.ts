import type { Finding } from './decide.ts';
import type { Comparison, Interval } from '../../contract/experiment-results.ts';

const LOOKS: Readonly<Record<Finding['basis'], string>> = {
  sequential: 'valid at every look',
  fixed: 'valid only if the end was planned beforehand',
};

/** A relative change beyond this says more of a small control than of the change. */
const LARGEST = 10;

/** A share in percent with three digits at most: 0.1234 is "12.3%". */
export function percent(share: number): string {
  return `${short(100 * share)}%`;
}

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/**
 * A change in words: relative with its interval, or by its difference where the relative one is too unsure to show what the
 * test shows.
 */
export function tellChange(comparison: Comparison, basis: Finding['basis'], alpha: number): string {
  const { difference, lift } = comparison;
  const interval = basis === 'fixed' ? comparison.interval : (comparison.sequential?.interval ?? null);
  const relative = basis === 'fixed' ? comparison.liftInterval : (comparison.sequential?.liftInterval ?? null);
  if (difference === null || interval === null) return 'cannot be compared';
  const useLift =
    lift !== null &&
    Math.abs(lift) <= LARGEST &&
    relative !== null &&
    includesZero(relative) === includesZero(interval);
  const write = useLift ? percent : short;
  const size = write(Math.abs(useLift ? lift : difference));
  const { low, high } = useLift ? relative : interval;
  const level = percent(1 - alpha);
  return `${direction(difference)} ${size} (${level} interval of the change: ${write(low)} to ${write(high)}, ${LOOKS[basis]})`;
}

function direction(difference: number): string {
  if (difference === 0) return 'changes by';
  return difference > 0 ? 'rises by' : 'falls by';
}

function includesZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
