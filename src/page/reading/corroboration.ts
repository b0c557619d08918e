import { type Citation, type Digest, keyOfCitation, type Sentence } from '../../client/index.ts';

/** A quote to be shown beside those of other documents. */
export interface Stated extends Citation {
  /** Whether the sentence of the digest is this quote. */
  readonly isPicked: boolean;
}

/** One quote of each document that a sentence cites, the picked one first. */
export function corroboration({ citations, keyPoints }: Sentence, digest: Pick<Digest, 'keyPoints'>): Stated[] {
  const picked = new Set(
    digest.keyPoints.flatMap(({ id, selected, document, quote }) =>
      selected && keyPoints.includes(id) && quote.start !== null ? [keyOfCitation({ document, quote })] : [],
    ),
  );
  const stated = new Map<string, Stated>();
  for (const citation of citations) {
    const isPicked = picked.has(keyOfCitation(citation));
    const known = stated.get(citation.document);
    if (known === undefined || (isPicked && !known.isPicked)) stated.set(citation.document, { ...citation, isPicked });
  }
  return [...stated.values()].sort((a, b) => Number(b.isPicked) - Number(a.isPicked));
}
