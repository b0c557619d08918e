import type { SelectionsAnswer } from '../../client/index.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';

type Digest = StoredDigest['digest'];
type KeyPoint = Digest['keyPoints'][number];

/** A key point on the map, independent of the selection. Other types refer to points by index. */
export interface MapPoint {
  readonly id: string;
  readonly document: string;
  readonly title: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly quote: string;
}

export interface Standing
  extends Pick<KeyPoint, 'salience' | 'selected' | 'rank' | 'gain' | 'supports' | 'nearest' | 'marginal' | 'reason'> {
  readonly relevance: number;
}

/** Ids of selected points with their numbers. */
export type Ranks = ReadonlyMap<string, number>;

export interface Picture {
  readonly standings: readonly Standing[];
  /** Selected points by rank. */
  readonly picks: readonly number[];
  readonly warnings: readonly string[];
}

/** The key points of a digest that have a relevance, in its order. */
export function mapPoints({ digest, request }: StoredDigest): MapPoint[] {
  const titles = new Map(request.documents.map(({ id, title }) => [id, title]));
  return comparedPoints(digest).map(({ id, document, text, speaker, quote }) => {
    return { id, document, title: titles.get(document) || document, text, speaker, quote: quote.text };
  });
}

function comparedPoints(digest: Digest): (KeyPoint & Standing)[] {
  return digest.keyPoints.flatMap((point) =>
    point.relevance === null ? [] : [{ ...point, relevance: point.relevance }],
  );
}

export function ownPicture(digest: Digest): Picture {
  const standings = comparedPoints(digest);
  return { standings, picks: picksOf(standings), warnings: [] };
}

export function pictureOf({ items, warnings }: Pick<SelectionsAnswer, 'items' | 'warnings'>): Picture {
  const standings = items.map(({ nearest, ...item }): Standing => {
    // Points of a digest have ids.
    const near = nearest === null ? null : { id: nearest.id ?? '', similarity: nearest.similarity };
    return { ...item, nearest: near, supports: item.reason === 'supports' ? (near?.id ?? null) : null };
  });
  return { standings, picks: picksOf(standings), warnings };
}

function picksOf(standings: readonly Standing[]): number[] {
  const rankOf = (i: number) => standings[i].rank ?? Number.POSITIVE_INFINITY;
  return [...standings.keys()].filter((i) => standings[i].selected).sort((a, b) => rankOf(a) - rankOf(b));
}

export function ranksOf(points: readonly MapPoint[], { standings, picks }: Picture): Ranks {
  return new Map(picks.map((i, place) => [points[i].id, standings[i].rank ?? place + 1]));
}

/** Ids of the selected points and of those dropped because the summary was full. If words end the selection itself, only the selected. */
export function ownPicks(digest: Digest): Set<string> {
  const isDropped = digest.selection.stoppedBy !== 'words';
  const picked = comparedPoints(digest).filter(({ selected, reason }) => selected || (isDropped && reason === 'words'));
  return new Set(picked.map(({ id }) => id));
}

export interface Differences {
  readonly added: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  readonly sentence: string;
}

/** @param own ids that the digest's own options pick */
export function differences(own: ReadonlySet<string>, picks: readonly string[]): Differences {
  const added = new Set(picks.filter((id) => !own.has(id)));
  const gone = new Set([...own].filter((id) => !picks.includes(id)));
  const isSame = added.size === 0 && gone.size === 0;
  const sentence = isSame
    ? 'The same key points as in the digest.'
    : `Against the digest: ${added.size} added, ${gone.size} gone, ${picks.length - added.size} as before.`;
  return { added, gone, sentence };
}

/** Whether a point was below the gate, or known already. */
export function isGated({ reason }: Standing): boolean {
  return reason === 'gate' || reason === 'known';
}

/** Unselected points by the quarter of their relevance among those past the gate, least first. */
export function quarters(standings: readonly Standing[]): number[][] {
  const free = [...standings.keys()].filter((i) => !standings[i].selected && !isGated(standings[i]));
  const relevances = free.map((i) => standings[i].relevance).sort((a, b) => a - b);
  const last = relevances.length - 1;
  const quarterOf = (relevance: number): number => {
    if (last < 1 || relevances[0] === relevances[last]) return 3;
    return Math.min(3, Math.floor((4 * relevances.indexOf(relevance)) / last));
  };
  const found: number[][] = [[], [], [], []];
  for (const i of free) found[quarterOf(standings[i].relevance)].push(i);
  return found;
}
