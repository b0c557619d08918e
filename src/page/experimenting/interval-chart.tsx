import type { DrawnComparison, DrawnMetric } from './interval-scale.ts';
import { signed } from './results-words.ts';

interface ChartProps {
  readonly drawn: DrawnMetric;
  readonly name: string;
  /** Writes a change. */
  readonly write: (value: number) => string;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

/** Every variant's change against the control with its intervals; the numbers stand beside it, and in the table below. */
export function IntervalChart({ drawn, name, write }: ChartProps) {
  return (
    <figure class="exp-chart">
      <figcaption class="unseen">Change of {name} against the control, with intervals</figcaption>
      <div class="exp-rows">
        {drawn.comparisons.map((comparison) => (
          <Row key={comparison.variant} drawn={drawn} comparison={comparison} write={write} />
        ))}
        <div class="exp-row exp-axis" aria-hidden="true">
          <span />
          <svg width="100%" height={22} aria-hidden="true" focusable="false">
            {drawn.ticks.map((tick) => (
              <text key={tick} x={`${drawn.place(tick)}%`} y={14} text-anchor={anchorOf(drawn.place(tick))}>
                {signed(tick, write)}
              </text>
            ))}
          </svg>
          <span />
        </div>
      </div>
      <p class="muted exp-key">{tellKey(drawn, write)}</p>
    </figure>
  );
}

interface RowProps {
  readonly drawn: DrawnMetric;
  readonly comparison: DrawnComparison;
  readonly write: (value: number) => string;
}

function Row({ drawn, comparison, write }: RowProps) {
  const { place, shaded } = drawn;
  const { variant, value, counting, other } = comparison;
  const at = (where: number): string => `${place(where)}%`;
  return (
    <div class="exp-row">
      <span class="exp-name">{variant}</span>
      <svg width="100%" height={HEIGHT} role="img" aria-label={tellRow(comparison, write)} data-variant={variant}>
        {shaded !== null && (
          <rect
            class={`exp-shaded ${shaded.kind}`}
            x={at(shaded.from)}
            width={`${Math.max(0, place(shaded.to) - place(shaded.from))}%`}
            y={0}
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
        {value !== null && (
          <circle class="exp-value" cx={at(value)} cy={counting === null ? MIDDLE + 7 : MIDDLE} r={5} />
        )}
      </svg>
      <span class="exp-number">
        {value === null ? '–' : signed(value, write)}
        {counting !== null && <span class="muted"> ({tellInterval(counting, write)})</span>}
      </span>
    </div>
  );
}

/** "from −1% to +3%" */
export function tellInterval(
  { low, high }: { readonly low: number; readonly high: number },
  write: (value: number) => string,
): string {
  return `${signed(low, write)} to ${signed(high, write)}`;
}

function tellRow({ variant, value, counting, other }: DrawnComparison, write: (value: number) => string): string {
  const parts = [
    `${variant}: ${value === null ? 'no change can be told' : `change ${signed(value, write)}`}`,
    counting === null ? 'no interval counts yet' : `interval that counts ${tellInterval(counting, write)}`,
    ...(other === null ? [] : [`other interval ${tellInterval(other, write)}`]),
  ];
  return parts.join(', ');
}

function tellKey({ unit, shaded, comparisons }: DrawnMetric, write: (value: number) => string): string {
  const hasCounting = comparisons.some(({ counting }) => counting !== null);
  const parts = [
    unit === 'lift' ? 'Change relative to the control.' : 'Change in the metric’s own units (pp: points of a hundred).',
    hasCounting ? 'Thick: the interval that counts. Thin: the other.' : 'Thin: an interval that does not count yet.',
    ...(shaded === null
      ? []
      : shaded.kind === 'minimum'
        ? [`Shaded: changes up to ${write(shaded.to)}, which are too small to matter.`]
        : ['Red, with dashes around: worse than allowed.']),
  ];
  return parts.join(' ');
}

/** Labels at the edges stay inside. */
function anchorOf(place: number): 'start' | 'middle' | 'end' {
  if (place < 6) return 'start';
  return place > 94 ? 'end' : 'middle';
}
