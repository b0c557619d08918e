import type {
  ArmResult,
  Basis,
  Comparison,
  Experiment,
  ExperimentResults,
  MetricDefinition,
  MetricResult,
  Variant,
} from '../../contract/index.ts';
import { adjustPValues, sum } from '../../evaluation/index.ts';
import type { StoredSums } from '../../store/index.ts';
import type { ExperimentAggregates } from './aggregates.ts';
import { conclude } from './conclusion.ts';
import { metricsOf } from './experiment.ts';
import {
  alwaysValidP,
  around,
  criticalValue,
  enoughSubjects,
  guardrailVerdict,
  liftInterval,
  type MeanEstimate,
  meanEstimate,
  ratioMoments,
  relativeLift,
  sampleRatio,
  sampleSize,
  sequentialCritical,
  twoProportionZ,
  valueMoments,
  welchTest,
} from './statistics.ts';

/**
 * The results of an experiment. P-values of goal metrics are corrected jointly over metrics and variants, separately for the fixed and the
 * sequential test, and decide significance. Intervals are not corrected.
 *
 * @param options.alpha accepted probability of a false positive, between 0 and 1; intervals have level 1 - alpha
 */
export function resultsOf(
  experiment: Experiment,
  aggregates: ExperimentAggregates,
  {
    alpha = 0.05,
    correction = 'holm',
  }: { readonly alpha?: number; readonly correction?: ExperimentResults['correction'] } = {},
): ExperimentResults {
  const { key, version, status, variants } = experiment;
  const { exposed, overridden, ignored, dataVersion } = aggregates;
  const measured = metricsOf(experiment).flatMap((metric, place) => {
    const sums = aggregates.sums.filter((each) => each.metric === place);
    if (metric.role === 'automatic' && sums.length === 0) return [];
    const [control, ...treatments] = armResults(metric, variants, exposed, sums);
    const raw = treatments.map((arm, i) => {
      const controlShare = variants[0].weight / variants[i + 1].weight;
      return compareArms(metric, control, arm, { alpha, controlShare });
    });
    return [{ metric, arms: [control, ...treatments], raw }];
  });
  const goals = measured.filter(({ metric }) => metric.role === 'goal').flatMap(({ raw }) => raw);
  const weights = variants.map(({ weight }) => weight);
  const split = sampleRatio(exposed, weights);
  const basis = basisOf(experiment, goals, split.mismatch);
  const correct = (pOf: (raw: RawComparison) => number | null) => adjustPValues(goals.map(pOf), correction);
  const fixed = correct(({ comparison }) => comparison.p);
  const sequential = correct(({ sequentialP }) => sequentialP);
  const judged = (raw: RawComparison): Comparison => {
    const { comparison, sequentialP } = raw;
    const { sequential: looks } = comparison;
    const goal = goals.indexOf(raw);
    const isBelow = (p: number | null) => !split.mismatch && (p ?? 1) < alpha;
    const [p, everyLook] = goal < 0 ? [comparison.p, sequentialP] : [fixed[goal], sequential[goal]];
    return {
      ...comparison,
      adjustedP: goal < 0 ? null : p,
      significant: isBelow(p),
      sequential: looks && { ...looks, significant: isBelow(everyLook) },
    };
  };
  const metrics = measured.map(({ metric: { margin, minimumEffect: _, ...metric }, arms, raw }): MetricResult => {
    const verdictOf = ({ comparison: { variant }, large }: RawComparison) => {
      if (margin === null || large === null || basis === null) return { variant, verdict: 'unclear' as const };
      const [a, b] = large;
      const critical = basis === 'fixed' ? criticalValue(alpha, null) : sequentialCritical(a.n + b.n, alpha);
      return { variant, verdict: guardrailVerdict(a, b, { margin, direction: metric.direction, critical }) };
    };
    const guardrail = margin === null ? null : raw.map(verdictOf);
    return { ...metric, arms, comparisons: raw.map(judged), guardrail };
  });
  const total = sum(exposed);
  const observed = variants.map(({ name: variant, weight }, i) => {
    return { variant, subjects: exposed[i], expected: total * weight };
  });
  return {
    key,
    version,
    status,
    alpha,
    correction,
    sampleRatio: { observed, ...split },
    exposed: total,
    overridden,
    ignored,
    metrics,
    basis,
    dataVersion,
    ...conclude({ experiment, metrics, alpha, basis, exposed: total, splitP: split.p }),
  };
}

interface RawComparison {
  readonly comparison: Comparison;
  /** Valid at every look; null without a sequential interval. */
  readonly sequentialP: number | null;
  /** Estimates of control and treatment; null if they have too few subjects for any verdict. */
  readonly large: readonly [MeanEstimate, MeanEstimate] | null;
}

/** Test, intervals and power of an arm. `controlShare` is the planned number of control subjects per treatment subject. */
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
  if (a === null || b === null) return { comparison: { ...change, ...UNTESTED }, sequentialP: null, large: null };
  const tested = areShares ? twoProportionZ(a, b) : welchTest(a, b);
  const large = enoughSubjects(control, treatment, areShares) ? ([a, b] as const) : null;
  const looks = large && sequential(a, b, alpha);
  const comparison: Comparison = {
    ...change,
    ...(tested ?? { statistic: null, degreesOfFreedom: null, p: null }),
    test: tested && TESTS[metric.type],
    ...intervals(a, b, criticalValue(alpha, tested?.degreesOfFreedom ?? null)),
    sequential: looks && { ...looks.intervals, significant: looks.p < alpha },
    significant: tested !== null && tested.p < alpha,
    stillNeeded: subjectsNeeded(metric, a, b, { alpha, controlShare }),
  };
  return { comparison, sequentialP: looks?.p ?? null, large };
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

/** The larger shortfall of the two arms for the minimum effect at one look with 80% power; null if that cannot be told. */
function subjectsNeeded(
  { type, direction, minimumEffect }: Pick<MetricDefinition, 'type' | 'direction' | 'minimumEffect'>,
  control: MeanEstimate,
  treatment: MeanEstimate,
  { alpha, controlShare }: { readonly alpha: number; readonly controlShare: number },
): number | null {
  const areShares = type === 'binomial';
  // Without variance a single subject would be enough.
  if (minimumEffect === null || control.mean === 0 || control.variance + treatment.variance === 0) return null;
  const difference = (direction === 'increase' ? 1 : -1) * minimumEffect * Math.abs(control.mean);
  const share = control.mean + difference;
  if (areShares && (share < 0 || share > 1)) return null;
  const controlVariance = control.variance * control.n;
  const treatmentVariance = areShares ? share * (1 - share) : treatment.variance * treatment.n;
  const needed = sampleSize({ difference, controlVariance, treatmentVariance, controlShare }, alpha);
  const shortfall = Math.max(0, needed.control - control.n, needed.treatment - treatment.n);
  return Number.isFinite(shortfall) ? shortfall : null;
}

const NONE = { x: 0, xx: 0, y: 0, yy: 0, xy: 0, positive: 0, active: 0 };

/** By variant; n is 0 without exposures. Subjects without an outcome count as 0. */
export function armResults(
  { type }: Pick<MetricDefinition, 'type'>,
  variants: readonly Variant[],
  exposed: readonly number[],
  sums: readonly StoredSums[],
): ArmResult[] {
  return variants.map(({ name: variant }, place) => {
    const n = exposed[place];
    const own = sums.find((each) => each.variant === place) ?? NONE;
    if (type === 'ratio') return { variant, ...ratioMoments(n, own), conversions: null, active: own.active };
    if (type !== 'binomial') return { variant, ...valueMoments(n, own), conversions: null, active: own.active };
    const converted = own.positive; // several conversions count once
    const moments = valueMoments(n, { x: converted, xx: converted });
    return { variant, ...moments, conversions: converted, active: converted };
  });
}

/**
 * The intervals behind the verdicts: fixed ones, valid at one planned look, if the experiment has stopped with enough subjects for the
 * minimum effect of every goal; otherwise sequential ones. Null if the split of subjects is wrong.
 */
function basisOf({ status }: Experiment, goals: readonly RawComparison[], mismatch: boolean): Basis | null {
  if (mismatch) return null;
  const isPlanned = goals.length > 0 && goals.every(({ comparison }) => comparison.stillNeeded === 0);
  return status === 'stopped' && isPlanned ? 'fixed' : 'sequential';
}
