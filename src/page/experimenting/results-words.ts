import type { Experiment, ExperimentResults } from '../../client/index.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];

/** A share in percent with three digits at most: 0.1234 is "12.3%". */
export function percent(share: number): string {
  return `${short(100 * share)}%`;
}

/** A number with three digits at most, and its thousands apart. */
export function short(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en').replace('-', '−');
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 12 }).replace('-', '−');
}

/** A change with its sign. */
export function signed(value: number, write: (value: number) => string): string {
  return value > 0 ? `+${write(value)}` : write(value);
}

/** "1 reader", "2,000 readers". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${short(count)} ${count === 1 ? one : many}`;
}

const VERDICTS: Readonly<Record<ExperimentResults['verdict'], string>> = {
  none: 'No verdict yet',
  mismatch: 'The split is wrong',
  winner: 'There is a winner',
  loser: 'The variant is worse',
  guardrail: 'A guardrail is breached',
  inconclusive: 'No clear difference',
};

/** The verdict in a few words. */
export function describeVerdict({ verdict, status }: Pick<ExperimentResults, 'verdict' | 'status'>): string {
  return verdict === 'none' && status === 'draft' ? 'Not started' : VERDICTS[verdict];
}

/** What to keep in mind before anything is believed, the gravest first; a wrong split is what the verdict itself tells. */
export function warningsOf(results: ExperimentResults, experiment: Experiment): string[] {
  return [
    ...describeGuardrails(results, experiment),
    ...describeOverridden(results),
    ...describeIgnored(results.ignored),
    ...describeLooks(results),
  ];
}

/** The conclusion; where readers are not split as planned, that with the counts. */
export function describeConclusion({ sampleRatio, conclusion }: ExperimentResults): string {
  if (!sampleRatio.mismatch) return conclusion;
  const counts = sampleRatio.observed.map(
    ({ variant, subjects, expected }) =>
      `${short(subjects)} in “${variant}” where ${short(Math.round(expected))} were expected`,
  );
  return `There is no verdict, because readers are not split as planned: ${counts.join(', ')}. That is not chance${
    sampleRatio.p === null ? '' : ` (p = ${Number(sampleRatio.p.toPrecision(2))})`
  }: something is wrong with the assignment or the reports, so the measurements cannot be trusted.`;
}

function describeGuardrails({ metrics, sampleRatio }: ExperimentResults, { guardrails }: Experiment): string[] {
  if (sampleRatio.mismatch) return [];
  return metrics.flatMap(({ key, guardrail }) =>
    (guardrail ?? [])
      .filter(({ verdict }) => verdict === 'breached')
      .map(({ variant }) => {
        const margin = guardrails.find((each) => each.key === key)?.margin ?? 0;
        return `“${variant}” makes “${metricName(key)}” worse by more than the ${percent(margin)} that is allowed.`;
      }),
  );
}

function describeOverridden({ overridden }: ExperimentResults): string[] {
  if (overridden === 0) return [];
  return [
    `${counted(overridden, 'reader is', 'readers are')} left out because a request set options that the variants set, or could not be made with all of them.`,
  ];
}

/** Outcomes that came and do not count. */
export function describeIgnored({
  beforeExposure,
  afterStop,
  overridden,
  duplicates,
}: ExperimentResults['ignored']): string[] {
  const parts = [
    [beforeExposure, 'from before their reader saw a variant'],
    [afterStop, 'from after the end'],
    [overridden, 'of readers who are left out'],
    [duplicates, 'that came twice'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, why]) => `${short(count)} ${why}`);
  const total = parts.reduce((sum, [count]) => sum + count, 0);
  return told.length === 0 ? [] : [`${counted(total, 'outcome does', 'outcomes do')} not count: ${told.join(', ')}.`];
}

/** Which intervals count, for those who look before the end. */
function describeLooks({ basis, status, exposed, sampleRatio }: ExperimentResults): string[] {
  if (status === 'draft' || exposed === 0 || sampleRatio.mismatch) return [];
  if (basis === 'fixed') {
    return [
      'It ended with as many readers as it asked for, so the narrow intervals (one look at the end) count. That holds only if the end was planned beforehand.',
    ];
  }
  return status === 'running'
    ? [
        'The experiment is running. You can look at any time: the wide intervals hold at every look, the narrow ones only at one planned end.',
      ]
    : [
        'It ended before it had the readers it asked for, or asked for none, so the wide intervals count: stopping when a narrow one looks good is no win.',
      ];
}

/** What is missing to see the smallest change that matters; null where none was named, or it cannot be told. */
export function describeNeeded({ stillNeeded, detectable }: Comparison, minimumEffect: number | null): string | null {
  if (stillNeeded === 0) return `There are enough readers to detect a change of ${percent(minimumEffect ?? 0)}.`;
  if (stillNeeded !== null && minimumEffect !== null) {
    return `About ${counted(Math.ceil(stillNeeded), 'more reader', 'more readers')} per variant to detect a change of ${percent(minimumEffect)}.`;
  }
  return detectable === null
    ? null
    : `With this many readers, a change of ${percent(detectable)} would be detected four times out of five.`;
}

/** What a comparison has shown, by the interval that counts. */
export function describeComparison(
  { better, difference, significant, sequential, interval }: Comparison,
  { role }: Pick<Metric, 'role'>,
  basis: ExperimentResults['basis'],
): string {
  if (basis === null) return 'not judged, because the split is wrong';
  if (difference === null || interval === null) return 'not enough data';
  const counting = basis === 'fixed' ? interval : (sequential?.interval ?? null);
  if (counting === null) return 'too early to judge';
  const isSure =
    role === 'goal'
      ? basis === 'fixed'
        ? significant
        : (sequential?.significant ?? false)
      : counting.low > 0 || counting.high < 0;
  if (role === 'goal' && !isSure && (counting.low > 0 || counting.high < 0)) {
    return 'a difference shows, but it is not certain with this many goals and variants';
  }
  if (!isSure || better === null) return 'no clear difference';
  return better ? 'better' : 'worse';
}

/** The verdict on a guardrail. */
export function describeGuardrail(verdict: 'safe' | 'breached' | 'unclear', margin: number): string {
  if (verdict === 'safe') return `safe: not worse by more than ${percent(margin)}`;
  return verdict === 'breached'
    ? `breached: worse by more than the ${percent(margin)} allowed`
    : `not sure yet whether it stays within ${percent(margin)}`;
}

const AUTOMATIC: Readonly<Record<string, string>> = {
  'digest.documentCoverage': 'Documents covered',
  'digest.redundancy': 'Redundancy',
  'digest.relevance': 'Relevance',
  'digest.compression': 'Compression',
  'digest.support': 'Support by the quotes',
  'digest.latency': 'Time to make a digest (ms)',
  'digest.tokens': 'Tokens of language models',
  'digest.cost': 'Cost of language models',
};

/** What a metric is called: its key where it is an app's own. */
export function metricName(key: string): string {
  return Object.hasOwn(AUTOMATIC, key) ? AUTOMATIC[key] : key;
}

const TYPES: Readonly<Record<Metric['type'], string>> = {
  binomial: 'share of the readers who did it',
  mean: 'mean per reader',
  count: 'times per reader',
  ratio: 'mean over all readers together',
};

/** What a metric's numbers are. */
export function describeType({ type, direction }: Pick<Metric, 'type' | 'direction'>): string {
  return `${TYPES[type]}, ${direction === 'increase' ? 'more' : 'less'} is better`;
}

/** A value of a metric: shares as percent. */
export function writerOf({ type }: Pick<Metric, 'type'>): (value: number) => string {
  return type === 'binomial' ? percent : short;
}

/** A change: relative, in points of a hundred where values are shares, or in the metric's own units. */
export function changeWriterOf({ type }: Pick<Metric, 'type'>, unit: 'lift' | 'difference'): (value: number) => string {
  if (unit === 'lift') return percent;
  return type === 'binomial' ? (value) => `${short(100 * value)} pp` : short;
}
