import { figuresOf, figureWeights, METRICS, type MetricName, metricOf } from '../../evaluation/index.ts';
import { groupBy } from '../../text/index.ts';
import { type Estimate, estimate } from './estimate.ts';
import { type Dimension, inCanonicalOrder, type ScoredRecord, valuesOf } from './evaluation-record.ts';
import type { ResultMetric } from './metrics.ts';
import { type Result, type ResultRow, resultOf } from './result.ts';

export interface EvaluationResult extends Result {
  readonly metric: MetricName;
  readonly micro: readonly Pick<ResultRow, 'name' | 'digests' | 'figures'>[];
}

interface ReportOptions {
  readonly by?: readonly Dimension[] | undefined;
  /** Baseline system; by default the first by name. */
  readonly baseline?: string | undefined;
}

export const systemName = (system = '(no system)'): string => system;

export function evaluationResults(
  scored: readonly ScoredRecord[],
  { by = [], baseline }: ReportOptions = {},
): EvaluationResult[] {
  const sorted = inCanonicalOrder(scored);
  return METRICS.flatMap(({ name: metric, title }) => {
    const records = sorted.filter(({ result }) => result.metric === metric);
    if (records.length === 0) return [];
    const systems = [...groupBy(records, ({ item }) => systemName(item.system))].sort(([a], [b]) => (a < b ? -1 : 1));
    const names = systems.map(([name]) => name);
    const metrics = columnsOf(metric);
    const result = resultOf(
      {
        name: title,
        systems: names.map((name) => ({ name, options: {} })),
        baseline: baseline !== undefined && names.includes(baseline) ? baseline : names[0],
        metrics,
        orderOf: ({ arm: family, order }) => (order === undefined ? undefined : { family, order }),
        breakdowns: by.map((dimension) => {
          const { values, inOrder } = valuesOf(
            records.map(({ item }) => item),
            dimension,
          );
          return { by: dimension, values, inOrder, metrics };
        }),
      },
      { made: records.map(scoredText), failed: [] },
    );
    return [{ ...result, metric, micro: systems.flatMap(([name, own]) => microOf(metric, name, own)) }];
  });
}

function scoredText({ item, result: answer, known }: ScoredRecord) {
  const { prefix } = metricOf(answer.metric);
  const prefixed = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
  return {
    item: { arm: systemName(item.system), datum: item.id, order: item.order },
    known,
    result: {
      figures: prefixed(figuresOf(answer)),
      over: prefixed(figureWeights(item.evaluation, answer)),
      sentenceWords: [],
      isPartial: false,
      byPosition: answer.metric === 'source-coverage' ? answer.documents.map(({ coverage }) => coverage) : null,
    },
  };
}

function columnsOf(metric: MetricName): ResultMetric[] {
  const { prefix, figures } = metricOf(metric);
  return figures.map(({ name, title, over }) => ({
    ...{ key: `${prefix}.${name}`, title, digits: 1, isSteady: true },
    isPooled: over !== undefined,
  }));
}

function microOf(metric: MetricName, name: string, scored: readonly ScoredRecord[]): EvaluationResult['micro'] {
  const { pool, figures, prefix } = metricOf(metric);
  if (pool === undefined) return [];
  const pooled = pool(scored.map(({ item: { evaluation }, result }) => ({ request: evaluation, answer: result })));
  const ids = scored.map(({ item }) => item.id);
  const found = figures.map(({ name: figure }): [string, Estimate] => [
    `${prefix}.${figure}`,
    estimate(ids, (weights) => pooled(weights)[figure] ?? null),
  ]);
  return [{ name, digests: scored.length, figures: Object.fromEntries(found) }];
}
