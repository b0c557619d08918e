import type { Basis, Comparison, Experiment, ExperimentResults, MetricResult } from '../../contract/index.ts';
import { ENOUGH_OF_EITHER, ENOUGH_SUBJECTS } from './statistics.ts';

interface Evidence {
  readonly experiment: Experiment;
  readonly metrics: readonly MetricResult[];
  readonly alpha: number;
  readonly exposed: number;
  /** Null if the split of subjects is wrong, with probability `splitP`. */
  readonly basis: Basis | null;
  readonly splitP: number | null;
}

type Compared = Pick<Standing['judged'][number], 'key' | 'comparison'>;

/** The verdict, and a sentence per treatment. A winner gains in a goal metric, loses in none and breaches no guardrail. */
export function conclude(evidence: Evidence): Pick<ExperimentResults, 'verdict' | 'conclusion'> {
  const { experiment, metrics, exposed, basis, splitP } = evidence;
  const { status, variants } = experiment;
  const none = (conclusion: string) => ({ verdict: 'none', conclusion }) as const;
  if (status === 'draft') return none('The experiment has not started.');
  if (exposed === 0) return none('Nobody has been exposed yet.');
  if (basis === null) {
    const p = Number((splitP ?? 0).toPrecision(2));
    const conclusion = `There is no verdict, for the subjects are not split as the weights say (p = ${p}): something is wrong with the assignment or with what records exposures.`;
    return { verdict: 'mismatch', conclusion };
  }
  const [control, ...treatments] = variants;
  const standings = treatments.map((_, place) => standingOf(place, metrics, basis));
  const verdict = verdictOf(standings);
  if (verdict === 'inconclusive' && standings.every(({ gains }) => gains.length === 0)) {
    const early = describeEarly(experiment, metrics);
    if (early !== null) return none(early);
  }
  const write = ({ key, comparison }: Compared) => `"${key}" ${describeChange(comparison, basis, evidence.alpha)}`;
  const sentences = standings.map((standing, place) => {
    return describeStanding(treatments[place].name, control.name, standing, write);
  });
  return { verdict, conclusion: sentences.join(' ') };
}

type Standing = ReturnType<typeof standingOf>;

/**
 * A treatment's metrics: goals with enough subjects, those that certainly changed, and guardrails that are not safe.
 *
 * @param place of the treatment, as in `comparisons` and `guardrail`
 */
function standingOf(place: number, metrics: readonly MetricResult[], basis: Basis) {
  const all = metrics.map(({ key, role, comparisons, guardrail }) => {
    return { key, role, comparison: comparisons[place], guardrail: guardrail?.[place].verdict };
  });
  const judged = all.filter(({ role, comparison }) => role === 'goal' && comparison.sequential !== null);
  const certain = judged.filter(({ comparison: { significant, sequential } }) =>
    basis === 'fixed' ? significant : sequential?.significant,
  );
  return {
    judged,
    gains: certain.filter(({ comparison }) => comparison.better === true),
    losses: certain.filter(({ comparison }) => comparison.better === false),
    breached: all.filter(({ guardrail }) => guardrail === 'breached'),
    unclear: all.filter(({ guardrail }) => guardrail === 'unclear'),
  };
}

function verdictOf(standings: readonly Standing[]): 'winner' | 'guardrail' | 'loser' | 'inconclusive' {
  const wins = ({ gains, losses, breached }: Standing) =>
    gains.length > 0 && losses.length === 0 && breached.length === 0;
  if (standings.some(wins)) return 'winner';
  if (standings.some(({ breached }) => breached.length > 0)) return 'guardrail';
  return standings.some(({ gains, losses }) => gains.length === 0 && losses.length > 0) ? 'loser' : 'inconclusive';
}

/** What is missing before anything can be told; null if nothing is. */
function describeEarly({ status, metrics: defined }: Experiment, metrics: readonly MetricResult[]): string | null {
  const goals = metrics.filter(({ role }) => role === 'goal');
  if (goals.every(({ comparisons }) => comparisons.every(({ sequential }) => sequential === null))) {
    const early = status === 'stopped' ? 'It ended too early to tell' : 'It is too early to tell';
    return `${early}: before it is judged an arm needs about ${ENOUGH_SUBJECTS} subjects with a value, and for a binomial metric ${ENOUGH_OF_EITHER} who convert and as many who do not.`;
  }
  const needs = goals.flatMap(({ key, comparisons }) =>
    comparisons.map((each) => ({ key, more: each.stillNeeded ?? 0 })),
  );
  const { key, more } = needs.reduce((a, b) => (b.more > a.more ? b : a));
  if (status !== 'running' || more === 0) return null;
  const effect = defined.find((metric) => metric.key === key)?.minimumEffect ?? 0;
  return `It is too early to tell: to see a change of ${percent(effect)} in "${key}" with 80% power an arm needs at least ${more.toLocaleString('en')} more ${more === 1 ? 'subject' : 'subjects'}.`;
}

function describeStanding(
  name: string,
  control: string,
  { judged, gains, losses, breached, unclear }: Standing,
  write: (compared: Compared) => string,
): string {
  const changed = [...gains, ...losses];
  const better = losses.length > 0 ? 'is better and worse than' : 'beats';
  const found = gains.length > 0 ? better : losses.length > 0 ? 'is worse than' : 'shows no clear difference from';
  const changes = (changed.length > 0 ? changed : judged).map(write).join(', ');
  const parts = [
    judged.length > 0 ? `"${name}" ${found} the control "${control}": ${changes}` : `"${name}" cannot be judged yet`,
    ...(breached.length > 0 ? [`guardrails breached: ${breached.map(write).join(', ')}`] : []),
    ...(unclear.length > 0 ? [`guardrails not settled yet: ${unclear.map(({ key }) => `"${key}"`).join(', ')}`] : []),
  ];
  return `${parts.join('; ')}.`;
}

const LOOKS = { sequential: 'valid at every look', fixed: 'valid only if the end was planned beforehand' } as const;

/** Relative with its interval, or absolute if the relative interval contradicts the test. */
function describeChange(comparison: Comparison, basis: Basis, alpha: number): string {
  const { difference, lift } = comparison;
  const { interval = null, liftInterval = null } = (basis === 'fixed' ? comparison : comparison.sequential) ?? {};
  if (difference === null || interval === null) return 'cannot be compared';
  const isRelative =
    lift !== null &&
    liftInterval !== null &&
    liftInterval.low * liftInterval.high > 0 === interval.low * interval.high > 0;
  const write = isRelative ? percent : short;
  const { low, high } = isRelative ? liftInterval : interval;
  const verb = difference === 0 ? 'changes by' : difference > 0 ? 'rises by' : 'falls by';
  const size = write(Math.abs(isRelative ? lift : difference));
  return `${verb} ${size} (${percent(1 - alpha)} interval of the change: ${write(low)} to ${write(high)}, ${LOOKS[basis]})`;
}

function percent(share: number): string {
  return `${short(100 * share)}%`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
