import type { ExperimentInput } from '../../client/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { compareMetrics, type MetricRow, type Side } from './compare-metrics.ts';
import { joinOptions, leavesOf, partOptions, sameValue } from './option-leaves.ts';
import { describeOption, optionName } from './words-of-options.ts';

/** What an experiment of two digests would be. */
export interface PairDraft {
  readonly key: string;
  readonly hypothesis: string;
  /** Names of the variants: the left one is the control. */
  readonly names: readonly [string, string];
  /** What only one of both asked for, or each in its own way. */
  readonly differing: readonly [DigestOptions, DigestOptions];
  /** What both asked for. */
  readonly common: DigestOptions;
  /** What may be measured without being sent. */
  readonly metrics: readonly SuggestedMetric[];
}

/** A metric that every digest records by itself. */
interface SuggestedMetric {
  readonly key: string;
  readonly name: string;
  readonly direction: 'increase' | 'decrease';
  readonly role: MetricRole;
  /** Why the values of this pair say nothing beside each other; null where they do. */
  readonly doubt: string | null;
}

export type MetricRole = 'goal' | 'guardrail' | 'none';

/** How much worse a guardrail may get, by default. */
export const MARGIN = 0.1;
/** The smallest relative change of a goal that matters, by default. */
export const MINIMUM_EFFECT = 0.05;

const AUTOMATIC: readonly Omit<SuggestedMetric, 'doubt'>[] = [
  { key: 'digest.documentCoverage', name: 'Documents covered', direction: 'increase', role: 'goal' },
  { key: 'digest.relevance', name: 'Relevance', direction: 'increase', role: 'guardrail' },
  { key: 'digest.latency', name: 'Time to make it', direction: 'decrease', role: 'guardrail' },
  { key: 'digest.redundancy', name: 'Redundancy', direction: 'decrease', role: 'none' },
  { key: 'digest.support', name: 'Support by the quotes', direction: 'increase', role: 'none' },
  { key: 'digest.compression', name: 'Compression', direction: 'decrease', role: 'none' },
];

/** What may be claimed of a pair: the first of these in which one side is better. */
const CLAIMS = [
  { metric: 'Documents covered', key: 'digest.documentCoverage', words: 'Digests cover more of the documents' },
  { metric: 'Relevance', key: 'digest.relevance', words: 'Digests keep closer to what was asked' },
  { metric: 'Redundancy', key: 'digest.redundancy', words: 'Digests repeat themselves less' },
] as const;

/** A draft from two digests: control and variant set what their requests set differently, or null where that is nothing. */
export function experimentOfPair(left: StoredDigest, right: StoredDigest): PairDraft | null {
  const [ofLeft, ofRight] = [optionsOf(left.request), optionsOf(right.request)];
  const parted = partOptions(ofLeft, ofRight);
  const changes = leavesOf(parted.right);
  const paths = [...new Set([...leavesOf(parted.left), ...changes].map(({ path }) => path.join('.')))];
  if (paths.length === 0) return null;
  const rows = compareMetrics(left, right);
  const claim = claimOf(left, right, rows);
  const hasIntent = left.digest.metrics.relevance !== null && right.digest.metrics.relevance !== null;
  return {
    key: keyOf(
      paths,
      changes.map(({ value }) => describeOption(value)),
    ),
    hypothesis: hypothesisOf(parted, claim),
    names: ['control', slug(changes.map(({ value }) => describeOption(value)).join('-'), 40) || 'variant'].map(
      (name, place, [first]) => (place === 1 && name === first ? 'variant' : name),
    ) as [string, string], // of two as before
    differing: [parted.left, parted.right],
    common: parted.common,
    metrics: AUTOMATIC.filter(({ key }) => hasIntent || key !== 'digest.relevance').map((metric) =>
      suggested(metric, rows, claim),
    ),
  };
}

export interface PairChoices {
  readonly key: string;
  readonly hypothesis: string;
  readonly names: readonly [string, string];
  /** Share of the subjects that get the variant. */
  readonly share: number;
  readonly isCommonSet: boolean;
  readonly roles: Readonly<Record<string, MetricRole>>;
  /** A metric that the app reports. */
  readonly own: { readonly key: string; readonly direction: 'increase' | 'decrease' } | null;
}

/** The body that makes the draft. */
export function experimentInput(draft: PairDraft, choices: PairChoices): ExperimentInput {
  const { key, hypothesis, names, share, isCommonSet, roles, own } = choices;
  const of = (role: MetricRole) => draft.metrics.filter((metric) => (roles[metric.key] ?? metric.role) === role);
  const metric = (each: Pick<SuggestedMetric, 'key' | 'direction'>) => ({
    key: each.key,
    type: 'ratio' as const,
    direction: each.direction,
  });
  const options = (place: 0 | 1): DigestOptions =>
    isCommonSet ? joinOptions(draft.common, draft.differing[place]) : draft.differing[place];
  return {
    key,
    hypothesis,
    variants: [
      { name: names[0], weight: 1 - share, options: options(0) },
      { name: names[1], weight: share, options: options(1) },
    ],
    metrics: [
      ...(own === null ? [] : [{ ...own, type: 'binomial' as const, minimumEffect: MINIMUM_EFFECT }]),
      ...of('goal').map((each) => ({ ...metric(each), minimumEffect: MINIMUM_EFFECT })),
    ],
    guardrails: of('guardrail').map((each) => ({ ...metric(each), margin: MARGIN })),
    status: 'draft',
  };
}

function keyOf(paths: readonly string[], values: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => path.split('.').slice(-1)[0]);
  return slug([...names, ...values.slice(0, 2)].join('-'), 60) || 'side-by-side';
}

/** What a pair shows, and on which side. */
interface Claim {
  readonly key: string;
  readonly words: string;
  readonly side: Side;
}

/** What is better on one side, where both were asked the same of the same documents; null where nothing is that may be compared. */
function claimOf(left: StoredDigest, right: StoredDigest, rows: readonly MetricRow[]): Claim | null {
  const [ofLeft, ofRight] = [left, right].map(({ digest, request }) => [
    request.intent ?? null,
    digest.documents.map(({ id }) => id).sort(),
  ]);
  if (!sameValue(ofLeft, ofRight)) return null;
  for (const { metric, key, words } of CLAIMS) {
    const side = rows.find(({ name }) => name === metric)?.better ?? null;
    if (side !== null) return { key, words, side };
  }
  return null;
}

function hypothesisOf({ left, right }: Readonly<Record<Side, DigestOptions>>, claim: Claim | null): string {
  const [better, other] = claim?.side === 'left' ? [left, right] : [right, left];
  return `${claim?.words ?? 'Readers are served better'} with ${describeSet(better)} than with ${describeSet(other)}.`;
}

/** A metric with the part it plays: the goal is what the pair shows, and no guardrail is what cannot be compared. */
function suggested(
  metric: Omit<SuggestedMetric, 'doubt'>,
  rows: readonly MetricRow[],
  claim: Claim | null,
): SuggestedMetric {
  const doubt = rows.find(({ name }) => name === metric.name)?.doubt ?? null;
  const isGoal = metric.key === (claim?.key ?? 'digest.documentCoverage');
  const role = isGoal ? 'goal' : metric.role === 'guardrail' && doubt === null ? 'guardrail' : 'none';
  return { ...metric, role, doubt };
}

/** The options that are set, in words. */
function describeSet(options: DigestOptions): string {
  const set = leavesOf(options).map(({ path, value }) => {
    const name = path.join('.');
    // "3 points" says by itself what it is.
    return name === 'selection.size' && value !== 'auto'
      ? describeOption(value)
      : `${optionName(name).toLowerCase()} ${describeOption(value)}`;
  });
  return set.length === 0 ? 'the defaults' : set.slice(0, 4).join(', ');
}

/** As keys and names may be written. */
function slug(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, most)
    .replace(/[^A-Za-z0-9]+$/, '')
    .toLowerCase();
}
