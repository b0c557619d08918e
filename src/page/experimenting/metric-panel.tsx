import type { Experiment, ExperimentResults } from '../../client/index.ts';
import { Table } from '../parts/table.tsx';
import { number, percent, signed } from '../parts/words.ts';
import { type DrawnComparison, type DrawnMetric, drawMetric } from './intervals.ts';
import {
  changeWriterOf,
  describeComparison,
  describeGuardrail,
  describeNeeded,
  describeType,
  metricName,
} from './results-words.ts';

interface MetricProps {
  readonly metric: ExperimentResults['metrics'][number];
  readonly results: ExperimentResults;
  readonly experiment: Experiment;
}

export function MetricPanel({ metric, results, experiment }: MetricProps) {
  const { basis } = results;
  const { key, role, comparisons, guardrail } = metric;
  const margin = experiment.guardrails.find((each) => each.key === key)?.margin ?? null;
  const defined = [...experiment.metrics, ...experiment.guardrails].find((each) => each.key === key);
  const minimumEffect = role === 'goal' ? (defined?.minimumEffect ?? null) : null;
  const drawn = drawMetric(metric, basis, { minimumEffect, margin });
  const name = metricName(key);
  return (
    <article class="panel exp-metric" data-metric={key}>
      <h3>
        {name} {name !== key && <code class="muted">{key}</code>}
      </h3>
      <p class="muted">{describeType(metric)}</p>
      <ul>
        {comparisons.map((each) => {
          const guarded = guardrail?.find(({ variant }) => variant === each.variant);
          const needed = role === 'goal' && basis !== null ? describeNeeded(each, minimumEffect) : null;
          return (
            <li key={each.variant}>
              <strong>{each.variant}</strong>: {describeComparison(each, metric, basis)}
              {each.lift !== null && ` (so far ${signed(each.lift, percent)} vs control)`}.{' '}
              {basis !== null && margin !== null && guarded !== undefined && (
                <span class={`exp-guardrail ${guarded.verdict}`}>{describeGuardrail(guarded.verdict, margin)}.</span>
              )}
              {needed}
            </li>
          );
        })}
      </ul>
      {drawn === null ? (
        <p class="muted">Too little data for an interval.</p>
      ) : (
        <IntervalChart drawn={drawn} name={name} write={changeWriterOf(metric, drawn.unit)} />
      )}
      <Numbers metric={metric} results={results} />
    </article>
  );
}

interface ChartProps {
  readonly drawn: DrawnMetric;
  readonly name: string;
  readonly write: (value: number) => string;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

function IntervalChart({ drawn, name, write }: ChartProps) {
  const { comparisons, ticks, place, unit, shaded } = drawn;
  const hasCounting = comparisons.some(({ counting }) => counting !== null);
  return (
    <figure class="exp-chart">
      <figcaption class="unseen">Change of {name} against the control, with intervals</figcaption>
      {comparisons.map((comparison) => (
        <ChartRow key={comparison.variant} drawn={drawn} comparison={comparison} write={write} />
      ))}
      <div class="exp-row exp-axis" aria-hidden="true">
        <svg width="100%" height={22} aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x={`${place(tick)}%`} y={14} text-anchor={anchorOf(place(tick))}>
              {signed(tick, write)}
            </text>
          ))}
        </svg>
      </div>
      <p class="muted">
        {unit === 'lift'
          ? 'Change relative to the control. '
          : 'Change in the metric’s own units (pp: percentage points). '}
        {hasCounting
          ? 'Thick: the interval that counts. Thin: the other.'
          : 'Thin: an interval that does not count yet.'}
        {shaded?.kind === 'minimum' && ` Shaded: changes up to ${write(shaded.to)}, which are too small to matter.`}
        {shaded?.kind === 'margin' && ' Red, with dashes around: worse than allowed.'}
      </p>
    </figure>
  );
}

interface ChartRowProps extends Omit<ChartProps, 'name'> {
  readonly comparison: DrawnComparison;
}

function ChartRow({ drawn: { place, shaded }, comparison, write }: ChartRowProps) {
  const { variant, value, counting, other } = comparison;
  const at = (where: number): string => `${place(where)}%`;
  const told = [
    `${variant}: ${value === null ? 'no change is known' : `change ${signed(value, write)}`}`,
    counting === null ? 'no interval counts yet' : `interval that counts ${describeInterval(counting, write)}`,
    ...(other === null ? [] : [`other interval ${describeInterval(other, write)}`]),
  ];
  const middle = counting === null ? MIDDLE + 7 : MIDDLE;
  return (
    <div class="exp-row">
      <strong>{variant}</strong>
      <svg width="100%" height={HEIGHT} role="img" aria-label={told.join(', ')} data-variant={variant}>
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
        {value === null ? '–' : signed(value, write)}
        {counting !== null && <span class="muted"> ({describeInterval(counting, write)})</span>}
      </span>
    </div>
  );
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

function describeInterval({ low, high }: Interval, write: (value: number) => string): string {
  return `${signed(low, write)} to ${signed(high, write)}`;
}

/** Keeps labels at the edges inside. */
function anchorOf(place: number): 'start' | 'middle' | 'end' {
  if (place < 6) return 'start';
  return place > 94 ? 'end' : 'middle';
}

function Numbers({ metric, results }: Pick<MetricProps, 'metric' | 'results'>) {
  const change = changeWriterOf(metric, 'difference');
  const isShare = metric.type === 'binomial';
  const write = isShare ? percent : number;
  const level = percent(1 - results.alpha);
  const changed = (value: number | null | undefined, writer: (value: number) => string) =>
    value == null ? '–' : signed(value, writer);
  const interval = (found: Interval | null | undefined) => (found == null ? '–' : describeInterval(found, change));
  return (
    <details>
      <summary>Numbers</summary>
      <Table
        label={`Numbers of ${metricName(metric.key)}`}
        class="exp-numbers"
        heads={[
          'Variant',
          '#Readers',
          isShare ? '#Did it' : '#With a value',
          isShare ? '#Share' : '#Mean',
          '#Difference',
          '#Relative',
          `#${level} interval, every look`,
          `#${level} interval, one look`,
          '#p, one look',
        ]}
        rows={metric.arms.map(({ variant, n, mean, conversions, active }, place) => {
          const found = metric.comparisons.find((each) => each.variant === variant);
          const p = found?.adjustedP ?? found?.p ?? null;
          return [
            `${variant}${place === 0 && variant !== 'control' ? ' (control)' : ''}`,
            number(n),
            number(conversions ?? active),
            mean === null ? '–' : write(mean),
            changed(found?.difference, change),
            changed(found?.lift, percent),
            interval(found?.sequential?.interval),
            interval(found?.interval),
            p === null ? '–' : p < 0.001 ? 'below 0.001' : number(p),
          ];
        })}
      />
      <p class="muted">
        Intervals are of the difference from the control{isShare && ', in percentage points (pp)'}. p, the chance of
        seeing so much if there is no difference, is corrected for the number of goals and variants (
        {results.correction}) if the metric is a goal.
      </p>
    </details>
  );
}
