import type { Experiment, ExperimentResults } from '../../client/index.ts';
import { metricName } from '../parts/figures.ts';
import { Table } from '../parts/table.tsx';
import { number, percent, signed } from '../parts/words.ts';
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
      <Numbers metric={metric} alpha={results.alpha} />
    </article>
  );
}

/** The numbers of each variant, and its change from the control. */
function Numbers({ metric, alpha }: Pick<MetricProps, 'metric'> & Pick<ExperimentResults, 'alpha'>) {
  const isShare = metric.type === 'binomial';
  const writeChange = changeWriterOf(metric);
  const level = percent(1 - alpha);
  const heads = [
    'Variant',
    '#Readers',
    isShare ? '#Did it' : '#With a value',
    isShare ? '#Share' : '#Mean',
    '#Change',
    `#${level} interval, every look`,
    `#${level} interval, one look`,
    '#p, one look',
  ];
  const rows = metric.arms.map(({ variant, n, mean, conversions, active }) => {
    const found = metric.comparisons.find((each) => each.variant === variant);
    const [value, p] = [found?.difference ?? null, found?.adjustedP ?? found?.p ?? null];
    return [
      variant,
      number(n),
      number(conversions ?? active),
      mean === null ? '–' : (isShare ? percent : number)(mean),
      value === null ? '–' : signed(value, writeChange),
      describeInterval(found?.sequential?.interval, writeChange),
      describeInterval(found?.interval, writeChange),
      p === null ? '–' : p < 0.001 ? 'below 0.001' : number(p),
    ];
  });
  return <Table label={`Numbers of ${metricName(metric.key)}`} class="exp-numbers" heads={heads} rows={rows} />;
}

type Interval = ExperimentResults['metrics'][number]['comparisons'][number]['interval'] | undefined;

function describeInterval(interval: Interval, write: (value: number) => string): string {
  return interval == null ? '–' : `${signed(interval.low, write)} to ${signed(interval.high, write)}`;
}
