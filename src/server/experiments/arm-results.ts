import type { ExperimentAggregates, MetricSums } from './aggregates.ts';
import type { MetricType, Variant } from '../../contract/experiment.ts';
import type { ArmResult } from '../../contract/experiment-results.ts';
import type { Sums } from './statistics/moments.ts';
import { ratioMoments } from './statistics/ratio-moments.ts';
import { valueMoments } from './statistics/value-moments.ts';

const NONE: Sums = { x: 0, xx: 0, y: 0, yy: 0, xy: 0 };

/** Each variant's arm of a metric; a variant that nobody was exposed to has n = 0. */
export function armResults(
  metric: { readonly key: string; readonly type: MetricType },
  variants: readonly Variant[],
  { exposed, sums }: ExperimentAggregates,
): ArmResult[] {
  return variants.map(({ name }) => {
    const n = exposed.find(({ variant }) => variant === name)?.subjects ?? 0;
    const found: MetricSums | undefined = sums.find((each) => each.metric === metric.key && each.variant === name);
    const moments = metric.type === 'ratio' ? ratioMoments(n, found ?? NONE) : valueMoments(n, found ?? NONE);
    const conversions = metric.type === 'binomial' ? (found?.x ?? 0) : null;
    return { variant: name, ...moments, conversions, active: found?.active ?? 0 };
  });
}
