import type { StoredDigest } from '../reading/stored-digest.ts';

type KeyPoint = StoredDigest['digest']['keyPoints'][number];

/** A key point that has a place on the map, whatever is selected. */
export interface MapPoint {
  /** Of the key point. */
  readonly id: string;
  /** Id of its document. */
  readonly document: string;
  /** Title of its document; the id where it has none. */
  readonly title: string;
  readonly text: string;
  readonly speaker: string | null;
  /** What the document says, word for word. */
  readonly quote: string;
}

/** What became of a key point under some selection, and why. */
export interface Standing {
  readonly relevance: number;
  readonly salience: number | null;
  readonly selected: boolean;
  readonly rank: number | null;
  readonly gain: number | null;
  /** Id of the selected point that says the same. */
  readonly supports: string | null;
  /** The selected point it is most like. */
  readonly nearest: { readonly id: string; readonly similarity: number } | null;
  readonly marginal: number | null;
  readonly reason: KeyPoint['reason'];
}

/** The key points of a digest that were compared at all, in its order: those that selections are made among. */
export function mapPoints({ digest, request }: StoredDigest): MapPoint[] {
  const titles = new Map(request.documents.map(({ id, title }) => [id, title]));
  return comparedPoints(digest).map(({ id, document, text, speaker, quote }) => ({
    id,
    document,
    title: titles.get(document) || document,
    text,
    speaker,
    quote: quote.text,
  }));
}

/** Key points with a relevance. */
export function comparedPoints(digest: StoredDigest['digest']): (KeyPoint & { readonly relevance: number })[] {
  return digest.keyPoints.flatMap((point) =>
    point.relevance === null ? [] : [{ ...point, relevance: point.relevance }],
  );
}
