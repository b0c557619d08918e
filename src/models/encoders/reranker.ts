import type { CallUsage } from '../language/usage.ts';
import type { Encoder } from './encoder.ts';

/** Finds how relevant texts are to a question by reading both together; it makes no vectors. */
export interface Reranker {
  /** The same, telling what its calls take. */
  metered?(spend: (usage: CallUsage) => void): Reranker;
  readonly profile: {
    /** Names the model and where it is. */
    readonly id: string;
    /** ISO 639-3 codes of the languages it was trained for; null for any. */
    readonly languages: readonly string[] | null;
    /** The best score from which something speaks to the question. */
    readonly matched: number;
  };
  /**
   * Scores texts, the more relevant the higher. A text's score does not depend on the others in the call.
   *
   * @returns one score per text, in their order
   */
  score(query: string, texts: readonly string[]): Promise<Float64Array>;
}

/** Whatever relevance may be found by. */
export type RelevanceScorer = Encoder | Reranker;

export function isReranker(scorer: RelevanceScorer): scorer is Reranker {
  return 'score' in scorer;
}
