import { scaleLinear } from 'd3-scale';
import type { ExperimentResults } from '../../client/index.ts';
import { metricName } from '../parts/figures.ts';
import { signed } from '../parts/words.ts';
import { changeWriterOf } from './results-words.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];
type Interval = NonNullable<Comparison['interval']>;

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
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  /** Percent of the width. */
  readonly place: (value: number) => number;
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
  const control = Math.abs(metric.arms[0]?.mean ?? 0);
  const reach = control * Math.max(limits.minimumEffect ?? 0, limits.margin ?? 0);
  const ends = [0, -reach, reach, ...intervals.flatMap(({ low, high }) => [low, high])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 1) * 0.05;
  const scale = scaleLinear([low - room, high + room], [0, 100])
    .nice(6)
    .clamp(true);
  const [from, to] = scale.domain();
  const shadedOf = (): DrawnMetric['shaded'] => {
    const { margin, minimumEffect } = limits;
    if (control === 0) return null;
    if (margin !== null && metric.direction === 'decrease') return { kind: 'margin', from: margin * control, to };
    if (margin !== null) return { kind: 'margin', from, to: -margin * control };
    if (minimumEffect === null) return null;
    return { kind: 'minimum', from: -minimumEffect * control, to: minimumEffect * control };
  };
  return { comparisons, shaded: shadedOf(), domain: [from, to], ticks: scale.ticks(4), place: scale };
}

interface ChartProps {
  readonly metric: Metric;
  readonly basis: ExperimentResults['basis'];
  readonly limits: Limits;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

export function IntervalChart({ metric, basis, limits }: ChartProps) {
  const drawn = drawMetric(metric, basis, limits);
  if (drawn === null) return <p class="muted">Too little data for an interval.</p>;
  const { comparisons, ticks, place, shaded } = drawn;
  const write = changeWriterOf(metric);
  return (
    <figure class="exp-chart">
      <figcaption class="unseen">Change of {metricName(metric.key)} against the control, with intervals</figcaption>
      {comparisons.map((comparison) => (
        <ChartRow key={comparison.variant} drawn={drawn} comparison={comparison} write={write} />
      ))}
      <div class="exp-row" aria-hidden="true">
        <svg width="100%" height={22} aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x={`${place(tick)}%`} y={14} text-anchor={anchorOf(place(tick))}>
              {signed(tick, write)}
            </text>
          ))}
        </svg>
      </div>
      <p class="muted">
        Change in the metric’s own units (pp: percentage points). Thick: the interval that counts, if one does yet.
        Thin: the other.
        {shaded?.kind === 'minimum' && ' Shaded: changes too small to matter.'}
        {shaded?.kind === 'margin' && ' Red, with dashes around: worse than allowed.'}
      </p>
    </figure>
  );
}

interface ChartRowProps {
  readonly drawn: DrawnMetric;
  readonly comparison: DrawnComparison;
  readonly write: (value: number) => string;
}

function ChartRow({ drawn: { place, shaded }, comparison, write }: ChartRowProps) {
  const { variant, value, counting, other } = comparison;
  const at = (where: number): string => `${place(where)}%`;
  const change = value === null ? '–' : signed(value, write);
  const told = `${variant}: change ${change}, interval that counts ${describeInterval(counting, write)}, other interval ${describeInterval(other, write)}`;
  const middle = counting === null ? MIDDLE + 7 : MIDDLE;
  return (
    <div class="exp-row">
      <strong>{variant}</strong>
      <svg width="100%" height={HEIGHT} role="img" aria-label={told} data-variant={variant}>
        {shaded !== null && (
          <rect
            class={`exp-shaded ${shaded.kind}`}
            x={at(shaded.from)}
            width={`${Math.max(0, place(shaded.to) - place(shaded.from))}%`}
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
        {value !== null && <circle class="exp-value" cx={at(value)} cy={middle} r={5} />}
      </svg>
      <span class="exp-number">
        {change} {counting !== null && <span class="muted">({describeInterval(counting, write)})</span>}
      </span>
    </div>
  );
}

export function describeInterval(interval: Interval | null | undefined, write: (value: number) => string): string {
  return interval == null ? '–' : `${signed(interval.low, write)} to ${signed(interval.high, write)}`;
}

/** Keeps labels at the edges inside. */
function anchorOf(place: number): 'start' | 'middle' | 'end' {
  if (place < 6) return 'start';
  return place > 94 ? 'end' : 'middle';
}
