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

export interface Standing {
  readonly relevance: number;
  readonly salience: number | null;
  readonly selected: boolean;
  readonly rank: number | null;
  readonly gain: number | null;
  /** Id of the selected point that it supports. */
  readonly supports: string | null;
  readonly nearest: { readonly id: string; readonly similarity: number } | null;
  readonly marginal: number | null;
  readonly reason: KeyPoint['reason'];
}

export interface Picture {
  readonly standings: readonly Standing[];
  readonly picks: readonly number[];
  readonly warnings: readonly string[];
}

/** The key points of a digest that have a relevance, in its order. */
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

function comparedPoints(digest: Digest): (KeyPoint & { readonly relevance: number })[] {
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

export interface Scene {
  /** Unselected points, least relevant first, so that relevant ones are drawn on top. */
  readonly order: readonly number[];
  /** Share of all points that are less relevant. */
  readonly shares: readonly number[];
  /** Strength of the colour: the share among the points past the gate. */
  readonly shades: readonly number[];
  /** Points that were below the gate, or known already. */
  readonly isGated: readonly boolean[];
  readonly picks: readonly number[];
  readonly labels: readonly string[];
  readonly gone: readonly number[];
  /** Pairs of a supporting and a supported point. */
  readonly joins: readonly (readonly [number, number])[];
  readonly nearest: readonly (number | null)[];
}

/** @param own ids of the points that the digest picked; null if its own selection is shown */
export function makeScene(
  points: readonly MapPoint[],
  { standings, picks }: Picture,
  own: ReadonlySet<string> | null,
): Scene {
  const indexOf = new Map(points.map(({ id }, i) => [id, i]));
  const all = [...points.keys()];
  const isGated = standings.map(({ reason }) => reason === 'gate' || reason === 'known');
  const relevances = standings.map(({ relevance }) => relevance);
  const shares = relevanceShares(relevances, relevances);
  const gone = own === null ? [] : all.filter((i) => own.has(points[i].id) && !standings[i].selected);
  return {
    order: all
      .filter((i) => !standings[i].selected && !gone.includes(i))
      .sort((a, b) => Number(isGated[b]) - Number(isGated[a]) || shares[a] - shares[b]),
    shares,
    shades: relevanceShares(
      relevances,
      relevances.filter((_, i) => !isGated[i]),
    ),
    isGated,
    picks,
    labels: picks.map((i, k) => `${own?.has(points[i].id) === false ? '+' : ''}${standings[i].rank ?? k + 1}`),
    gone,
    joins: standings.flatMap(({ supports }, from): [number, number][] => {
      const to = supports === null ? undefined : indexOf.get(supports);
      return to === undefined ? [] : [[from, to]];
    }),
    nearest: standings.map(({ nearest }) => indexOf.get(nearest?.id ?? '') ?? null),
  };
}

/** Share of `among` that is less relevant than each point, ties half; all 1 if none differ. */
export function relevanceShares(relevances: readonly number[], among: readonly number[]): number[] {
  const sorted = among.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  if (last < 1 || sorted[0] === sorted[last]) return relevances.map(() => 1);
  const first = new Map<number, number>();
  const end = new Map<number, number>();
  for (const [i, value] of sorted.entries()) {
    if (!first.has(value)) first.set(value, i);
    end.set(value, i);
  }
  return relevances.map((value) => ((first.get(value) ?? 0) + (end.get(value) ?? 0)) / 2 / last);
}
