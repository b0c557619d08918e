import { z } from '@hono/zod-openapi';
import type { TypeOf } from '../contract/index.ts';
import type { Known, Metric } from './metric.ts';
import { argue } from './metrics/argue.ts';
import { keyPointRecall } from './metrics/key-point-recall.ts';
import { sourceCoverage } from './metrics/source-coverage.ts';
import { summHay } from './metrics/summhay.ts';

export const METRICS = [summHay, keyPointRecall, argue, sourceCoverage] as const;

type Registered = (typeof METRICS)[number];
export type MetricName = Registered['name'];

/** The body of `POST /v1/evaluations`: the text to score and its references, or a digest. */
export type EvaluationOrder = TypeOf<typeof evaluationRequestSchema>;
export type EvaluationRequest = Awaited<ReturnType<Registered['resolve']>>;
export type EvaluationAnswer = TypeOf<typeof evaluationAnswerSchema>;

export type AnyMetric = Metric<EvaluationOrder, EvaluationRequest, EvaluationAnswer>;

export function metricOf(name: MetricName): AnyMetric {
  const found: AnyMetric | undefined = METRICS.find((metric) => metric.name === name);
  if (found === undefined) throw new TypeError(`There is no metric "${name}".`);
  return found;
}

const names = METRICS.map(({ name }) => `"${name}"`).join(', ');

export const evaluationRequestSchema = z.discriminatedUnion(
  'metric',
  [summHay.order, keyPointRecall.order, argue.order, sourceCoverage.order],
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${names}` : undefined) },
);

export const evaluationAnswerSchema = z.discriminatedUnion('metric', [
  summHay.answer,
  keyPointRecall.answer,
  argue.answer,
  sourceCoverage.answer,
]);

export const EVALUATION_EXAMPLES = {
  requests: Object.fromEntries(METRICS.flatMap(({ examples }) => Object.entries(examples.requests))),
  answers: Object.fromEntries(METRICS.flatMap(({ examples }) => Object.entries(examples.answers))),
};

export function requestsFor(known: Known): EvaluationRequest[] {
  return METRICS.flatMap((metric): EvaluationRequest[] => {
    const request = metric.requestOf(known);
    return request === null ? [] : [request];
  });
}

/** Number of parts of the text that each figure averages, by name; figures that count alike for each text are absent. */
export function figureWeights(request: EvaluationRequest, answer: EvaluationAnswer): Readonly<Record<string, number>> {
  return Object.fromEntries(
    metricOf(answer.metric).figures.flatMap(({ name, over }) => (over ? [[name, over(request, answer)]] : [])),
  );
}

export function figuresOf(answer: EvaluationAnswer): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    metricOf(answer.metric).figures.map(({ name, of = name }) => {
      const value: unknown = Reflect.get(answer, of);
      return [name, typeof value === 'number' ? value : null];
    }),
  );
}
