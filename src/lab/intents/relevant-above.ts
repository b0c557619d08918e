/** Padmakumar et al. 2025, appendix B.2: cosines of e5-mistral-7b-instruct. */
const PAPER = 0.6;

/**
 * Cosine above which a question is relevant to an intent, for the encoder that ships with the service, whose cosines lie lower: the
 * one with the best balanced accuracy for telling a haystack's insights on an intent from those on its other subjects (207 and
 * 1,035 pairs, ArgKP; test/bench/relevance-threshold.ts). For all-MiniLM-L6-v2 0.954 above 0.37 (95.2% of the relevant and 4.4% of
 * the others pass; 0.947 with the threshold of three haystacks for the fourth); above 0.6 pass 56.5% and 0.0%.
 *
 * Questions about one and the same subject lie nearer to each other. Of those that people asked of one meeting (QMSum), 24 pairs
 * are answered by the same turns and 1,336 by others: above this threshold 100% of the first and 37.4% of the others pass (best
 * above 0.50: 0.921, 100% and 15.7%).
 */
const MEASURED: Readonly<Record<string, number>> = {
  'transformers/all-MiniLM-L6-v2/q8/2': 0.37,
};

export function isMeasured(scorer: string): boolean {
  return scorer in MEASURED;
}

/** The score above which a question is relevant to an intent, where nobody says otherwise. */
export function relevantAbove(scorer: string): number {
  return MEASURED[scorer] ?? PAPER;
}
