import type { Experiment } from '../../../src/contract/index.ts';
import type { ExperimentAggregates } from '../../../src/server/experiments/aggregates.ts';
import { metricsOf } from '../../../src/server/experiments/experiment.ts';
import type { StoredSums } from '../../../src/store/index.ts';
import { metric, experimentOf as runningExperiment } from './laboratory.ts';

export const CLICKS = metric('clicks', 'binomial');
export const TIME = metric('time');
export const LATENCY = { ...metric('latency'), direction: 'decrease', margin: 0.05 } as const;

/** A running experiment over variants of equal weight, the first "a". */
export function experimentOf(names: readonly string[], change: Partial<Experiment> = {}): Experiment {
  const variants = names.map((name) => ({ name, weight: 1 / names.length, options: {} }));
  return { ...runningExperiment({ key: 'try', variants, metrics: [CLICKS] }), version: 3, ...change };
}

/** Sums of a metric and a variant, by their places. */
export interface OwnSums extends Omit<StoredSums, 'metric' | 'variant'> {
  readonly metric: string;
  readonly variant: string;
}

/** So many exposed, by variant, and sums by the names that they have in an experiment. */
export function aggregatesOf(
  { metrics, guardrails, variants }: Experiment,
  exposed: readonly number[],
  sums: readonly OwnSums[],
): ExperimentAggregates {
  const keys = metricsOf({ metrics, guardrails }).map(({ key }) => key);
  const names = variants.map(({ name }) => name);
  return {
    exposed,
    overridden: 4,
    sums: sums.map((own) => ({ ...own, metric: keys.indexOf(own.metric), variant: names.indexOf(own.variant) })),
    ignored: { beforeExposure: 1, overridden: 2, duplicates: 3, afterStop: 5 },
    dataVersion: 7,
  };
}

/** Sums of subjects with these values. */
export function valuesOf(
  metric: string,
  variant: string,
  xs: readonly number[],
  ys: readonly number[] = xs.map(() => 0),
): OwnSums {
  const positive = xs.filter((x) => x > 0).length;
  const active = xs.filter((x) => x !== 0).length;
  return { metric, variant, ...sumsOf(xs, ys), events: xs.length, positive, active };
}

/** Sums of so many subjects that converted, three of them twice. */
export function conversionsOf(metric: string, variant: string, x: number): OwnSums {
  return { metric, variant, x: x + 3, xx: x + 9, y: 0, yy: 0, xy: 0, events: x + 3, positive: x, active: x };
}

/** Sums of n subjects whose values have a mean and a standard deviation (by n). */
export function spreadOf(metric: string, variant: string, n: number, mean: number, deviation: number): OwnSums {
  const [x, xx] = [n * mean, n * (mean * mean + deviation * deviation)];
  return { metric, variant, x, xx, y: 0, yy: 0, xy: 0, events: n, positive: n, active: n };
}

/** The sums that the store would return for these subjects. */
export function sumsOf(xs: readonly number[], ys: readonly number[] = xs.map(() => 0)) {
  const sum = (term: (x: number, y: number) => number) => xs.reduce((total, x, i) => total + term(x, ys[i]), 0);
  return {
    x: sum((x) => x),
    xx: sum((x) => x * x),
    y: sum((_, y) => y),
    yy: sum((_, y) => y * y),
    xy: sum((x, y) => x * y),
  };
}
