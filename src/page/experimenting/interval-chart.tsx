import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { ExperimentResults } from '../../client/index.ts';
import { signed } from '../parts/words.ts';

type Metric = ExperimentResults['metrics'][number];
type Interval = NonNullable<Metric['comparisons'][number]['interval']>;

/** Thresholds of a metric, relative to the control: the smallest change that matters, and the largest allowed harm. */
interface Limits {
  readonly minimumEffect: number | null;
  readonly margin: number | null;
}

interface DrawnComparison {
  readonly variant: string;
  readonly value: number | null;
  /** The interval that the verdict is based on; null if there is none yet. */
  readonly counting: Interval | null;
  readonly other: Interval | null;
}

interface DrawnMetric {
  readonly comparisons: readonly DrawnComparison[];
  /** Range of changes too small to matter, or worse than allowed; null without a threshold. */
  readonly shaded: { readonly kind: 'minimum' | 'margin'; readonly from: number; readonly to: number } | null;
  /** From a change to percent of the width. */
  readonly scale: ScaleLinear<number, number>;
}

/** Lays out the intervals of a metric's differences from the control; null without intervals. */
export function drawMetric(metric: Metric, basis: ExperimentResults['basis'], limits: Limits): DrawnMetric | null {
  const comparisons = metric.comparisons.map(({ variant, difference, interval, sequential }) => {
    const wide = sequential?.interval ?? null;
    const [counting, other] = basis === 'fixed' ? [interval, wide] : [basis === null ? null : wide, interval];
    return { variant, value: difference, counting, other };
  });
  const intervals = comparisons.flatMap(({ counting, other }) => [counting, other]).filter((each) => each !== null);
  if (intervals.length === 0) return null;
  const { margin, minimumEffect } = limits;
  const reach = Math.abs(metric.arms[0]?.mean ?? 0) * Math.max(margin ?? 0, minimumEffect ?? 0);
  const ends = [0, -reach, reach, ...intervals.flatMap(({ low, high }) => [low, high])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 1) * 0.05;
  const scale = scaleLinear([low - room, high + room], [0, 100])
    .nice(6)
    .clamp(true);
  return { comparisons, shaded: reach === 0 ? null : shadedOf(), scale };

  function shadedOf(): DrawnMetric['shaded'] {
    const [from, to] = scale.domain();
    if (margin === null) return { kind: 'minimum', from: -reach, to: reach };
    return metric.direction === 'decrease' ? { kind: 'margin', from: reach, to } : { kind: 'margin', from, to: -reach };
  }
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

interface ChangeProps extends Pick<DrawnMetric, 'scale' | 'shaded'> {
  readonly comparison: DrawnComparison;
}

/** The change of a variant with its intervals, for the eye: the numbers stand beside it. */
export function Change({ scale, shaded, comparison: { variant, value, counting, other } }: ChangeProps) {
  const at = (change: number): string => `${scale(change)}%`;
  return (
    <svg class="exp-change" width="100%" height={HEIGHT} aria-hidden="true" data-variant={variant}>
      {shaded !== null && (
        <rect
          class={`exp-shaded ${shaded.kind}`}
          x={at(shaded.from)}
          width={`${Math.max(0, scale(shaded.to) - scale(shaded.from))}%`}
          height={HEIGHT}
        />
      )}
      <line class="exp-zero" x1={at(0)} x2={at(0)} y1={0} y2={HEIGHT} />
      {other !== null && (
        <line class="exp-other" x1={at(other.low)} x2={at(other.high)} y1={MIDDLE + 7} y2={MIDDLE + 7} />
      )}
      {counting !== null && (
        <line class="exp-counting" x1={at(counting.low)} x2={at(counting.high)} y1={MIDDLE} y2={MIDDLE} />
      )}
      {value !== null && <circle class="exp-value" cx={at(value)} cy={counting === null ? MIDDLE + 7 : MIDDLE} r={5} />}
    </svg>
  );
}

interface AxisProps extends Pick<DrawnMetric, 'scale'> {
  readonly write: (value: number) => string;
}

/** The changes that the places below stand for. */
export function Axis({ scale, write }: AxisProps) {
  return (
    <svg class="exp-change" width="100%" height={HEIGHT} aria-hidden="true">
      {scale.ticks(2).map((tick) => (
        <text key={tick} x={`${scale(tick)}%`} y={HEIGHT - 8} text-anchor={anchorOf(scale(tick))}>
          {signed(tick, write)}
        </text>
      ))}
    </svg>
  );
}

/** Keeps labels at the edges inside. */
function anchorOf(place: number): 'start' | 'middle' | 'end' {
  if (place < 6) return 'start';
  return place > 94 ? 'end' : 'middle';
}
