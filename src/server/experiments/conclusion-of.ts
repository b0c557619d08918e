import { type Decision, type Finding, type Standing, wins } from './decide.ts';
import type { MetricResult } from '../../contract/experiment-results.ts';
import { ENOUGH_OF_EITHER, ENOUGH_SUBJECTS } from './statistics/enough-subjects.ts';
import { count, percent, tellChange } from './tell-change.ts';
import { tellNoDifference } from './tell-no-difference.ts';
import type { Told } from './told.ts';

/** The verdict as one plain sentence, which names what it rests on. */
export function conclusionOf(decision: Decision, told: Told): string {
  if (decision.verdict === 'mismatch') {
    const p = Number((told.splitP ?? 0).toPrecision(2));
    return `There is no verdict, for the subjects are not split as the weights say (p = ${p}): something is wrong with the assignment or with what records exposures.`;
  }
  if (decision.lacking !== null) return tellLacking(decision.lacking, told);
  const clauses = tellStandings(decision.standings, told);
  return clauses.length === 0 ? tellNoDifference(told) : `${clauses.join('; ')}.`;
}

function tellLacking(lacking: NonNullable<Decision['lacking']>, told: Told): string {
  if (lacking === 'start') return 'The experiment has not started.';
  if (lacking === 'subjects') return 'Nobody has been exposed yet.';
  if (lacking === 'goals') return 'The experiment names no goal metric to judge by.';
  if (lacking === 'planned') return tellPlanned(told);
  const early = told.experiment.state === 'stopped' ? 'It ended too early to tell' : 'It is too early to tell';
  return `${early}: before it is judged an arm needs about ${ENOUGH_SUBJECTS} subjects with a value, and for a binomial metric ${ENOUGH_OF_EITHER} who convert and as many who do not.`;
}

/** What the goal metric lacks that needs the most subjects. */
function tellPlanned({ experiment, metrics }: Told): string {
  const needs = metrics.flatMap(({ key, role, comparisons }) =>
    role === 'goal' ? comparisons.map(({ stillNeeded }) => ({ key, more: stillNeeded ?? 0 })) : [],
  );
  const most = needs.reduce((a, b) => (b.more > a.more ? b : a));
  const effect = experiment.metrics.find(({ key }) => key === most.key)?.minimumEffect ?? 0;
  return `It is too early to tell: to see a change of ${percent(effect)} in "${most.key}" with 80% power an arm needs at least ${count(most.more)} more subjects.`;
}

function tellStandings(standings: readonly Standing[], told: Told): string[] {
  const winners = standings.filter(wins).sort((a, b) => leadOf(b, told) - leadOf(a, told));
  const others = standings.filter((standing) => !wins(standing));
  const unsettled = winners.filter(({ unclear }) => unclear.length > 0);
  return [
    ...[...winners, ...others].flatMap((standing) => tellStanding(standing, told)),
    ...(winners.length > 1 ? ['the winners were not compared with each other'] : []),
    ...unsettled.map(({ variant, unclear }) => tellUnsettled(variant, unclear, told.recorded)),
  ];
}

/** Orders winners: by the first goal metric that they gain in, then by how much. */
function leadOf({ gains: [first] }: Standing, { metrics }: Told): number {
  const size = Math.abs(first.comparison.lift ?? 0);
  return size / (1 + size) - metrics.indexOf(first.metric);
}

function tellStanding(standing: Standing, { experiment, alpha, basis: by }: Told): string[] {
  const { variant, gains, losses, breached } = standing;
  const control = `the control "${experiment.variants[0].name}"`;
  const tell = (findings: readonly Finding[]) =>
    findings
      .map(({ metric, comparison, basis }) => `"${metric.key}" ${tellChange(comparison, basis, alpha)}`)
      .join(', ');
  if (breached.length > 0) {
    const basis = by ?? 'sequential';
    const broken = breached.flatMap((metric) => {
      const comparison = metric.comparisons.find((each) => each.variant === variant);
      const margin = experiment.guardrails.find(({ key }) => key === metric.key)?.margin ?? 0;
      return comparison === undefined
        ? []
        : [`"${metric.key}" ${tellChange(comparison, basis, alpha)} where ${percent(margin)} is allowed`];
    });
    const although = gains.length > 0 ? `, although ${tell(gains)}` : '';
    return [`"${variant}" breaches ${guardrails(breached)}: ${broken.join(', ')}${although}`];
  }
  if (gains.length > 0 && losses.length > 0) {
    return [`"${variant}" is better and worse than ${control}: ${tell(gains)}, but ${tell(losses)}`];
  }
  if (gains.length > 0) return [`"${variant}" beats ${control}: ${tell(gains)}`];
  return losses.length > 0 ? [`"${variant}" is worse than ${control}: ${tell(losses)}`] : [];
}

function tellUnsettled(variant: string, unclear: readonly MetricResult[], recorded: Told['recorded']): string {
  const silent = unclear.filter(({ key }) => !recorded.has(key));
  const others = unclear.filter((metric) => !silent.includes(metric));
  return [
    ...(others.length > 0 ? [`not settled for "${variant}" yet: ${guardrails(others)}`] : []),
    ...(silent.length > 0 ? [`nothing was recorded for ${guardrails(silent)}`] : []),
  ].join('; ');
}

function guardrails(metrics: readonly MetricResult[]): string {
  const names = metrics.map(({ key }) => `"${key}"`).join(', ');
  return metrics.length === 1 ? `the guardrail ${names}` : `the guardrails ${names}`;
}
