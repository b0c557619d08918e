import type { ExperimentInput } from '../../client/index.ts';
import { FIGURES } from '../parts/figures.ts';
import { type DigestOptions, describeOption, leavesOf, optionName, partOptions } from '../parts/options.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';

export const ROLES = { goal: 'Goal', guardrail: 'Guardrail', none: 'Record only' } as const;
export type MetricRole = keyof typeof ROLES;

/** Roles proposed for what every digest records. */
const PROPOSED: Readonly<Record<string, MetricRole>> = {
  'digest.documentCoverage': 'goal',
  'digest.relevance': 'guardrail',
  'digest.latency': 'guardrail',
  'digest.redundancy': 'none',
  'digest.support': 'none',
  'digest.compression': 'none',
};

/** Max relative harm of a guardrail, and min relative change of a goal that matters. */
export const MARGIN = 0.1;
export const MINIMUM_EFFECT = 0.05;

type Direction = 'increase' | 'decrease';

/** An experiment that may be changed before it is created. */
export interface PairDraft {
  readonly key: string;
  readonly hypothesis: string;
  /** Share of the readers who get the variant. */
  readonly share: number;
  readonly names: readonly [string, string];
  /** Options that differ between the two requests. */
  readonly differing: readonly [DigestOptions, DigestOptions];
  readonly roles: Readonly<Record<string, MetricRole>>;
  /** A goal that the app reports. */
  readonly own: { readonly key: string; readonly direction: Direction } | null;
}

/** Null if the requests have the same options. */
export function experimentOfPair(left: StoredDigest, right: StoredDigest): PairDraft | null {
  const differing = partOptions(optionsOf(left.request), optionsOf(right.request));
  const changes = leavesOf(differing[1]).map(([, value]) => describeOption(value));
  const paths = [...new Set(differing.flatMap((options) => leavesOf(options)).map(([path]) => path))];
  if (paths.length === 0) return null;
  const variant = slug(changes.join('-'), 40);
  const hasIntent = left.digest.metrics.relevance !== null && right.digest.metrics.relevance !== null;
  const [control, other] = differing.map(describeSet);
  return {
    key: slug([...paths.slice(0, 3).map(lastName), ...changes.slice(0, 2)].join('-'), 60) || 'side-by-side',
    hypothesis: `Readers are served better with ${other} than with ${control}.`,
    share: 0.5,
    names: ['control', variant === '' || variant === 'control' ? 'variant' : variant],
    differing,
    roles: Object.fromEntries(Object.entries(PROPOSED).filter(([key]) => hasIntent || key !== 'digest.relevance')),
    own: null,
  };
}

export function directionOf(metric: string): Direction {
  const better = FIGURES.find(({ key }) => `digest.${key}` === metric)?.better;
  return better === 'more' || metric === 'digest.support' ? 'increase' : 'decrease';
}

export function experimentInput({ key, hypothesis, share, names, differing, roles, own }: PairDraft): ExperimentInput {
  const metricsOf = (wanted: MetricRole) =>
    Object.entries(roles)
      .filter(([, role]) => role === wanted)
      .map(([metric]) => ({ key: metric, type: 'ratio' as const, direction: directionOf(metric) }));
  const goals = [...(own === null ? [] : [{ ...own, type: 'binomial' as const }]), ...metricsOf('goal')];
  return {
    key,
    hypothesis,
    variants: [
      { name: names[0], weight: 1 - share, options: differing[0] },
      { name: names[1], weight: share, options: differing[1] },
    ],
    metrics: goals.map((goal) => ({ ...goal, minimumEffect: MINIMUM_EFFECT })),
    guardrails: metricsOf('guardrail').map((metric) => ({ ...metric, margin: MARGIN })),
    status: 'draft',
  };
}

function describeSet(options: DigestOptions): string {
  const set = leavesOf(options).map(([path, value]) => `${optionName(path).toLowerCase()} ${describeOption(value)}`);
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
