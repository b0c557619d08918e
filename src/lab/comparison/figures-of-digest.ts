import type { Digest } from '../../contract/index.ts';
import { type EvaluationAnswer, figuresOf, metricOf } from '../../evaluation/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import { meanSupport } from '../../server/index.ts';
import type { Figures } from './metrics.ts';

/** Stages that depend on options of an arm beyond what is read: reading and encoding are done once for all arms. */
const OWN_STAGES = ['select', 'write', 'judge'] as const;

/** The figures of a digest, with those of its scores. */
export function figuresOfDigest(digest: Digest, scores: readonly EvaluationAnswer[]): Figures {
  const { metrics, timings, summary } = digest;
  const spent = ownUsage(digest);
  return {
    ...Object.assign({}, ...scores.map(figuresOfScore)),
    'digest.documentCoverage': metrics.documentCoverage,
    'digest.citedDocuments': metrics.citedDocuments,
    'digest.redundancy': metrics.redundancy,
    'digest.relevance': metrics.relevance,
    'digest.support': meanSupport(summary),
    'digest.compression': metrics.compression,
    'digest.words': metrics.words,
    'digest.wordsPerSentence': metrics.wordsPerSentence,
    'digest.tokens': spent.promptTokens + spent.completionTokens,
    'digest.cost': spent.cost,
    'digest.latency': timings.rank + timings.select + timings.write,
  };
}

/** What choosing and writing took of language models. */
function ownUsage({ usage: { stages } }: Digest): CallUsage {
  return OWN_STAGES.map((stage) => stages[stage] ?? NO_USAGE).reduce<CallUsage>(addUsage, NO_USAGE);
}

/** The figures of a score, by the key that they have beside those of other metrics. */
export function figuresOfScore(answer: EvaluationAnswer): Figures {
  const { prefix, figures } = metricOf(answer.metric);
  const values = figuresOf(answer);
  const scores = figures.filter(({ isDescriptive }) => isDescriptive !== true);
  return Object.fromEntries(scores.map(({ name }) => [`${prefix}.${name}`, values[name]]));
}
