import { scaleLinear } from 'd3-scale';
import type { ExperimentResults } from '../../client/index.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];
type Interval = NonNullable<Comparison['interval']>;

/** What limits are drawn: the smallest change that matters, or how much worse a guardrail may get. */
interface Limits {
  readonly minimumEffect: number | null;
  readonly margin: number | null;
}

/** One variant against the control, as it is drawn. */
export interface DrawnComparison {
  readonly variant: string;
  readonly value: number | null;
  /** The interval that verdicts rest on; null as long as there is none. */
  readonly counting: Interval | null;
  /** The other one. */
  readonly other: Interval | null;
}

/** The comparisons of a metric on one scale. */
export interface DrawnMetric {
  /** Relative to the control, or in the metric's own units. */
  readonly unit: 'lift' | 'difference';
  readonly comparisons: readonly DrawnComparison[];
  /** From where to where changes matter too little, or are worse than allowed; null where no limit was named, or in units that have none. */
  readonly shaded: { readonly kind: 'minimum' | 'margin'; readonly from: number; readonly to: number } | null;
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  /** Where a value lies, in percent of the width: from 0 to 100. */
  readonly place: (value: number) => number;
}

/** A relative change beyond this says more of a small control than of the change. */
const LARGEST_LIFT = 10;

/**
 * Lays out the intervals of a metric; null where there is none to draw. Changes are relative to the control, unless that shows something
 * else than what the verdict rests on: then they are in the metric's own units.
 */
export function drawMetric(metric: Metric, basis: ExperimentResults['basis'], limits: Limits): DrawnMetric | null {
  const unit = metric.comparisons.every((each) => isLiftFaithful(each, basis)) ? 'lift' : 'difference';
  const comparisons = metric.comparisons.map((each) => drawn(each, unit, basis));
  const spans = comparisons.flatMap(({ counting, other }) => [counting, other]).filter((each) => each !== null);
  if (spans.length === 0) return null;
  const control = Math.abs(metric.arms[0]?.mean ?? 0);
  const size = unit === 'lift' ? 1 : control;
  const ends = spans.flatMap(({ low, high }) => [low, high]);
  const edges = [limits.minimumEffect, limits.margin].flatMap((limit) => (limit === null ? [] : [limit * size]));
  const reach = edges.flatMap((edge) => [-edge, edge]);
  const [low, high] = [Math.min(0, ...ends, ...reach), Math.max(0, ...ends, ...reach)];
  const room = (high - low || 1) * 0.05;
  const scale = scaleLinear()
    .domain([low - room, high + room])
    .nice(6)
    .range([0, 100]);
  const [from, to] = scale.domain();
  return {
    unit,
    comparisons,
    shaded: shadedOf(metric, limits, size, [from, to]),
    domain: [from, to],
    ticks: scale.ticks(4),
    place: (value) => Math.min(100, Math.max(0, scale(value))),
  };
}

/** The interval that a verdict rests on, in the metric's units or relative; on a mismatch none counts. */
function countingInterval(
  { interval, liftInterval, sequential }: Comparison,
  unit: DrawnMetric['unit'],
  basis: ExperimentResults['basis'],
): Interval | null {
  if (basis === null) return null;
  if (basis === 'fixed') return unit === 'lift' ? liftInterval : interval;
  return (unit === 'lift' ? sequential?.liftInterval : sequential?.interval) ?? null;
}

function drawn(comparison: Comparison, unit: DrawnMetric['unit'], basis: ExperimentResults['basis']): DrawnComparison {
  const { variant, lift, difference } = comparison;
  return {
    variant,
    value: unit === 'lift' ? lift : difference,
    counting: countingInterval(comparison, unit, basis),
    other: countingInterval(comparison, unit, basis === 'fixed' ? 'sequential' : 'fixed'),
  };
}

/** Whether the relative intervals are there where the others are, and hold 0 where they do. */
function isLiftFaithful(comparison: Comparison, basis: ExperimentResults['basis']): boolean {
  const { lift, interval, liftInterval, sequential } = comparison;
  if (interval === null) return true;
  if (lift === null || Math.abs(lift) > LARGEST_LIFT || liftInterval === null) return false;
  if (sequential !== null && sequential.liftInterval === null) return false;
  const [counting, relative] = [
    countingInterval(comparison, 'difference', basis),
    countingInterval(comparison, 'lift', basis),
  ];
  return counting === null || relative === null || holdsZero(counting) === holdsZero(relative);
}

function holdsZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function shadedOf(
  { direction }: Metric,
  { minimumEffect, margin }: Limits,
  size: number,
  [from, to]: readonly [number, number],
): DrawnMetric['shaded'] {
  if (size === 0) return null;
  if (margin !== null) {
    return direction === 'decrease'
      ? { kind: 'margin', from: margin * size, to }
      : { kind: 'margin', from, to: -margin * size };
  }
  if (minimumEffect === null) return null;
  return { kind: 'minimum', from: -minimumEffect * size, to: minimumEffect * size };
}
