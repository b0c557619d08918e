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
type Named<Name extends MetricName> = Extract<Registered, { readonly name: Name }>;

export type EvaluationOrder<Name extends MetricName = MetricName> = OrderOf<Named<Name>>;
type OrderOf<M extends Registered> = M extends unknown ? TypeOf<M['order']> : never;

export type EvaluationRequest = Awaited<ReturnType<Registered['resolve']>>;

export type EvaluationAnswer<Name extends MetricName = MetricName> = AnswerOf<Named<Name>>;
type AnswerOf<M extends Registered> = M extends unknown ? TypeOf<M['answer']> : never;

/** Bodies of `POST /v1/evaluations`, by metric: the text to score and its references, or a digest. */
export type EvaluationInputs = {
  readonly [M in Registered as M['name']]: TextOrDigest<
    TypeOf<M['order']>,
    Awaited<ReturnType<M['resolve']>>,
    M['text']
  >;
};

type TextOrDigest<Order, Request, Text> =
  | (Omit<Order, 'digest' | Replaced<Order, Request>> & {
      readonly [Field in Replaced<Order, Request>]: Exclude<Order[Field], undefined>;
    } & { readonly digest?: undefined })
  | (Omit<Order, 'digest' | (Text & keyof Order)> & { readonly digest: string } & {
      readonly [Field in Text & keyof Order]?: undefined;
    });

/** Fields that are required unless a digest replaces them. */
type Replaced<Order, Request> = keyof Order & Exclude<RequiredFields<Request>, RequiredFields<Order>>;
type RequiredFields<T> = { [Field in keyof T]-?: undefined extends T[Field] ? never : Field }[keyof T];

export type AnyMetric = Metric<EvaluationOrder, EvaluationRequest, EvaluationAnswer>;

export function metricOf(name: MetricName): AnyMetric {
  const found: AnyMetric | undefined = METRICS.find((metric) => metric.name === name);
  if (found === undefined) throw new TypeError(`There is no metric "${name}".`);
  return found;
}

const [first, ...others] = METRICS;
const names = METRICS.map(({ name }) => `"${name}"`).join(', ');

export const evaluationRequestSchema = z.discriminatedUnion(
  'metric',
  [first.order, ...others.map(({ order }) => order)],
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${names}` : undefined) },
);

export const evaluationAnswerSchema = z.discriminatedUnion('metric', [
  first.answer,
  ...others.map(({ answer }) => answer),
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
    metricOf(answer.metric).figures.map(({ name }) => {
      const value: unknown = Reflect.get(answer, name);
      return [name, typeof value === 'number' ? value : null];
    }),
  );
}
