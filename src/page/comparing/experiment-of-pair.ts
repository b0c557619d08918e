import type { ExperimentInput } from '../../client/index.ts';
import {
  type DigestOptions,
  describeLeaf,
  describeOption,
  leavesOf,
  optionName,
  partOptions,
} from '../parts/options.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';

export interface Pair {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** Max relative harm of a guardrail, and min relative change of a goal that matters. */
const MARGIN = 0.1;
const MINIMUM_EFFECT = 0.05;

/**
 * A draft whose variants set what differs between two digests; null if nothing does. Every digest records the metrics:
 * coverage decides, relevance and latency must not get worse.
 */
export function experimentOfPair({ left, right }: Pair): ExperimentInput | null {
  const [control, variant] = partOptions(optionsOf(left.request), optionsOf(right.request));
  const set = [control, variant].flatMap((options) => leavesOf(options));
  if (set.length === 0) return null;
  const paths = [...new Set(set.map(([path]) => path))].slice(0, 3);
  const changes = leavesOf(variant).slice(0, 2);
  const words = [...paths.map((path) => path.split('.').at(-1)), ...changes.map(([, value]) => describeOption(value))];
  const hasIntent = left.digest.metrics.relevance !== null && right.digest.metrics.relevance !== null;
  const guardrails = [
    ...(hasIntent ? [{ key: 'digest.relevance', direction: 'increase' as const }] : []),
    { key: 'digest.latency', direction: 'decrease' as const },
  ];
  return {
    key: keyOf(words.join('-')),
    hypothesis: `Readers are served better with ${describeSet(variant)} than with ${describeSet(control)}.`,
    variants: [
      { name: 'control', weight: 0.5, options: control },
      { name: 'variant', weight: 0.5, options: variant },
    ],
    metrics: [{ key: 'digest.documentCoverage', type: 'ratio', direction: 'increase', minimumEffect: MINIMUM_EFFECT }],
    guardrails: guardrails.map((metric) => ({ ...metric, type: 'ratio', margin: MARGIN })),
    status: 'draft',
  };
}

function describeSet(options: DigestOptions): string {
  const set = leavesOf(options).map((leaf) => `${optionName(leaf[0]).toLowerCase()} ${describeLeaf(leaf)}`);
  return set.length === 0 ? 'the defaults' : set.slice(0, 4).join(', ');
}

function keyOf(text: string): string {
  const hyphenated = text.replace(/[^A-Za-z0-9._]+/g, '-').slice(0, 60);
  return hyphenated.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '').toLowerCase();
}
