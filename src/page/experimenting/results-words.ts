import type { Experiment, ExperimentResults } from '../../client/index.ts';
import { metricName } from '../parts/figures.ts';
import { count, number, percent } from '../parts/words.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];

const VERDICTS: Readonly<Record<ExperimentResults['verdict'], string>> = {
  none: 'No verdict yet',
  mismatch: 'The split is wrong',
  winner: 'There is a winner',
  loser: 'The variant is worse',
  guardrail: 'A guardrail is breached',
  inconclusive: 'No clear difference',
};

export function describeVerdict({ verdict, status }: Pick<ExperimentResults, 'verdict' | 'status'>): string {
  return verdict === 'none' && status === 'draft' ? 'Not started' : VERDICTS[verdict];
}

/** Warnings about the results, gravest first. The verdict already reports a wrong split. */
export function warningsOf(results: ExperimentResults, { guardrails }: Pick<Experiment, 'guardrails'>): string[] {
  const { metrics, sampleRatio, overridden, ignored } = results;
  const breached = metrics.flatMap(({ key, guardrail }) =>
    (guardrail ?? []).flatMap(({ variant, verdict }) => {
      if (verdict !== 'breached' || sampleRatio.mismatch) return [];
      const margin = guardrails.find((each) => each.key === key)?.margin ?? 0;
      return [`“${variant}” makes “${metricName(key)}” worse by more than the ${percent(margin)} that is allowed.`];
    }),
  );
  const { beforeExposure, afterStop, duplicates } = ignored;
  const outcomes = beforeExposure + afterStop + ignored.overridden + duplicates;
  const leftOut = [overridden > 0 && count(overridden, 'reader'), outcomes > 0 && count(outcomes, 'outcome')].filter(
    Boolean,
  );
  return [
    ...breached,
    leftOut.length > 0 ? `Left out: ${leftOut.join(' and ')}; the results of the API say why.` : '',
    describeLooks(results),
  ].filter(Boolean);
}

function describeLooks({ basis, status, exposed, sampleRatio }: ExperimentResults): string {
  if (status === 'draft' || exposed === 0 || sampleRatio.mismatch) return '';
  if (basis === 'fixed') {
    return 'It ended with as many readers as it asked for, so the narrow intervals (one look at the end) count. That holds only if the end was planned beforehand.';
  }
  return status === 'running'
    ? 'The experiment is running. You can look at any time: the wide intervals hold at every look, the narrow ones only at one planned end.'
    : 'It ended before it had the readers it asked for, or asked for none, so the wide intervals count: stopping when a narrow one looks good is no win.';
}

/** The number of readers still needed to detect the smallest change that matters; null if unknown. */
export function describeNeeded({ stillNeeded }: Comparison, minimumEffect: number | null): string | null {
  if (stillNeeded === 0) return `There are enough readers to detect a change of ${percent(minimumEffect ?? 0)}.`;
  if (stillNeeded === null || minimumEffect === null) return null;
  return `About ${count(Math.ceil(stillNeeded), 'more reader')} per variant to detect a change of ${percent(minimumEffect)}.`;
}

export function describeComparison(
  { better, difference, significant, sequential, interval }: Comparison,
  { role }: Pick<Metric, 'role'>,
  basis: ExperimentResults['basis'],
): string {
  if (basis === null) return 'not judged, because the split is wrong';
  if (difference === null || interval === null) return 'not enough data';
  const counting = basis === 'fixed' ? interval : (sequential?.interval ?? null);
  if (counting === null) return 'too early to judge';
  const excludesZero = counting.low > 0 || counting.high < 0;
  // Only goals are corrected for the number of goals and variants.
  const isSure = role === 'goal' ? (basis === 'fixed' ? significant : sequential?.significant === true) : excludesZero;
  if (!isSure && role === 'goal' && excludesZero) {
    return 'a difference shows, but it is not certain with this many goals and variants';
  }
  if (!isSure || better === null) return 'no clear difference';
  return better ? 'better' : 'worse';
}

export function describeGuardrail(verdict: 'safe' | 'breached' | 'unclear', margin: number): string {
  if (verdict === 'safe') return `✓ Safe: not worse by more than ${percent(margin)}`;
  if (verdict === 'breached') return `✗ Breached: worse by more than the ${percent(margin)} allowed`;
  return `Not sure yet whether it stays within ${percent(margin)}`;
}

const TYPES: Readonly<Record<Metric['type'], string>> = {
  binomial: 'share of the readers who did it',
  mean: 'mean per reader',
  count: 'times per reader',
  ratio: 'mean over all readers together',
};

export function describeType({ type, direction }: Pick<Metric, 'type' | 'direction'>): string {
  return `${TYPES[type]}, ${direction === 'increase' ? 'more' : 'less'} is better`;
}

/** Writes a change in percentage points if values are shares, or in the metric's own units. */
export function changeWriterOf({ type }: Pick<Metric, 'type'>): (value: number) => string {
  return type === 'binomial' ? (value) => `${number(100 * value)} pp` : number;
}
