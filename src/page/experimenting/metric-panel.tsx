import type { Experiment, ExperimentResults } from '../../client/index.ts';
import { metricName } from '../parts/figures.ts';
import { Table } from '../parts/table.tsx';
import { number, percent, signed } from '../parts/words.ts';
import { describeInterval, IntervalChart } from './interval-chart.tsx';
import {
  changeWriterOf,
  describeComparison,
  describeGuardrail,
  describeNeeded,
  describeType,
} from './results-words.ts';

interface MetricProps {
  readonly metric: ExperimentResults['metrics'][number];
  readonly results: ExperimentResults;
  readonly experiment: Experiment;
}

export function MetricPanel({ metric, results, experiment }: MetricProps) {
  const { basis } = results;
  const { key, role, comparisons, guardrail } = metric;
  const defined = [...experiment.metrics, ...experiment.guardrails].find((each) => each.key === key);
  const margin = experiment.guardrails.find((each) => each.key === key)?.margin ?? null;
  const minimumEffect = role === 'goal' ? (defined?.minimumEffect ?? null) : null;
  const name = metricName(key);
  return (
    <article class="panel exp-metric" data-metric={key}>
      <h3>
        {name} {name !== key && <code class="muted">{key}</code>}
      </h3>
      <p class="muted">{describeType(metric)}</p>
      <ul>
        {comparisons.map((each) => {
          const verdict = guardrail?.find(({ variant }) => variant === each.variant)?.verdict;
          return (
            <li key={each.variant}>
              <strong>{each.variant}</strong>: {describeComparison(each, metric, basis)}
              {each.lift !== null && ` (so far ${signed(each.lift, percent)} vs control)`}.{' '}
              {basis !== null && margin !== null && verdict !== undefined && (
                <span class={`exp-guardrail ${verdict}`}>{describeGuardrail(verdict, margin)}.</span>
              )}
              {role === 'goal' && basis !== null && describeNeeded(each, minimumEffect)}
            </li>
          );
        })}
      </ul>
      <IntervalChart metric={metric} basis={basis} limits={{ minimumEffect, margin }} />
      <Numbers metric={metric} results={results} />
    </article>
  );
}

function Numbers({ metric, results }: Pick<MetricProps, 'metric' | 'results'>) {
  const change = changeWriterOf(metric);
  const isShare = metric.type === 'binomial';
  const write = isShare ? percent : number;
  const level = percent(1 - results.alpha);
  const changed = (value: number | null | undefined, writer: (value: number) => string) =>
    value == null ? '–' : signed(value, writer);
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
        rows={metric.arms.map(({ variant, n, mean, conversions, active }) => {
          const found = metric.comparisons.find((each) => each.variant === variant);
          const p = found?.adjustedP ?? found?.p ?? null;
          return [
            variant,
            number(n),
            number(conversions ?? active),
            mean === null ? '–' : write(mean),
            changed(found?.difference, change),
            changed(found?.lift, percent),
            describeInterval(found?.sequential?.interval, change),
            describeInterval(found?.interval, change),
            p === null ? '–' : p < 0.001 ? 'below 0.001' : number(p),
          ];
        })}
      />
      <p class="muted">
        Intervals are of the difference from the control, the first variant. p, the chance of seeing so much if there is
        no difference, is corrected for the number of goals and variants ({results.correction}) if the metric is a goal.
      </p>
    </details>
  );
}
