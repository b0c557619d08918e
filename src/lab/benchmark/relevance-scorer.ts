import type { DigestDeps } from '../../digest/index.ts';
import type { RelevanceScorer } from '../../models/index.ts';
import { UsageError } from '../cli/usage-error.ts';

/** What finds how relevant questions are: null for the language model. */
interface ChosenScorer {
  /** `llm`, or the id of the encoder or reranker. */
  readonly id: string;
  readonly scorer: RelevanceScorer | null;
}

/**
 * The encoder or reranker of this name, the language model for `llm`, the default encoder where none is named.
 *
 * @throws UsageError where this service has neither
 */
export function relevanceScorer(name: string | undefined, { engine }: Pick<DigestDeps, 'engine'>): ChosenScorer {
  if (name === 'llm') return { id: 'llm', scorer: null };
  const wanted = name ?? engine.defaultEncoder;
  const scorer = engine.encoders.get(wanted) ?? engine.rerankers.get(wanted);
  if (scorer !== undefined) return { id: scorer.profile.id, scorer };
  const there = [...engine.encoders.keys(), ...engine.rerankers.keys(), 'llm'].map((each) => `"${each}"`).join(', ');
  throw new UsageError(`--scorer names no encoder or reranker of this service: "${wanted}"; there is ${there}.`);
}
