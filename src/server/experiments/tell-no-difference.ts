import type { Experiment } from '../../contract/experiment.ts';
import type { MetricResult } from '../../contract/experiment-results.ts';
import { percent, tellChange } from './tell-change.ts';
import type { Told } from './told.ts';

/** What can be said where nothing was found: that there is no difference that matters, or how large one may still be. */
export function tellNoDifference({ experiment, metrics, alpha, basis }: Told): string {
  const stopped = experiment.state === 'stopped';
  const isPlanned = basis === 'fixed';
  const goals = metrics.filter(({ role }) => role === 'goal');
  if (goals.every((goal) => staysWithin(goal, experiment, isPlanned))) {
    const sizes = goals.map(({ key }) => `${percent(effectOf(experiment, key))} in "${key}"`);
    return `There is no difference as large as ${sizes.join(' or ')}: the ${percent(1 - alpha)} intervals of the changes lie within that, ${isPlanned ? 'which holds only if the end was planned beforehand' : 'and do so at every look'}.`;
  }
  // The first that could be judged at all.
  const isJudged = ({ comparisons: each }: MetricResult) => each.some(({ sequential }) => sequential !== null);
  const { key, comparisons } = goals.find(isJudged) ?? goals[0];
  const changes = comparisons.map(
    (comparison) => `for "${comparison.variant}" "${key}" ${tellChange(comparison, basis ?? 'sequential', alpha)}`,
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

/** Whether every interval of a metric's lift lies within the minimum effect of interest. */
function staysWithin({ key, comparisons }: MetricResult, experiment: Experiment, isPlanned: boolean): boolean {
  const effect = effectOf(experiment, key);
  return comparisons.every(({ sequential, liftInterval }) => {
    const interval = isPlanned && sequential !== null ? liftInterval : (sequential?.liftInterval ?? null);
    return interval !== null && interval.low > -effect && interval.high < effect;
  });
}

/** The minimum effect of interest; 0 where none was named, which no interval lies within. */
function effectOf({ metrics }: Experiment, metric: string): number {
  return metrics.find(({ key }) => key === metric)?.minimumEffect ?? 0;
}
