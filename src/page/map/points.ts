import type { SelectionsAnswer } from '../../client/index.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';

type Digest = StoredDigest['digest'];
type KeyPoint = Digest['keyPoints'][number];

/** A key point of the map with its standing in a selection. */
export interface MapPoint extends KeyPoint {
  /** Of its document. */
  readonly title: string;
  readonly relevance: number;
}

/** The key points of a digest that have a relevance, in its order. */
export function mapPoints({ digest, request }: StoredDigest): MapPoint[] {
  const titles = new Map(request.documents.map(({ id, title }) => [id, title]));
  return digest.keyPoints.flatMap((point) => {
    const { document, relevance } = point;
    return relevance === null ? [] : [{ ...point, relevance, title: titles.get(document) || document }];
  });
}

/** The points as another selection has them. */
export function reselected(points: readonly MapPoint[], { items }: Pick<SelectionsAnswer, 'items'>): MapPoint[] {
  return points.map((point, i) => {
    const item = items[i];
    const nearest = item.nearest && { id: points[item.nearest.index].id, similarity: item.nearest.similarity };
    const supports = item.reason === 'supports' ? (nearest?.id ?? null) : null;
    return { ...point, ...item, id: point.id, nearest, supports };
  });
}

/** The selected points by rank. */
export function picksOf(points: readonly MapPoint[]): MapPoint[] {
  return points.filter(({ selected }) => selected).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** Ids of the selected points and of those dropped because the summary was full. If words end the selection itself, only the selected. */
export function ownPicks(points: readonly MapPoint[], { stoppedBy }: Pick<Digest['selection'], 'stoppedBy'>) {
  const isPicked = ({ selected, reason }: MapPoint) => selected || (stoppedBy !== 'words' && reason === 'words');
  return new Set(points.filter(isPicked).map(({ id }) => id));
}

export interface Differences {
  readonly added: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly sentence: string;
}

/** @param own ids that the digest's own options pick */
export function differences(own: ReadonlySet<string>, points: readonly MapPoint[]): Differences {
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
export function isGated({ reason }: MapPoint): boolean {
  return reason === 'gate' || reason === 'known';
}

/** Unselected points past the gate in four parts of the same size by relevance, least first. */
export function quarters(points: readonly MapPoint[]): MapPoint[][] {
  const free = points.filter((point) => !point.selected && !isGated(point)).sort((a, b) => a.relevance - b.relevance);
  const at = (part: number) => Math.floor((part * free.length) / 4);
  return [0, 1, 2, 3].map((part) => free.slice(at(part), at(part + 1)));
}

const REASONS: Readonly<Record<NonNullable<MapPoint['reason']>, string>> = {
  supports: 'cited with another that says the same',
  gate: 'not relevant enough to the question',
  level: 'hardly helps to answer the question',
  known: 'the reader already knows it',
  rank: 'adds nothing new',
  words: 'no room left in the answer',
  size: 'enough key points came first',
  notDrawn: 'not drawn',
  unverified: 'its quote is not in the document',
};

/** @param points all points of the map */
export function statusOf({ selected, rank, reason, supports }: MapPoint, points: readonly MapPoint[]): string {
  if (selected) return `selected as no. ${rank}`;
  if (reason === null) return 'not selected';
  const other = supports === null ? undefined : points.find(({ id }) => id === supports);
  return other?.selected ? `cited with no. ${other.rank}, which says the same` : REASONS[reason];
}
