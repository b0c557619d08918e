import { wordSet } from './word-overlap.ts';

/** Weight of a folded word. */
type WordWeight = (word: string) => number;

/** Inverse document frequencies log((n + 1) / (df + 1)) of the words of reference texts, in any language. */
export function inverseWordFrequency(reference: readonly string[]): WordWeight {
  const frequency = new Map<string, number>();
  for (const text of reference) {
    for (const word of wordSet(text)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return (word) => Math.log((reference.length + 1) / ((frequency.get(word) ?? 0) + 1));
}

/** How well the words of a text are found in others. */
interface WordSupport {
  /** Of all its words, in [0, 1]. */
  readonly recall: number;
  /** Of the run of RUN words (all, where there are fewer) that is found worst. */
  readonly weakest: number;
}

/** Words of a run: about a short clause. */
const RUN = 6;

/**
 * Weighted share of a hypothesis' distinct words that stand in its premises, without case and common endings. All words
 * weigh the same where the weights sum to 0.
 *
 * @returns zeros for a hypothesis without words
 */
export function wordSupport(hypothesis: string, premises: readonly string[], weight: WordWeight): WordSupport {
  const words = [...wordSet(hypothesis)];
  const known = new Set(premises.flatMap((premise) => [...wordSet(premise)]));
  let weights = words.map(weight);
  if (weights.every((value) => value === 0)) weights = words.map(() => 1);
  const share = (from: number, to: number): number | null => {
    let [sum, total] = [0, 0];
    for (let i = from; i < to; i++) {
      if (known.has(words[i])) sum += weights[i];
      total += weights[i];
    }
    return total > 0 ? sum / total : null;
  };
  const recall = share(0, words.length) ?? 0;
  let weakest = recall;
  for (let from = 0; from + RUN <= words.length; from++)
    weakest = Math.min(weakest, share(from, from + RUN) ?? weakest);
  return { recall, weakest };
}

/** The recall alone. */
export function wordRecall(hypothesis: string, premises: readonly string[], weight: WordWeight): number {
  return wordSupport(hypothesis, premises, weight).recall;
}
