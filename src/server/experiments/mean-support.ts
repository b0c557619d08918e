import type { Digest } from '../../contract/index.ts';
import { mean } from '../../evaluation/index.ts';

/**
 * Share of the sentences that cite which were held against their quotes: their own wording, or judged; null where none cites. In
 * digests made before sentences said so, the mean support of their words.
 */
export function meanSupport({ sentences }: Pick<Digest['summary'], 'sentences'>): number | null {
  return mean(
    sentences.flatMap(({ framing, support, verification }) => {
      if (framing) return [];
      if (verification == null) return support === null ? [] : [support];
      return [verification === 'unverified' ? 0 : 1];
    }),
  );
}
