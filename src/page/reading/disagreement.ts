import { type Citation, type Digest, keyOfCitation, type Sentence } from '../../client/index.ts';

/** "Sources disagree on the year: …"; speakers if both sides are in one document. */
export function disagreesOn(sentence: Sentence, digest: Pick<Digest, 'keyPoints'>): string | null {
  if (sentence.disagreement === null) return null;
  const { on } = sentence.disagreement;
  const documents = [...sentence.citations, ...otherSide(sentence, digest)].map(({ document }) => document);
  const parties = new Set(documents).size === 1 ? 'Speakers' : 'Sources';
  return on.startsWith('“') ? `${parties} disagree: ${on}` : `${parties} disagree on ${on}`;
}

/** A quote to set beside those of other documents. */
export interface Stated extends Citation {
  /** Whether the sentence of the digest has this wording. */
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

/** The quotes that a sentence disagrees with, without those that are in no document. */
export function otherSide({ disagreement }: Sentence, { keyPoints }: Pick<Digest, 'keyPoints'>): Stated[] {
  const points = new Map(keyPoints.map((point) => [point.id, point]));
  const stated = new Map<string, Stated>();
  for (const id of disagreement?.with ?? []) {
    const point = points.get(id);
    if (point === undefined || point.quote.start === null) continue;
    const { document, quote } = point;
    stated.set(keyOfCitation({ document, quote }), { document, quote, isPicked: point.selected });
  }
  return [...stated.values()];
}
