import type { Basis, Comparison, ExperimentResults, Interval, MetricResult } from '../../contract/index.ts';
import type { Experiment } from './experiment.ts';
import { ENOUGH_OF_EITHER, ENOUGH_SUBJECTS } from './statistics.ts';

interface Evidence {
  readonly experiment: Experiment;
  readonly metrics: readonly MetricResult[];
  /** Metrics of which anything was recorded. */
  readonly recorded: ReadonlySet<string>;
  readonly alpha: number;
  readonly basis: Basis;
}

/** A significant change of a goal metric; the basis is the interval behind it: for every look, or for a single planned look. */
interface Finding {
  readonly metric: MetricResult;
  readonly comparison: Comparison;
  readonly basis: Basis;
}

interface Standing {
  readonly variant: string;
  readonly gains: readonly Finding[];
  readonly losses: readonly Finding[];
  readonly breached: readonly MetricResult[];
  readonly unclear: readonly MetricResult[];
}

/**
 * The verdict and a sentence that gives its reasons. A winner gains in a goal metric, loses in none and breaches no guardrail.
 *
 * @param evidence its basis is null if the split of subjects is wrong, with probability `splitP`
 */
export function conclude({
  basis,
  exposed,
  splitP,
  ...rest
}: Omit<Evidence, 'basis'> & {
  readonly basis: Basis | null;
  readonly exposed: number;
  readonly splitP: number | null;
}): Pick<ExperimentResults, 'verdict' | 'conclusion'> {
  const { state, variants } = rest.experiment;
  const none = (conclusion: string) => ({ verdict: 'none', conclusion }) as const;
  if (state === 'draft') return none('The experiment has not started.');
  if (exposed === 0) return none('Nobody has been exposed yet.');
  if (basis === null) {
    const p = Number((splitP ?? 0).toPrecision(2));
    const conclusion = `There is no verdict, for the subjects are not split as the weights say (p = ${p}): something is wrong with the assignment or with what records exposures.`;
    return { verdict: 'mismatch', conclusion };
  }
  const evidence = { ...rest, basis };
  const goals = evidence.metrics.filter(({ role }) => role === 'goal');
  if (goals.length === 0) return none('The experiment names no goal metric to judge by.');
  const standings = variants.slice(1).map(({ name }) => standingOf(name, goals, evidence));
  const verdict = verdictOf(standings);
  const clauses = describeStandings(standings, evidence);
  const comparisons = goals.flatMap((goal) => goal.comparisons);
  if (verdict === 'inconclusive' && comparisons.every(({ sequential }) => sequential === null)) {
    const early = state === 'stopped' ? 'It ended too early to tell' : 'It is too early to tell';
    return none(
      `${early}: before it is judged an arm needs about ${ENOUGH_SUBJECTS} subjects with a value, and for a binomial metric ${ENOUGH_OF_EITHER} who convert and as many who do not.`,
    );
  }
  if (clauses.length > 0) return { verdict, conclusion: `${clauses.join('; ')}.` };
  const stillToCome = comparisons.some(({ stillNeeded }) => (stillNeeded ?? 0) > 0);
  if (state === 'running' && stillToCome) return none(describePlanned(goals, evidence.experiment));
  return { verdict, conclusion: describeNoDifference(goals, evidence) };
}

function verdictOf(standings: readonly Standing[]): 'winner' | 'guardrail' | 'loser' | 'inconclusive' {
  if (standings.some(wins)) return 'winner';
  if (standings.some(({ breached }) => breached.length > 0)) return 'guardrail';
  return standings.some(({ gains, losses }) => gains.length === 0 && losses.length > 0) ? 'loser' : 'inconclusive';
}

function wins({ gains, losses, breached }: Standing): boolean {
  return gains.length > 0 && losses.length === 0 && breached.length === 0;
}

function standingOf(variant: string, goals: readonly MetricResult[], { metrics, basis }: Evidence): Standing {
  const findings = goals.flatMap((metric) =>
    metric.comparisons.flatMap((comparison): Finding[] => {
      const { sequential, significant } = comparison;
      if (comparison.variant !== variant || sequential === null) return [];
      if (sequential.significant) return [{ metric, comparison, basis: 'sequential' }];
      return basis === 'fixed' && significant ? [{ metric, comparison, basis }] : [];
    }),
  );
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

const LOOKS: Readonly<Record<Basis, string>> = {
  sequential: 'valid at every look',
  fixed: 'valid only if the end was planned beforehand',
};

/** A larger relative change says more about a small control than about the change. */
const LARGEST = 10;

function percent(share: number): string {
  return `${short(100 * share)}%`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Relative with its interval, or absolute if the relative interval contradicts the test. */
function describeChange(comparison: Comparison, basis: Basis, alpha: number): string {
  const { difference, lift } = comparison;
  const { interval, liftInterval } =
    basis === 'fixed' ? comparison : (comparison.sequential ?? { interval: null, liftInterval: null });
  if (difference === null || interval === null) return 'cannot be compared';
  const useLift =
    lift !== null &&
    Math.abs(lift) <= LARGEST &&
    liftInterval !== null &&
    includesZero(liftInterval) === includesZero(interval);
  const write = useLift ? percent : short;
  const size = write(Math.abs(useLift ? lift : difference));
  const { low, high } = useLift ? liftInterval : interval;
  const verb = difference === 0 ? 'changes by' : difference > 0 ? 'rises by' : 'falls by';
  const level = percent(1 - alpha);
  return `${verb} ${size} (${level} interval of the change: ${write(low)} to ${write(high)}, ${LOOKS[basis]})`;
}

function includesZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

function describePlanned(goals: readonly MetricResult[], experiment: Experiment): string {
  const needs = goals.flatMap(({ key, comparisons }) =>
    comparisons.map(({ stillNeeded }) => ({ key, more: stillNeeded ?? 0 })),
  );
  const most = needs.reduce((a, b) => (b.more > a.more ? b : a));
  return `It is too early to tell: to see a change of ${percent(effectOf(experiment, most.key))} in "${most.key}" with 80% power an arm needs at least ${most.more.toLocaleString('en')} more subjects.`;
}

function describeStandings(standings: readonly Standing[], evidence: Evidence): string[] {
  const winners = standings.filter(wins).sort((a, b) => leadOf(b, evidence) - leadOf(a, evidence));
  const others = standings.filter((standing) => !wins(standing));
  return [
    ...[...winners, ...others].flatMap((standing) => describeStanding(standing, evidence)),
    ...(winners.length > 1 ? ['the winners were not compared with each other'] : []),
    ...winners.flatMap((winner) => describeUnsettled(winner, evidence.recorded)),
  ];
}

/** Sorts winners by the first goal metric they gain in, then by the gain. */
function leadOf({ gains: [first] }: Standing, { metrics }: Evidence): number {
  const size = Math.abs(first.comparison.lift ?? 0);
  return size / (1 + size) - metrics.indexOf(first.metric);
}

function describeStanding(standing: Standing, { experiment, alpha, basis }: Evidence): string[] {
  const { variant, gains, losses, breached } = standing;
  const control = `the control "${experiment.variants[0].name}"`;
  const change = (metric: MetricResult, comparison: Comparison, by: Basis) =>
    `"${metric.key}" ${describeChange(comparison, by, alpha)}`;
  const changes = (findings: readonly Finding[]) =>
    findings.map(({ metric, comparison, basis: by }) => change(metric, comparison, by)).join(', ');
  if (breached.length > 0) {
    const broken = breached.flatMap((metric) => {
      const margin = experiment.guardrails.find(({ key }) => key === metric.key)?.margin ?? 0;
      return metric.comparisons
        .filter((each) => each.variant === variant)
        .map((comparison) => `${change(metric, comparison, basis)} where ${percent(margin)} is allowed`);
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

function describeUnsettled({ variant, unclear }: Standing, recorded: ReadonlySet<string>): string[] {
  const silent = unclear.filter(({ key }) => !recorded.has(key));
  const others = unclear.filter(({ key }) => recorded.has(key));
  return [
    ...(others.length > 0 ? [`not settled for "${variant}" yet: ${guardrails(others)}`] : []),
    ...(silent.length > 0 ? [`nothing was recorded for ${guardrails(silent)}`] : []),
  ];
}

function guardrails(metrics: readonly MetricResult[]): string {
  const names = metrics.map(({ key }) => `"${key}"`).join(', ');
  return metrics.length === 1 ? `the guardrail ${names}` : `the guardrails ${names}`;
}

/** Without a finding: no relevant difference, or how large it may still be. */
function describeNoDifference(goals: readonly MetricResult[], { experiment, alpha, basis }: Evidence): string {
  const stopped = experiment.state === 'stopped';
  const isPlanned = basis === 'fixed';
  const comparisons = goals.flatMap((goal) => goal.comparisons);
  if (goals.every((goal) => staysWithin(goal, effectOf(experiment, goal.key), isPlanned))) {
    const sizes = goals.map(({ key }) => `${percent(effectOf(experiment, key))} in "${key}"`);
    return `There is no difference as large as ${sizes.join(' or ')}: the ${percent(1 - alpha)} intervals of the changes lie within that, ${isPlanned ? 'which holds only if the end was planned beforehand' : 'and do so at every look'}.`;
  }
  const isJudged = ({ comparisons: each }: MetricResult) => each.some(({ sequential }) => sequential !== null);
  const shown = goals.find(isJudged) ?? goals[0];
  const changes = shown.comparisons.map(
    (comparison) => `for "${comparison.variant}" "${shown.key}" ${describeChange(comparison, basis, alpha)}`,
  );
  const clauses = [`${stopped ? 'No difference was shown' : 'No difference is shown yet'}: ${changes.join(', ')}`];
  const detectable = Math.max(...goals[0].comparisons.map((each) => each.detectable ?? Number.POSITIVE_INFINITY));
  if (stopped && isPlanned && Number.isFinite(detectable)) {
    clauses.push(`a change of ${percent(detectable)} would have been seen with 80% power`);
  }
  const early = [...new Set(comparisons.filter((each) => each.significant).map(({ variant }) => `"${variant}"`))];
  if (!stopped && early.length > 0) {
    clauses.push(`at a single planned look ${early.join(', ')} would count as different`);
  }
  return `${clauses.join('; ')}.`;
}

function staysWithin({ comparisons }: MetricResult, effect: number, isPlanned: boolean): boolean {
  return comparisons.every(({ sequential, liftInterval }) => {
    const interval = isPlanned && sequential !== null ? liftInterval : (sequential?.liftInterval ?? null);
    return interval !== null && interval.low > -effect && interval.high < effect;
  });
}

function effectOf({ metrics }: Experiment, metric: string): number {
  return metrics.find(({ key }) => key === metric)?.minimumEffect ?? 0;
}
