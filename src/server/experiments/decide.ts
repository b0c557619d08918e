import type { Basis, Comparison, ExperimentResults, MetricResult } from '../../contract/index.ts';
import type { Experiment } from './experiment.ts';

/** A goal metric that a variant changed. */
export interface Finding {
  readonly metric: MetricResult;
  readonly comparison: Comparison;
  /** Which interval shows it: the one that holds at every look, or only the one for a single planned look. */
  readonly basis: Basis;
}

/** What is known of a variant. */
export interface Standing {
  readonly variant: string;
  readonly gains: readonly Finding[];
  readonly losses: readonly Finding[];
  /** Guardrails by verdict. */
  readonly breached: readonly MetricResult[];
  readonly unclear: readonly MetricResult[];
}

export interface Decision {
  readonly verdict: ExperimentResults['verdict'];
  /** Of every variant but the control. */
  readonly standings: readonly Standing[];
  /** Why there is no verdict. */
  readonly missing: 'start' | 'subjects' | 'goals' | 'enough' | 'planned' | null;
}

interface Known {
  readonly experiment: Pick<Experiment, 'state' | 'variants'>;
  readonly exposed: number;
  /** Null where the subjects are not split as they should be. */
  readonly basis: Finding['basis'] | null;
  readonly metrics: readonly MetricResult[];
}

/**
 * The verdict, by the intervals that hold at every look or, where the end was planned and reached, also by the fixed ones. A winner gains in a goal metric, loses in none and breaches no guardrail.
 */
export function decide({ experiment, exposed, basis, metrics }: Known): Decision {
  const { state, variants } = experiment;
  const goals = metrics.filter(({ role }) => role === 'goal');
  const standings = variants.slice(1).map(({ name }) => standingOf(name, goals, metrics, basis === 'fixed'));
  const none = (missing: Decision['missing']): Decision => ({ verdict: 'none', standings, missing });
  if (state === 'draft') return none('start');
  if (exposed === 0) return none('subjects');
  if (basis === null) return { verdict: 'mismatch', standings, missing: null };
  if (goals.length === 0) return none('goals');
  const verdict = verdictOf(standings);
  if (verdict !== 'inconclusive') return { verdict, standings, missing: null };
  const comparisons = goals.flatMap((goal) => goal.comparisons);
  if (comparisons.every(({ sequential }) => sequential === null)) return none('enough');
  const undecided = standings.every(({ gains, losses }) => gains.length === 0 && losses.length === 0);
  const stillToCome = comparisons.some(({ stillNeeded }) => (stillNeeded ?? 0) > 0);
  return state === 'running' && undecided && stillToCome
    ? none('planned')
    : { verdict: 'inconclusive', standings, missing: null };
}

function verdictOf(standings: readonly Standing[]): ExperimentResults['verdict'] {
  if (standings.some(wins)) return 'winner';
  if (standings.some(({ breached }) => breached.length > 0)) return 'guardrail';
  return standings.some(({ gains, losses }) => gains.length === 0 && losses.length > 0) ? 'loser' : 'inconclusive';
}

/** Whether a variant is better than the control without being worse in anything that was agreed on. */
export function wins({ gains, losses, breached }: Standing): boolean {
  return gains.length > 0 && losses.length === 0 && breached.length === 0;
}

function standingOf(
  variant: string,
  goals: readonly MetricResult[],
  metrics: readonly MetricResult[],
  isPlanned: boolean,
): Standing {
  const findings = goals.flatMap((metric): Finding[] => {
    const comparison = metric.comparisons.find((each) => each.variant === variant);
    const basis = comparison === undefined ? null : basisOf(comparison, isPlanned);
    return comparison === undefined || basis === null ? [] : [{ metric, comparison, basis }];
  });
  const guarded = (verdict: string) =>
    metrics.filter(({ guardrail }) => guardrail?.some((each) => each.variant === variant && each.verdict === verdict));
  return {
    variant,
    gains: findings.filter(({ comparison }) => comparison.better === true),
    losses: findings.filter(({ comparison }) => comparison.better === false),
    breached: guarded('breached'),
    unclear: guarded('unclear'),
  };
}

function basisOf({ sequential, significant }: Comparison, isPlanned: boolean): Finding['basis'] | null {
  if (sequential === null) return null;
  if (sequential.significant) return 'sequential';
  return isPlanned && significant ? 'fixed' : null;
}
