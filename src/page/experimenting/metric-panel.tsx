import type { Experiment, ExperimentResults } from '../../client/client.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { IntervalChart, tellInterval } from './interval-chart.tsx';
import { drawMetric } from './interval-scale.ts';
import {
  changeWriterOf,
  metricName,
  percent,
  short,
  signed,
  tellComparison,
  tellGuardrail,
  tellNeeded,
  tellType,
  writerOf,
} from './results-words.ts';

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
    const told = role === 'goal' && basis !== null ? tellNeeded(each, minimumEffect) : null;
    return told === null ? [] : [{ variant: each.variant, told }];
  });
  return (
    <article class="panel exp-metric" data-metric={key}>
      <h3>
        {name} {name !== key && <code class="muted">{key}</code>}
      </h3>
      <p class="muted">{tellType(metric)}</p>
      <ul class="exp-told">
        {comparisons.map((each) => (
          <li key={each.variant}>
            <strong>{each.variant}</strong>: {tellComparison(each, metric, basis)}
            {each.lift !== null && ` (${signed(each.lift, percent)} against the control)`}
            {basis !== null &&
              margin !== null &&
              guardrail
                ?.filter(({ variant }) => variant === each.variant)
                .map(({ variant, verdict }) => (
                  <span key={variant} class={`exp-guardrail ${verdict}`}>
                    . {verdict === 'breached' ? '✗ ' : verdict === 'safe' ? '✓ ' : ''}
                    {sentence(tellGuardrail(verdict, margin))}
                  </span>
                ))}
          </li>
        ))}
      </ul>
      {drawn === null ? (
        <p class="muted">No interval can be drawn yet.</p>
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
                    {found?.sequential == null ? '–' : tellInterval(found.sequential.interval, change)}
                  </td>
                  <td class="number">{found?.interval == null ? '–' : tellInterval(found.interval, change)}</td>
                  <td class="number">{p === null ? '–' : p < 0.001 ? 'below 0.001' : short(p)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollBox>
      <p class="muted">
        Intervals are of the difference from the control{isShare && ', in points of a hundred (pp)'}. p, the chance of
        seeing so much where there is no difference, is corrected for the number of goals and variants (
        {results.correction}) where the metric is a goal.
      </p>
    </details>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
