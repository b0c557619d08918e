import type {
  ArmResult,
  Basis,
  Comparison,
  ExperimentResults,
  Guardrail,
  MetricDefinition,
  MetricResult,
  MetricType,
  Variant,
} from '../../contract/index.ts';
import { adjustPValues, sum } from '../../evaluation/index.ts';
import type { ExperimentAggregates } from './aggregates.ts';
import { conclude } from './conclusion.ts';
import { AUTOMATIC_METRICS, type Experiment, unclaimedMetrics } from './experiment.ts';
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
  const { key, version, state, variants } = experiment;
  const subjects = variants.map(({ name }) => subjectsOf(aggregates, name));
  const exposed = sum(subjects);
  const recorded = new Set(aggregates.sums.flatMap(({ metric, events }) => (events > 0 ? [metric] : [])));
  const measured = measuredMetrics(experiment, recorded).map((metric) => {
    const arms = armResults(metric, variants, aggregates);
    const raw = arms.slice(1).map((arm, i) => {
      const controlShare = variants[0].weight / variants[i + 1].weight;
      return compareArms(metric, arms[0], arm, { alpha, controlShare });
    });
    return { metric, arms, raw };
  });
  const goals = measured.filter(({ metric }) => metric.role === 'goal').flatMap(({ raw }) => raw);
  const weights = variants.map(({ weight }) => weight);
  const split = sampleRatio(subjects, weights);
  const basis = basisOf(experiment, goals, split.mismatch);
  const correct = (ps: readonly (number | null)[]) => adjustPValues(ps, correction);
  const fixed = correct(goals.map(({ comparison }) => comparison.p));
  const sequential = correct(goals.map(({ sequentialP }) => sequentialP));
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
    return {
      ...metric,
      arms,
      comparisons: raw.map(judged),
      guardrail: margin === null ? null : guardrailVerdicts({ ...metric, margin }, arms, { alpha, basis }),
    };
  });
  return {
    key,
    version,
    status: state,
    alpha,
    correction,
    sampleRatio: {
      observed: variants.map(({ name: variant, weight }, i) => ({
        variant,
        subjects: subjects[i],
        expected: exposed * weight,
      })),
      ...split,
    },
    exposed,
    overridden: aggregates.overridden,
    ignored: aggregates.ignored,
    metrics,
    basis,
    dataVersion: aggregates.dataVersion,
    ...conclude({ experiment, metrics, alpha, basis, exposed, splitP: split.p }),
  };
}

function subjectsOf({ exposed }: Pick<ExperimentAggregates, 'exposed'>, name: string): number {
  return exposed.find(({ variant }) => variant === name)?.subjects ?? 0;
}

interface RawComparison {
  readonly comparison: Comparison;
  /** Valid at every look; null without a sequential interval. */
  readonly sequentialP: number | null;
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
  if (a === null || b === null) return { comparison: { ...change, ...UNTESTED }, sequentialP: null };
  const tested = areShares ? twoProportionZ(a, b) : welchTest(a, b);
  const looks = enoughSubjects(control, treatment, areShares) ? sequential(a, b, alpha) : null;
  const comparison: Comparison = {
    ...change,
    ...(tested ?? { statistic: null, degreesOfFreedom: null, p: null }),
    test: tested && TESTS[metric.type],
    ...intervals(a, b, criticalValue(alpha, tested?.degreesOfFreedom ?? null)),
    sequential: looks && { ...looks.intervals, significant: looks.p < alpha },
    significant: tested !== null && tested.p < alpha,
    stillNeeded: subjectsNeeded(metric, a, b, { alpha, controlShare }),
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

type MeasuredMetric = Omit<Guardrail, 'margin'> & {
  readonly role: MetricResult['role'];
  readonly margin: number | null;
};

function measuredMetrics(
  { metrics, guardrails }: Pick<Experiment, 'metrics' | 'guardrails'>,
  recorded: ReadonlySet<string>,
): MeasuredMetric[] {
  const automatic = unclaimedMetrics([...metrics, ...guardrails]).filter((key) => recorded.has(key));
  const own = { type: 'ratio', minimumEffect: null, role: 'automatic', margin: null } as const;
  return [
    ...metrics.map((metric) => ({ ...metric, role: 'goal' as const, margin: null })),
    ...guardrails.map((metric) => ({ ...metric, role: 'guardrail' as const })),
    ...automatic.map((key) => ({ ...own, key, direction: AUTOMATIC_METRICS[key] })),
  ];
}

const NONE = { x: 0, xx: 0, y: 0, yy: 0, xy: 0, active: 0 };

/** By variant; n is 0 without exposures. */
export function armResults(
  metric: { readonly key: string; readonly type: MetricType },
  variants: readonly Variant[],
  aggregates: Pick<ExperimentAggregates, 'exposed' | 'sums'>,
): ArmResult[] {
  return variants.map(({ name: variant }) => {
    const n = subjectsOf(aggregates, variant);
    const sums = aggregates.sums.find((each) => each.metric === metric.key && each.variant === variant) ?? NONE;
    const moments = metric.type === 'ratio' ? ratioMoments(n, sums) : valueMoments(n, sums);
    return { variant, ...moments, conversions: metric.type === 'binomial' ? sums.x : null, active: sums.active };
  });
}

/**
 * The intervals behind the verdicts: fixed ones, valid at one planned look, if the experiment has stopped with enough subjects for the
 * minimum effect of every goal; otherwise sequential ones. Null if the split of subjects is wrong.
 */
function basisOf({ state }: Experiment, goals: readonly RawComparison[], mismatch: boolean): Basis | null {
  if (mismatch) return null;
  const isPlanned = goals.length > 0 && goals.every(({ comparison }) => comparison.stillNeeded === 0);
  return state === 'stopped' && isPlanned ? 'fixed' : 'sequential';
}

function guardrailVerdicts(
  { type, direction, margin }: Pick<Guardrail, 'type' | 'direction' | 'margin'>,
  [control, ...treatments]: readonly ArmResult[],
  { alpha, basis }: { readonly alpha: number; readonly basis: Basis | null },
): NonNullable<MetricResult['guardrail']> {
  const isShare = type === 'binomial';
  return treatments.map((arm) => {
    const [a, b] = [meanEstimate(control, isShare), meanEstimate(arm, isShare)];
    const isJudged = basis !== null && a !== null && b !== null && enoughSubjects(control, arm, isShare);
    if (!isJudged) return { variant: arm.variant, verdict: 'unclear' };
    const critical = basis === 'fixed' ? criticalValue(alpha, null) : sequentialCritical(a.n + b.n, alpha);
    return { variant: arm.variant, verdict: guardrailVerdict(a, b, { margin, direction, critical }) };
  });
}
