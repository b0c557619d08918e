import { scaleLinear } from 'd3-scale';
import type { ExperimentResults } from '../../client/index.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];
type Interval = NonNullable<Comparison['interval']>;
type Unit = 'lift' | 'difference';

/** Thresholds of a metric: the smallest relative change that matters, and the largest allowed harm. */
interface Limits {
  readonly minimumEffect: number | null;
  readonly margin: number | null;
}

export interface DrawnComparison {
  readonly variant: string;
  readonly value: number | null;
  /** The interval that the verdict is based on; null if there is none yet. */
  readonly counting: Interval | null;
  readonly other: Interval | null;
}

export interface DrawnMetric {
  /** Relative to the control, or in the metric's own units. */
  readonly unit: Unit;
  readonly comparisons: readonly DrawnComparison[];
  /** Range of changes too small to matter, or worse than allowed; null without a threshold. */
  readonly shaded: { readonly kind: 'minimum' | 'margin'; readonly from: number; readonly to: number } | null;
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly place: (value: number) => number;
}

/** Relative changes beyond this say more about a small control than about the change. */
const LARGEST_LIFT = 10;

/** Lays out the intervals of a metric, relative to the control unless that would contradict the verdict; null without intervals. */
export function drawMetric(metric: Metric, basis: ExperimentResults['basis'], limits: Limits): DrawnMetric | null {
  const unit = metric.comparisons.every((each) => isLiftFaithful(each, basis)) ? 'lift' : 'difference';
  const comparisons = metric.comparisons.map((each) => ({
    variant: each.variant,
    value: each[unit],
    counting: intervalOf(each, unit, basis),
    other: intervalOf(each, unit, basis === 'fixed' ? 'sequential' : 'fixed'),
  }));
  const intervals = comparisons.flatMap(({ counting, other }) => [counting, other]).filter((each) => each !== null);
  if (intervals.length === 0) return null;
  const size = unit === 'lift' ? 1 : Math.abs(metric.arms[0]?.mean ?? 0);
  const reach = size * Math.max(limits.minimumEffect ?? 0, limits.margin ?? 0);
  const ends = [0, -reach, reach, ...intervals.flatMap(({ low, high }) => [low, high])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 1) * 0.05;
  const scale = scaleLinear([low - room, high + room], [0, 100])
    .nice(6)
    .clamp(true);
  const [from, to] = scale.domain();
  return {
    unit,
    comparisons,
    shaded: size === 0 ? null : shadedOf(metric, limits, size, [from, to]),
    domain: [from, to],
    ticks: scale.ticks(4),
    place: scale,
  };
}

/** The interval of a basis, which is null if the split is wrong. */
function intervalOf(comparison: Comparison, unit: Unit, basis: ExperimentResults['basis']): Interval | null {
  const intervals = basis === 'fixed' ? comparison : comparison.sequential;
  if (basis === null || intervals === null) return null;
  return unit === 'lift' ? intervals.liftInterval : intervals.interval;
}

/** Whether the relative intervals exist wherever the others do, and agree with them about zero. */
function isLiftFaithful(comparison: Comparison, basis: ExperimentResults['basis']): boolean {
  const { lift, interval, liftInterval, sequential } = comparison;
  if (interval === null) return true;
  if (lift === null || Math.abs(lift) > LARGEST_LIFT || liftInterval === null) return false;
  if (sequential !== null && sequential.liftInterval === null) return false;
  const holdsZero = (unit: Unit) => {
    const found = intervalOf(comparison, unit, basis);
    return found === null ? null : found.low <= 0 && found.high >= 0;
  };
  return holdsZero('lift') === holdsZero('difference');
}

function shadedOf(
  { direction }: Metric,
  { minimumEffect, margin }: Limits,
  size: number,
  [from, to]: readonly [number, number],
): DrawnMetric['shaded'] {
  if (margin !== null && direction === 'decrease') return { kind: 'margin', from: margin * size, to };
  if (margin !== null) return { kind: 'margin', from, to: -margin * size };
  if (minimumEffect === null) return null;
  return { kind: 'minimum', from: -minimumEffect * size, to: minimumEffect * size };
}
