import type { MetricDefinition } from '../../contract/experiment.ts';
import type { ArmResult, Comparison } from '../../contract/experiment-results.ts';
import { alwaysValidP } from './statistics/always-valid-p.ts';
import { around } from './statistics/around.ts';
import { criticalValue } from './statistics/critical-value.ts';
import { enoughSubjects } from './statistics/enough-subjects.ts';
import { type MeanEstimate, meanEstimate } from './statistics/mean-estimate.ts';
import { liftInterval, relativeLift } from './statistics/relative-lift.ts';
import { sequentialCritical } from './statistics/sequential-critical.ts';
import { twoProportionZ } from './statistics/two-proportion-z.ts';
import { welchTest } from './statistics/welch-test.ts';
import { subjectsNeeded } from './subjects-needed.ts';

/** A comparison before corrections: its p-values are taken as they are. */
export interface RawComparison {
  readonly comparison: Comparison;
  /** Valid at every look; null where there is no sequential interval. */
  readonly sequentialP: number | null;
}

/**
 * An arm against the control: test, intervals, and what so many subjects could show.
 *
 * @param controlShare how many subjects the control has by plan for each of the treatment
 */
export function compareArms(
  metric: Pick<MetricDefinition, 'type' | 'direction' | 'minimumEffect'>,
  control: ArmResult,
  treatment: ArmResult,
  { alpha, controlShare }: { readonly alpha: number; readonly controlShare: number },
): RawComparison {
  const difference = control.mean === null || treatment.mean === null ? null : treatment.mean - control.mean;
  const change = {
    variant: treatment.variant,
    difference,
    lift: control.mean === null || treatment.mean === null ? null : relativeLift(control.mean, treatment.mean),
    better: difference === null || difference === 0 ? null : difference > 0 === (metric.direction === 'increase'),
    adjustedP: null,
  };
  const areShares = metric.type === 'binomial';
  const a = meanEstimate(control, areShares);
  const b = meanEstimate(treatment, areShares);
  if (a === null || b === null) return { comparison: { ...change, ...UNTESTED }, sequentialP: null };
  const tested = areShares ? twoProportionZ(a, b) : welchTest(a, b);
  const looks = enoughSubjects(control, treatment, areShares) ? sequential(a, b, alpha) : null;
  const comparison: Comparison = {
    ...change,
    test: tested === null ? null : TESTS[metric.type],
    statistic: tested?.statistic ?? null,
    degreesOfFreedom: tested?.degreesOfFreedom ?? null,
    p: tested?.p ?? null,
    ...intervals(a, b, criticalValue(alpha, tested?.degreesOfFreedom ?? null)),
    sequential: looks === null ? null : { ...looks.intervals, significant: looks.p < alpha },
    significant: tested !== null && tested.p < alpha,
    ...subjectsNeeded(metric, a, b, { alpha, controlShare }),
  };
  return { comparison, sequentialP: looks?.p ?? null };
}

const TESTS = { binomial: 'two-proportion-z', mean: 'welch', count: 'welch', ratio: 'delta' } as const;

const UNTESTED = {
  interval: null,
  liftInterval: null,
  test: null,
  statistic: null,
  degreesOfFreedom: null,
  p: null,
  sequential: null,
  significant: false,
  detectable: null,
  stillNeeded: null,
} as const;

function sequential(a: MeanEstimate, b: MeanEstimate, alpha: number) {
  const subjects = a.n + b.n;
  const { interval, liftInterval } = intervals(a, b, sequentialCritical(subjects, alpha));
  if (interval === null) return null;
  const z = (b.mean - a.mean) / Math.sqrt(a.variance + b.variance);
  return { intervals: { interval, liftInterval }, p: alwaysValidP(z, subjects, alpha) };
}

function intervals(a: MeanEstimate, b: MeanEstimate, critical: number) {
  const error = Math.sqrt(a.variance + b.variance);
  if (error === 0) return { interval: null, liftInterval: null };
  return { interval: around(b.mean - a.mean, critical * error), liftInterval: liftInterval(a, b, critical) };
}
