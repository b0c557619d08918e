import type { Basis, Comparison, ExperimentResults, Interval, MetricResult } from '../../contract/index.ts';
import type { Experiment } from './experiment.ts';
import { ENOUGH_OF_EITHER, ENOUGH_SUBJECTS } from './statistics.ts';

interface Finding {
  readonly metric: MetricResult;
  readonly comparison: Comparison;
  /** The interval behind the verdict: for every look, or for a single planned look. */
  readonly basis: Basis;
}

interface Standing {
  readonly variant: string;
  readonly gains: readonly Finding[];
  readonly losses: readonly Finding[];
  readonly breached: readonly MetricResult[];
  readonly unclear: readonly MetricResult[];
}

interface Decision {
  readonly verdict: ExperimentResults['verdict'];
  readonly standings: readonly Standing[];
  readonly missing: 'start' | 'subjects' | 'goals' | 'enough' | 'planned' | null;
}

/** A winner gains in a goal metric, loses in none and breaches no guardrail. `known.basis` is null if the split of subjects is wrong. */
export function decide({
  experiment,
  exposed,
  basis,
  metrics,
}: {
  readonly experiment: Pick<Experiment, 'state' | 'variants'>;
  readonly exposed: number;
  readonly basis: Basis | null;
  readonly metrics: readonly MetricResult[];
}): Decision {
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

function wins({ gains, losses, breached }: Standing): boolean {
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

function basisOf({ sequential, significant }: Comparison, isPlanned: boolean): Basis | null {
  if (sequential === null) return null;
  if (sequential.significant) return 'sequential';
  return isPlanned && significant ? 'fixed' : null;
}

const LOOKS: Readonly<Record<Basis, string>> = {
  sequential: 'valid at every look',
  fixed: 'valid only if the end was planned beforehand',
};

/** A larger relative change says more about a small control than about the change. */
const LARGEST = 10;

function percent(share: number): string {
  return `${short(100 * share)}%`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Relative with its interval, or absolute if the relative interval contradicts the test. */
function describeChange(comparison: Comparison, basis: Basis, alpha: number): string {
  const { difference, lift } = comparison;
  const interval = basis === 'fixed' ? comparison.interval : (comparison.sequential?.interval ?? null);
  const relative = basis === 'fixed' ? comparison.liftInterval : (comparison.sequential?.liftInterval ?? null);
  if (difference === null || interval === null) return 'cannot be compared';
  const useLift =
    lift !== null &&
    Math.abs(lift) <= LARGEST &&
    relative !== null &&
    includesZero(relative) === includesZero(interval);
  const write = useLift ? percent : short;
  const size = write(Math.abs(useLift ? lift : difference));
  const { low, high } = useLift ? relative : interval;
  const level = percent(1 - alpha);
  return `${direction(difference)} ${size} (${level} interval of the change: ${write(low)} to ${write(high)}, ${LOOKS[basis]})`;
}

function direction(difference: number): string {
  if (difference === 0) return 'changes by';
  return difference > 0 ? 'rises by' : 'falls by';
}

function includesZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function conclusionOf(decision: Decision, evidence: Evidence): string {
  if (decision.verdict === 'mismatch') {
    const p = Number((evidence.splitP ?? 0).toPrecision(2));
    return `There is no verdict, for the subjects are not split as the weights say (p = ${p}): something is wrong with the assignment or with what records exposures.`;
  }
  if (decision.missing !== null) return describeMissing(decision.missing, evidence);
  const clauses = describeStandings(decision.standings, evidence);
  return clauses.length === 0 ? describeNoDifference(evidence) : `${clauses.join('; ')}.`;
}

function describeMissing(missing: NonNullable<Decision['missing']>, evidence: Evidence): string {
  if (missing === 'start') return 'The experiment has not started.';
  if (missing === 'subjects') return 'Nobody has been exposed yet.';
  if (missing === 'goals') return 'The experiment names no goal metric to judge by.';
  if (missing === 'planned') return describePlanned(evidence);
  const early = evidence.experiment.state === 'stopped' ? 'It ended too early to tell' : 'It is too early to tell';
  return `${early}: before it is judged an arm needs about ${ENOUGH_SUBJECTS} subjects with a value, and for a binomial metric ${ENOUGH_OF_EITHER} who convert and as many who do not.`;
}

function describePlanned({ experiment, metrics }: Evidence): string {
  const needs = metrics.flatMap(({ key, role, comparisons }) =>
    role === 'goal' ? comparisons.map(({ stillNeeded }) => ({ key, more: stillNeeded ?? 0 })) : [],
  );
  const most = needs.reduce((a, b) => (b.more > a.more ? b : a));
  const effect = experiment.metrics.find(({ key }) => key === most.key)?.minimumEffect ?? 0;
  return `It is too early to tell: to see a change of ${percent(effect)} in "${most.key}" with 80% power an arm needs at least ${count(most.more)} more subjects.`;
}

function describeStandings(standings: readonly Standing[], evidence: Evidence): string[] {
  const winners = standings.filter(wins).sort((a, b) => leadOf(b, evidence) - leadOf(a, evidence));
  const others = standings.filter((standing) => !wins(standing));
  const unsettled = winners.filter(({ unclear }) => unclear.length > 0);
  return [
    ...[...winners, ...others].flatMap((standing) => describeStanding(standing, evidence)),
    ...(winners.length > 1 ? ['the winners were not compared with each other'] : []),
    ...unsettled.map(({ variant, unclear }) => describeUnsettled(variant, unclear, evidence.recorded)),
  ];
}

/** Sorts winners by the first goal metric they gain in, then by the gain. */
function leadOf({ gains: [first] }: Standing, { metrics }: Evidence): number {
  const size = Math.abs(first.comparison.lift ?? 0);
  return size / (1 + size) - metrics.indexOf(first.metric);
}

function describeStanding(standing: Standing, { experiment, alpha, basis: by }: Evidence): string[] {
  const { variant, gains, losses, breached } = standing;
  const control = `the control "${experiment.variants[0].name}"`;
  const changes = (findings: readonly Finding[]) =>
    findings
      .map(({ metric, comparison, basis }) => `"${metric.key}" ${describeChange(comparison, basis, alpha)}`)
      .join(', ');
  if (breached.length > 0) {
    const basis = by ?? 'sequential';
    const broken = breached.flatMap((metric) => {
      const comparison = metric.comparisons.find((each) => each.variant === variant);
      const margin = experiment.guardrails.find(({ key }) => key === metric.key)?.margin ?? 0;
      return comparison === undefined
        ? []
        : [`"${metric.key}" ${describeChange(comparison, basis, alpha)} where ${percent(margin)} is allowed`];
    });
    const although = gains.length > 0 ? `, although ${changes(gains)}` : '';
    return [`"${variant}" breaches ${guardrails(breached)}: ${broken.join(', ')}${although}`];
  }
  if (gains.length > 0 && losses.length > 0) {
    return [`"${variant}" is better and worse than ${control}: ${changes(gains)}, but ${changes(losses)}`];
  }
  if (gains.length > 0) return [`"${variant}" beats ${control}: ${changes(gains)}`];
  return losses.length > 0 ? [`"${variant}" is worse than ${control}: ${changes(losses)}`] : [];
}

function describeUnsettled(variant: string, unclear: readonly MetricResult[], recorded: Evidence['recorded']): string {
  const silent = unclear.filter(({ key }) => !recorded.has(key));
  const others = unclear.filter((metric) => !silent.includes(metric));
  return [
    ...(others.length > 0 ? [`not settled for "${variant}" yet: ${guardrails(others)}`] : []),
    ...(silent.length > 0 ? [`nothing was recorded for ${guardrails(silent)}`] : []),
  ].join('; ');
}

function guardrails(metrics: readonly MetricResult[]): string {
  const evidence = metrics.map(({ key }) => `"${key}"`).join(', ');
  return metrics.length === 1 ? `the guardrail ${evidence}` : `the guardrails ${evidence}`;
}

/** Without a finding: no relevant difference, or how large it may still be. */
function describeNoDifference({ experiment, metrics, alpha, basis }: Evidence): string {
  const stopped = experiment.state === 'stopped';
  const isPlanned = basis === 'fixed';
  const goals = metrics.filter(({ role }) => role === 'goal');
  if (goals.every((goal) => staysWithin(goal, experiment, isPlanned))) {
    const sizes = goals.map(({ key }) => `${percent(effectOf(experiment, key))} in "${key}"`);
    return `There is no difference as large as ${sizes.join(' or ')}: the ${percent(1 - alpha)} intervals of the changes lie within that, ${isPlanned ? 'which holds only if the end was planned beforehand' : 'and do so at every look'}.`;
  }
  const isJudged = ({ comparisons: each }: MetricResult) => each.some(({ sequential }) => sequential !== null);
  const { key, comparisons } = goals.find(isJudged) ?? goals[0];
  const changes = comparisons.map(
    (comparison) => `for "${comparison.variant}" "${key}" ${describeChange(comparison, basis ?? 'sequential', alpha)}`,
  );
  const shown = stopped ? 'No difference was shown' : 'No difference is shown yet';
  return `${[`${shown}: ${changes.join(', ')}`, ...afterthoughts(goals, { stopped, isPlanned })].join('; ')}.`;
}

function afterthoughts(
  goals: readonly MetricResult[],
  { stopped, isPlanned }: { readonly stopped: boolean; readonly isPlanned: boolean },
): string[] {
  const comparisons = goals.flatMap((goal) => goal.comparisons);
  if (stopped && !isPlanned) return [];
  if (stopped) {
    const detectable = Math.max(...goals[0].comparisons.map((each) => each.detectable ?? Number.POSITIVE_INFINITY));
    return Number.isFinite(detectable)
      ? [`a change of ${percent(detectable)} would have been seen with 80% power`]
      : [];
  }
  const early = [...new Set(comparisons.filter((each) => each.significant).map(({ variant }) => `"${variant}"`))];
  return early.length > 0 ? [`at a single planned look ${early.join(', ')} would count as different`] : [];
}

function staysWithin({ key, comparisons }: MetricResult, experiment: Experiment, isPlanned: boolean): boolean {
  const effect = effectOf(experiment, key);
  return comparisons.every(({ sequential, liftInterval }) => {
    const interval = isPlanned && sequential !== null ? liftInterval : (sequential?.liftInterval ?? null);
    return interval !== null && interval.low > -effect && interval.high < effect;
  });
}

function effectOf({ metrics }: Experiment, metric: string): number {
  return metrics.find(({ key }) => key === metric)?.minimumEffect ?? 0;
}

interface Evidence {
  readonly experiment: Experiment;
  readonly metrics: readonly MetricResult[];
  readonly recorded: ReadonlySet<string>;
  readonly alpha: number;
  readonly basis: Basis | null;
  readonly splitP: number | null;
}
