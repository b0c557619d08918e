import type { SelectionsAnswer } from '../../client/index.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';

type Digest = StoredDigest['digest'];
type KeyPoint = Digest['keyPoints'][number];

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

/** The points as another selection has them. */
export function reselected(points: readonly ListedPoint[], { items }: Pick<SelectionsAnswer, 'items'>): ListedPoint[] {
  return points.map((point, i) => {
    const item = items[i];
    const nearest = item.nearest && { id: points[item.nearest.index].id, similarity: item.nearest.similarity };
    const supports = item.reason === 'supports' ? (nearest?.id ?? null) : null;
    return { ...point, ...item, id: point.id, nearest, supports };
  });
}

/** The selected points by rank. */
export function picksOf(points: readonly ListedPoint[]): ListedPoint[] {
  return points.filter(({ selected }) => selected).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** Ids of the selected points and of those dropped because the summary was full. If words end the selection itself, only the selected. */
export function ownPicks(points: readonly ListedPoint[], { stoppedBy }: Pick<Digest['selection'], 'stoppedBy'>) {
  const isPicked = ({ selected, reason }: ListedPoint) => selected || (stoppedBy !== 'words' && reason === 'words');
  return new Set(points.filter(isPicked).map(({ id }) => id));
}

export interface Differences {
  readonly added: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly sentence: string;
}

/** @param own ids that the digest's own options pick */
export function differences(own: ReadonlySet<string>, points: readonly ListedPoint[]): Differences {
  const picks = picksOf(points).map(({ id }) => id);
  const added = new Set(picks.filter((id) => !own.has(id)));
  const gone = new Set([...own].filter((id) => !picks.includes(id)));
  const isSame = added.size === 0 && gone.size === 0;
  const sentence = isSame
    ? 'The same key points as in the digest.'
    : `Against the digest: ${added.size} added, ${gone.size} gone, ${picks.length - added.size} as before.`;
  return { added, gone, sentence };
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
