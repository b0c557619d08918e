import type { ExperimentAggregates } from './aggregates.ts';
import { armResults } from './arm-results.ts';
import { compareArms, type RawComparison } from './compare-arms.ts';
import { conclusionOf } from './conclusion-of.ts';
import { decide } from './decide.ts';
import type { Experiment } from '../../contract/experiment.ts';
import { guardrailVerdicts } from './guardrail-verdicts.ts';
import { type MeasuredMetric, measuredMetrics } from './measured-metrics.ts';
import type { ArmResult, Comparison, ExperimentResults, MetricResult } from '../../contract/experiment-results.ts';
import { adjustPValues } from './statistics/adjust-p-values.ts';
import { sampleRatio } from './statistics/sample-ratio.ts';

export interface ResultsOptions {
  /** Chance of a false finding that is accepted, above 0 and below 1; intervals have level 1 - alpha. */
  readonly alpha?: number;
  readonly correction?: ExperimentResults['correction'];
}

interface Measured {
  readonly metric: MeasuredMetric;
  readonly arms: readonly ArmResult[];
  readonly raw: readonly RawComparison[];
}

/**
 * What an experiment has shown so far. p-values of goal metrics are corrected together over metrics and variants, those of the
 * fixed test and those valid at every look alike, and what is significant goes by that; intervals are not corrected.
 *
 * @throws RangeError unless alpha lies between 0 and 1
 */
export function resultsOf(
  experiment: Experiment,
  aggregates: ExperimentAggregates,
  { alpha = 0.05, correction = 'holm' }: ResultsOptions = {},
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
    const { margin, minimumEffect: _, ...told } = metric;
    return {
      ...told,
      arms,
      comparisons,
      guardrail: margin === null ? null : guardrailVerdicts(metric, margin, arms, { alpha, basis }),
    };
  });
  const decision = decide({ experiment, exposed, basis, metrics });
  return {
    key,
    version,
    state,
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

/**
 * What verdicts rest on. The fixed intervals hold at one look that was planned: they count once an experiment has ended with as many
 * subjects as the minimum effect of every goal asks for, and else the intervals that hold at every look.
 *
 * @returns null where nothing can be told, as subjects are not split as they should be
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
  [control, ...treatments]: Measured['arms'],
  variants: Experiment['variants'],
  alpha: number,
): RawComparison[] {
  return treatments.map((treatment, i) => {
    const controlShare = variants[0].weight / variants[i + 1].weight;
    return compareArms(metric, control, treatment, { alpha, controlShare });
  });
}

/** The comparisons of goals with their p-values corrected. */
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
