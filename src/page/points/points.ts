import type { StoredDigest } from '../reading/stored-digest.ts';

type KeyPoint = StoredDigest['digest']['keyPoints'][number];

/** A key point with its standing in a selection. */
export interface ListedPoint extends KeyPoint {
  /** Of its document. */
  readonly title: string;
  readonly relevance: number;
  /** Whether the answer quotes it, as a model may that reads the documents whole, selected or not. */
  readonly isCited: boolean;
}

/** The key points of a digest that have a relevance, in its order. */
export function listedPoints({ digest, request }: StoredDigest): ListedPoint[] {
  const cited = new Set(digest.summary.sentences.flatMap(({ keyPoints }) => keyPoints));
  const titles = new Map(request.documents.map(({ id, title }) => [id, title]));
  return digest.keyPoints.flatMap((point) => {
    const { id, document, relevance } = point;
    const title = titles.get(document) || document;
    return relevance === null ? [] : [{ ...point, relevance, title, isCited: cited.has(id) }];
  });
}

/** Whether a point was below the gate, or known already. */
export function isGated({ reason }: ListedPoint): boolean {
  return reason === 'gate' || reason === 'known';
}

const REASONS: Readonly<Record<NonNullable<ListedPoint['reason']>, string>> = {
  supports: 'cited with another that says the same',
  gate: 'not relevant enough to the question',
  level: 'hardly helps to answer the question',
  known: 'the reader already knows it',
  rank: 'adds nothing new',
  words: 'no room left in the answer',
  size: 'enough key points came first',
  notDrawn: 'not in the random sample',
  unverified: 'its quote is not in the document',
};

/** @param points all points of the digest */
export function statusOf(
  { selected, rank, reason, supports, isCited }: ListedPoint,
  points: readonly ListedPoint[],
): string {
  if (selected) return `selected as no. ${rank}`;
  if (isCited && supports === null) return 'not selected, but cited in the answer';
  if (reason === null) return 'not selected';
  const other = supports === null ? undefined : points.find(({ id }) => id === supports);
  return other?.selected ? `cited with no. ${other.rank}, which says the same` : REASONS[reason];
}
