import type { ExperimentInput } from '../../client/index.ts';
import { type DigestOptions, describeOption, leavesOf, optionName, partOptions } from '../parts/options.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';

/** Max relative harm of a guardrail, and min relative change of a goal that matters. */
const MARGIN = 0.1;
const MINIMUM_EFFECT = 0.05;

/** What a draft is made of, as far as it can be changed before it is created. */
export interface PairDraft {
  readonly key: string;
  readonly hypothesis: string;
  /** Share of the readers who get the variant. */
  readonly share: number;
  readonly names: readonly [string, string];
  /** Options that differ between the two requests. */
  readonly differing: readonly [DigestOptions, DigestOptions];
  /** Whether both digests have a question, without which there is no relevance. */
  readonly hasIntent: boolean;
}

/** Null if the requests have the same options. */
export function experimentOfPair(left: StoredDigest, right: StoredDigest): PairDraft | null {
  const differing = partOptions(optionsOf(left.request), optionsOf(right.request));
  const changes = leavesOf(differing[1]).map(([, value]) => describeOption(value));
  const paths = [...new Set(differing.flatMap((options) => leavesOf(options)).map(([path]) => path))];
  if (paths.length === 0) return null;
  const variant = slug(changes.join('-'), 40);
  const [control, other] = differing.map(describeSet);
  return {
    key: slug([...paths.slice(0, 3).map(lastName), ...changes.slice(0, 2)].join('-'), 60) || 'side-by-side',
    hypothesis: `Readers are served better with ${other} than with ${control}.`,
    share: 0.5,
    names: ['control', variant === '' || variant === 'control' ? 'variant' : variant],
    differing,
    hasIntent: left.digest.metrics.relevance !== null && right.digest.metrics.relevance !== null,
  };
}

/** Every digest records the metrics: coverage decides, relevance and latency must not get worse. */
export function experimentInput({ key, hypothesis, share, names, differing, hasIntent }: PairDraft): ExperimentInput {
  const guardrails = [
    ...(hasIntent ? [{ key: 'digest.relevance', direction: 'increase' as const }] : []),
    { key: 'digest.latency', direction: 'decrease' as const },
  ];
  return {
    key,
    hypothesis,
    variants: [
      { name: names[0], weight: 1 - share, options: differing[0] },
      { name: names[1], weight: share, options: differing[1] },
    ],
    metrics: [{ key: 'digest.documentCoverage', type: 'ratio', direction: 'increase', minimumEffect: MINIMUM_EFFECT }],
    guardrails: guardrails.map((metric) => ({ ...metric, type: 'ratio', margin: MARGIN })),
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
