import type { Digest } from '../digest/digest.ts';
import { mean } from '../evaluation/mean.ts';

/** Mean support of the sentences that cite; null where none does. */
export function meanSupport({ sentences }: Pick<Digest['summary'], 'sentences'>): number | null {
  return mean(sentences.flatMap(({ framing, support }) => (framing || support === null ? [] : [support])));
}
