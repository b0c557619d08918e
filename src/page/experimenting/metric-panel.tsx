import type { Experiment, ExperimentResults } from '../../client/index.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { type DrawnComparison, type DrawnMetric, drawMetric } from './interval-scale.ts';
import {
  changeWriterOf,
  describeComparison,
  describeGuardrail,
  describeNeeded,
  describeType,
  metricName,
  percent,
  short,
  signed,
  writerOf,
} from './results-words.ts';

interface ChartProps {
  readonly drawn: DrawnMetric;
  readonly name: string;
  /** Writes a change. */
  readonly write: (value: number) => string;
}

const HEIGHT = 30;
const MIDDLE = HEIGHT / 2;

/** Every variant's change against the control with its intervals; the numbers stand beside it, and in the table below. */
function IntervalChart({ drawn, name, write }: ChartProps) {
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
      <p class="muted exp-key">{describeKey(drawn, write)}</p>
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
      <svg width="100%" height={HEIGHT} role="img" aria-label={describeRow(comparison, write)} data-variant={variant}>
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
        {counting !== null && <span class="muted"> ({describeInterval(counting, write)})</span>}
      </span>
    </div>
  );
}

/** "from −1% to +3%" */
function describeInterval(
  { low, high }: { readonly low: number; readonly high: number },
  write: (value: number) => string,
): string {
  return `${signed(low, write)} to ${signed(high, write)}`;
}

function describeRow({ variant, value, counting, other }: DrawnComparison, write: (value: number) => string): string {
  const parts = [
    `${variant}: ${value === null ? 'no change is known' : `change ${signed(value, write)}`}`,
    counting === null ? 'no interval counts yet' : `interval that counts ${describeInterval(counting, write)}`,
    ...(other === null ? [] : [`other interval ${describeInterval(other, write)}`]),
  ];
  return parts.join(', ');
}

function describeKey({ unit, shaded, comparisons }: DrawnMetric, write: (value: number) => string): string {
  const hasCounting = comparisons.some(({ counting }) => counting !== null);
  const parts = [
    unit === 'lift' ? 'Change relative to the control.' : 'Change in the metric’s own units (pp: percentage points).',
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

type Metric = ExperimentResults['metrics'][number];

interface MetricProps {
  readonly metric: Metric;
  readonly results: ExperimentResults;
  readonly experiment: Experiment;
}

/** A metric: what it shows in words, its intervals, and its arms. */
export function MetricPanel({ metric, results, experiment }: MetricProps) {
  const { basis } = results;
  const { key, role, comparisons, guardrail } = metric;
  const margin = experiment.guardrails.find((each) => each.key === key)?.margin ?? null;
  const defined = [...experiment.metrics, ...experiment.guardrails].find((each) => each.key === key);
  const minimumEffect = defined?.minimumEffect ?? null;
  const drawn = drawMetric(metric, basis, { minimumEffect: role === 'goal' ? minimumEffect : null, margin });
  const name = metricName(key);
  const needed = comparisons.flatMap((each) => {
    const told = role === 'goal' && basis !== null ? describeNeeded(each, minimumEffect) : null;
    return told === null ? [] : [{ variant: each.variant, told }];
  });
  return (
    <article class="panel exp-metric" data-metric={key}>
      <h3>
        {name} {name !== key && <code class="muted">{key}</code>}
      </h3>
      <p class="muted">{describeType(metric)}</p>
      <ul class="exp-told">
        {comparisons.map((each) => (
          <li key={each.variant}>
            <strong>{each.variant}</strong>: {describeComparison(each, metric, basis)}
            {each.lift !== null && ` (so far ${signed(each.lift, percent)} vs control)`}
            {basis !== null &&
              margin !== null &&
              guardrail
                ?.filter(({ variant }) => variant === each.variant)
                .map(({ variant, verdict }) => (
                  <span key={variant} class={`exp-guardrail ${verdict}`}>
                    . {verdict === 'breached' ? '✗ ' : verdict === 'safe' ? '✓ ' : ''}
                    {sentence(describeGuardrail(verdict, margin))}
                  </span>
                ))}
          </li>
        ))}
      </ul>
      {drawn === null ? (
        <p class="muted">Too little data for an interval.</p>
      ) : (
        <IntervalChart drawn={drawn} name={name} write={changeWriterOf(metric, drawn.unit)} />
      )}
      {[...new Set(needed.map(({ told }) => told))].map((told) => (
        <p key={told}>
          {needed.length > 1 && new Set(needed.map((each) => each.told)).size > 1
            ? `${needed.find((each) => each.told === told)?.variant}: ${told}`
            : told}
        </p>
      ))}
      <Arms metric={metric} results={results} />
    </article>
  );
}

function Arms({ metric, results }: Pick<MetricProps, 'metric' | 'results'>) {
  const write = writerOf(metric);
  const change = changeWriterOf(metric, 'difference');
  const isShare = metric.type === 'binomial';
  const level = percent(1 - results.alpha);
  return (
    <details>
      <summary>Numbers</summary>
      <ScrollBox class="exp-numbers" label={`Numbers of ${metricName(metric.key)}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              <th scope="col" class="number">
                Readers
              </th>
              <th scope="col" class="number">
                {isShare ? 'Did it' : 'With a value'}
              </th>
              <th scope="col" class="number">
                {isShare ? 'Share' : 'Mean'}
              </th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col" class="number">
                Relative
              </th>
              <th scope="col" class="number">
                {level} interval, every look
              </th>
              <th scope="col" class="number">
                {level} interval, one look
              </th>
              <th scope="col" class="number">
                p, one look
              </th>
            </tr>
          </thead>
          <tbody>
            {metric.arms.map(({ variant, n, mean, conversions, active }, place) => {
              const found = metric.comparisons.find((each) => each.variant === variant);
              const p = found?.adjustedP ?? found?.p ?? null;
              return (
                <tr key={variant}>
                  <th scope="row">
                    {variant}
                    {place === 0 && variant !== 'control' && <span class="muted"> (control)</span>}
                  </th>
                  <td class="number">{short(n)}</td>
                  <td class="number">{short(conversions ?? active)}</td>
                  <td class="number">{mean === null ? '–' : write(mean)}</td>
                  <td class="number">{found?.difference == null ? '–' : signed(found.difference, change)}</td>
                  <td class="number">{found?.lift == null ? '–' : signed(found.lift, percent)}</td>
                  <td class="number">
                    {found?.sequential == null ? '–' : describeInterval(found.sequential.interval, change)}
                  </td>
                  <td class="number">{found?.interval == null ? '–' : describeInterval(found.interval, change)}</td>
                  <td class="number">{p === null ? '–' : p < 0.001 ? 'below 0.001' : short(p)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollBox>
      <p class="muted">
        Intervals are of the difference from the control{isShare && ', in percentage points (pp)'}. p, the chance of
        seeing so much where there is no difference, is corrected for the number of goals and variants (
        {results.correction}) where the metric is a goal.
      </p>
    </details>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
