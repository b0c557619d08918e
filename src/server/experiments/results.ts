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
import { adjustPValues } from '../../evaluation/index.ts';
import type { ExperimentAggregates, MetricSums } from './aggregates.ts';
import { conclusionOf, decide } from './conclusion.ts';
import { type AutomaticMetric, type Experiment, unclaimedMetrics } from './experiment.ts';
import {
  alwaysValidP,
  around,
  criticalValue,
  detectableEffect,
  detectableShareEffect,
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
 * @param options.alpha accepted probability of a false positive; intervals have level 1 - alpha
 * @throws RangeError unless alpha lies between 0 and 1
 */
export function resultsOf(
  experiment: Experiment,
  aggregates: ExperimentAggregates,
  {
    alpha = 0.05,
    correction = 'holm',
  }: { readonly alpha?: number; readonly correction?: ExperimentResults['correction'] } = {},
): ExperimentResults {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError('alpha lies between 0 and 1.');
  const { key, version, state, variants } = experiment;
  const subjects = variants.map(
    ({ name }) => aggregates.exposed.find(({ variant }) => variant === name)?.subjects ?? 0,
  );
  const exposed = subjects.reduce((sum, count) => sum + count, 0);
  const recorded = new Set(aggregates.sums.flatMap(({ metric, events }) => (events > 0 ? [metric] : [])));
  const measured = measuredMetrics(experiment, recorded).map((metric) => {
    const arms = armResults(metric, variants, aggregates);
    return { metric, arms, raw: rawComparisons(metric, arms, variants, alpha) };
  });
  const goals = measured.filter(({ metric }) => metric.role === 'goal').flatMap(({ raw }) => raw);
  const significance = significanceOf(goals, alpha, correction);
  const split = sampleRatio(
    subjects,
    variants.map(({ weight }) => weight),
  );
  const basis = basisOf(experiment, goals, split.mismatch);
  const metrics = measured.map(({ metric, arms, raw }): MetricResult => {
    const compared = raw.map((each) => significance.get(each) ?? each.comparison);
    const comparisons = split.mismatch ? compared.map(withoutSignificance) : compared;
    const { margin, minimumEffect: _, ...plan } = metric;
    return {
      ...plan,
      arms,
      comparisons,
      guardrail: margin === null ? null : guardrailVerdicts(metric, margin, arms, { alpha, basis }),
    };
  });
  const decision = decide({ experiment, exposed, basis, metrics });
  return {
    key,
    version,
    status: state,
    alpha,
    correction,
    sampleRatio: {
      observed: variants.map(({ name, weight }, i) => ({
        variant: name,
        subjects: subjects[i],
        expected: exposed * weight,
      })),
      ...split,
    },
    exposed,
    overridden: aggregates.overridden,
    ignored: aggregates.ignored,
    metrics,
    verdict: decision.verdict,
    basis,
    conclusion: conclusionOf(decision, { experiment, metrics, recorded, alpha, basis, splitP: split.p }),
    dataVersion: aggregates.dataVersion,
  };
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

/** The effect detectable with 80% power at one look, and the larger shortfall of the two arms for the minimum effect. */
function subjectsNeeded(
  { type, direction, minimumEffect }: Pick<MetricDefinition, 'type' | 'direction' | 'minimumEffect'>,
  control: MeanEstimate,
  treatment: MeanEstimate,
  { alpha, controlShare }: { readonly alpha: number; readonly controlShare: number },
): Pick<Comparison, 'detectable' | 'stillNeeded'> {
  const areShares = type === 'binomial';
  const found = areShares
    ? detectableShareEffect(control, treatment.n, alpha, direction)
    : detectableEffect(control, treatment, alpha);
  // Without variance everything would be detectable.
  const detectable = found !== null && found > 0 && Number.isFinite(found) ? found : null;
  const varies = control.variance + treatment.variance > 0;
  if (minimumEffect === null || !(minimumEffect > 0) || control.mean === 0 || !varies) {
    return { detectable, stillNeeded: null };
  }
  const difference = (direction === 'increase' ? 1 : -1) * minimumEffect * Math.abs(control.mean);
  const share = control.mean + difference;
  if (areShares && (share < 0 || share > 1)) return { detectable, stillNeeded: null };
  const needed = sampleSize(
    {
      difference,
      controlVariance: control.variance * control.n,
      treatmentVariance: areShares ? share * (1 - share) : treatment.variance * treatment.n,
      controlShare,
    },
    alpha,
  );
  const shortfall = Math.max(0, needed.control - control.n, needed.treatment - treatment.n);
  return { detectable, stillNeeded: Number.isFinite(shortfall) ? shortfall : null };
}

type MeasuredMetric = Omit<Guardrail, 'margin'> & {
  readonly role: MetricResult['role'];
  readonly margin: number | null;
};

const DIRECTIONS: Readonly<Record<AutomaticMetric, 'increase' | 'decrease'>> = {
  'digest.documentCoverage': 'increase',
  'digest.redundancy': 'decrease',
  'digest.relevance': 'increase',
  'digest.compression': 'decrease',
  'digest.support': 'increase',
  'digest.latency': 'decrease',
  'digest.tokens': 'decrease',
  'digest.cost': 'decrease',
};

function measuredMetrics(
  { metrics, guardrails }: Pick<Experiment, 'metrics' | 'guardrails'>,
  recorded: ReadonlySet<string>,
): MeasuredMetric[] {
  return [
    ...metrics.map((metric) => ({ ...metric, role: 'goal' as const, margin: null })),
    ...guardrails.map((metric) => ({ ...metric, role: 'guardrail' as const })),
    ...unclaimedMetrics([...metrics, ...guardrails])
      .filter((key) => recorded.has(key))
      .map((key) => ({
        key,
        type: 'ratio' as const,
        direction: DIRECTIONS[key],
        minimumEffect: null,
        role: 'automatic' as const,
        margin: null,
      })),
  ];
}

const NONE = { x: 0, xx: 0, y: 0, yy: 0, xy: 0 };

/** By variant; n is 0 without exposures. */
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

/**
 * The intervals behind the verdicts: fixed ones, valid at one planned look, if the experiment has stopped with enough subjects for the
 * minimum effect of every goal; otherwise sequential ones. Null if the split of subjects is wrong.
 */
function basisOf(
  { state }: Experiment,
  goals: readonly RawComparison[],
  mismatch: boolean,
): ExperimentResults['basis'] {
  if (mismatch) return null;
  const isPlanned = goals.length > 0 && goals.every(({ comparison }) => comparison.stillNeeded === 0);
  return state === 'stopped' && isPlanned ? 'fixed' : 'sequential';
}

function withoutSignificance(comparison: Comparison): Comparison {
  const { sequential } = comparison;
  return { ...comparison, significant: false, sequential: sequential && { ...sequential, significant: false } };
}

function rawComparisons(
  metric: MeasuredMetric,
  [control, ...treatments]: readonly ArmResult[],
  variants: Experiment['variants'],
  alpha: number,
): RawComparison[] {
  return treatments.map((treatment, i) => {
    const controlShare = variants[0].weight / variants[i + 1].weight;
    return compareArms(metric, control, treatment, { alpha, controlShare });
  });
}

function significanceOf(
  goals: readonly RawComparison[],
  alpha: number,
  correction: ExperimentResults['correction'],
): Map<RawComparison, Comparison> {
  const fixed = adjustPValues(
    goals.map(({ comparison }) => comparison.p),
    correction,
  );
  const sequential = adjustPValues(
    goals.map(({ sequentialP }) => sequentialP),
    correction,
  );
  return new Map(
    goals.map((raw, i) => {
      const { comparison } = raw;
      const looks = comparison.sequential;
      return [
        raw,
        {
          ...comparison,
          adjustedP: fixed[i],
          significant: (fixed[i] ?? 1) < alpha,
          sequential: looks === null ? null : { ...looks, significant: (sequential[i] ?? 1) < alpha },
        },
      ];
    }),
  );
}

function guardrailVerdicts(
  { type, direction }: Pick<MeasuredMetric, 'type' | 'direction'>,
  margin: number,
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
