import type { ExperimentInput } from '../../client/index.ts';
import {
  type DigestOptions,
  describeOption,
  leavesOf,
  optionName,
  optionsFrom,
  partOptions,
  sameValue,
} from '../parts/options.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { compareFigures } from './figures.tsx';

export interface PairDraft {
  readonly key: string;
  readonly hypothesis: string;
  readonly names: readonly [string, string];
  /** Options that differ between the two requests. */
  readonly differing: readonly [DigestOptions, DigestOptions];
  readonly common: DigestOptions;
  readonly metrics: readonly SuggestedMetric[];
}

export const ROLES = { goal: 'Goal', guardrail: 'Guardrail', none: 'Record only' } as const;
export type MetricRole = keyof typeof ROLES;

interface SuggestedMetric {
  readonly key: string;
  readonly name: string;
  readonly direction: 'increase' | 'decrease';
  readonly role: MetricRole;
  /** The reason why the two digests cannot be compared by it; null if they can. */
  readonly doubt: string | null;
}

/** Max relative harm of a guardrail, and min relative change of a goal that matters. */
export const MARGIN = 0.1;
export const MINIMUM_EFFECT = 0.05;

const AUTOMATIC: readonly Omit<SuggestedMetric, 'doubt'>[] = [
  { key: 'digest.documentCoverage', name: 'Documents covered', direction: 'increase', role: 'goal' },
  { key: 'digest.relevance', name: 'Relevance', direction: 'increase', role: 'guardrail' },
  { key: 'digest.latency', name: 'Time to make it', direction: 'decrease', role: 'guardrail' },
  { key: 'digest.redundancy', name: 'Redundancy', direction: 'decrease', role: 'none' },
  { key: 'digest.support', name: 'Support by the quotes', direction: 'increase', role: 'none' },
  { key: 'digest.compression', name: 'Compression', direction: 'decrease', role: 'none' },
];

/** Figures that may support a hypothesis, in the order in which they are tried. */
const CLAIMS: readonly (readonly [figure: string, words: string])[] = [
  ['Documents covered', 'Digests cover more of the documents'],
  ['Relevance', 'Digests keep closer to what was asked'],
  ['Redundancy', 'Digests repeat themselves less'],
];

export function experimentOfPair(left: StoredDigest, right: StoredDigest): PairDraft | null {
  const parted = partOptions(optionsOf(left.request), optionsOf(right.request));
  const changes = leavesOf(parted.right).map(([path, value]) => [path, describeOption(value)]);
  const paths = [...new Set([...leavesOf(parted.left), ...changes].map(([path]) => path))];
  if (paths.length === 0) return null;

  const figures = compareFigures({ left, right });
  const claim = hasSameTask(left, right)
    ? CLAIMS.flatMap(([name, words]) => {
        const side = figures.find((figure) => figure.name === name)?.better ?? null;
        return side === null ? [] : [{ name, words, side }];
      }).at(0)
    : undefined;
  const [better, other] = claim?.side === 'left' ? [parted.left, parted.right] : [parted.right, parted.left];
  const hasIntent = left.digest.metrics.relevance !== null && right.digest.metrics.relevance !== null;
  const values = changes.map(([, value]) => value);
  const variant = slug(values.join('-'), 40);
  return {
    key: slug([...paths.slice(0, 3).map(lastName), ...values.slice(0, 2)].join('-'), 60) || 'side-by-side',
    hypothesis: `${claim?.words ?? 'Readers are served better'} with ${describeSet(better)} than with ${describeSet(other)}.`,
    names: ['control', variant === '' || variant === 'control' ? 'variant' : variant],
    differing: [parted.left, parted.right],
    common: parted.common,
    metrics: AUTOMATIC.filter(({ key }) => hasIntent || key !== 'digest.relevance').map((metric) => {
      const doubt = figures.find(({ name }) => name === metric.name)?.doubt ?? null;
      const isGoal = metric.name === (claim?.name ?? 'Documents covered');
      const role = isGoal ? 'goal' : metric.role === 'guardrail' && doubt === null ? 'guardrail' : 'none';
      return { ...metric, role, doubt };
    }),
  };
}

function hasSameTask(left: StoredDigest, right: StoredDigest): boolean {
  const [ofLeft, ofRight] = [left, right].map(({ digest, request }) => [
    request.intent ?? null,
    digest.documents.map(({ id }) => id).sort(),
  ]);
  return sameValue(ofLeft, ofRight);
}

export interface PairChoices extends Pick<PairDraft, 'key' | 'hypothesis'> {
  /** Share of the readers who get the variant. */
  readonly share: number;
  readonly isCommonSet: boolean;
  readonly roles: Readonly<Record<string, MetricRole>>;
  /** A metric that the app reports. */
  readonly own: { readonly key: string; readonly direction: 'increase' | 'decrease' } | null;
}

export function experimentInput(draft: PairDraft, choices: PairChoices): ExperimentInput {
  const { key, hypothesis, share, isCommonSet, roles, own } = choices;
  const metricsOf = (role: MetricRole) =>
    draft.metrics
      .filter((metric) => (roles[metric.key] ?? metric.role) === role)
      .map((metric) => ({ key: metric.key, type: 'ratio' as const, direction: metric.direction }));
  const [control, variant] = draft.differing.map((options) =>
    isCommonSet ? optionsFrom([...leavesOf(draft.common), ...leavesOf(options)]) : options,
  );
  return {
    key,
    hypothesis,
    variants: [
      { name: draft.names[0], weight: 1 - share, options: control },
      { name: draft.names[1], weight: share, options: variant },
    ],
    metrics: [
      ...(own === null ? [] : [{ ...own, type: 'binomial' as const, minimumEffect: MINIMUM_EFFECT }]),
      ...metricsOf('goal').map((metric) => ({ ...metric, minimumEffect: MINIMUM_EFFECT })),
    ],
    guardrails: metricsOf('guardrail').map((metric) => ({ ...metric, margin: MARGIN })),
    status: 'draft',
  };
}

function describeSet(options: DigestOptions): string {
  const set = leavesOf(options).map(([path, value]) =>
    // A size is clear without the name of its option.
    path === 'selection.size' && value !== 'auto'
      ? describeOption(value)
      : `${optionName(path).toLowerCase()} ${describeOption(value)}`,
  );
  return set.length === 0 ? 'the defaults' : set.slice(0, 4).join(', ');
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function slug(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, most)
    .replace(/[^A-Za-z0-9]+$/, '')
    .toLowerCase();
}
