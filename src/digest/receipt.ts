import type { DigestKeyPoint } from '../contract/index.ts';
import type { StrategyName } from '../selection/index.ts';
import type { SelectedPoint } from '../summary/index.ts';
import type { Point, UnverifiedPoint } from './extract/points.ts';
import type { ReadDocument } from './extract/read-documents.ts';
import { itemReceipts } from './item-receipt.ts';
import type { Ranking } from './rank/ranking-task.ts';
import { replayed, rounded } from './rounding.ts';
import { qualityOf } from './select/select-points.ts';
import type { Selected } from './select/select-stage.ts';
import type { Written } from './write/write-summary.ts';

/** What becomes of a point that the selection does not see. */
const NOT_SEEN = { salience: null, rank: null, gain: null, nearest: null, marginal: null } as const;
const DROPPED = { ...NOT_SEEN, reason: 'gate' } as const;
const KNOWN = { ...NOT_SEEN, reason: 'known' } as const;

/**
 * Every key point with what became of it and why.
 *
 * @param isProbability whether relevance is the estimate of a calibrated encoder
 * @param stated the selected points, with those that say the same
 * @param held how the points stand that a language model worded
 * @param isWorded whether a language model worded the points
 */
export function receipt(
  points: readonly Point[],
  ranking: Ranking,
  kept: readonly number[],
  familiar: ReadonlySet<number>,
  { selection, eligible, replaced }: Pick<Selected, 'selection' | 'eligible' | 'replaced'>,
  strategy: StrategyName,
  stated: readonly SelectedPoint[],
  documents: readonly ReadDocument[],
  isProbability: boolean,
  held: Written['held'],
  isWorded: boolean,
): DigestKeyPoint[] {
  const itemOf = new Map(kept.map((index, item) => [index, item]));
  const receiptOf = itemReceipts(selection, strategy, eligible);
  // One that states several stands with the one it is most similar to.
  const supports = new Map(
    stated
      .flatMap(({ id, supports }) => supports.map(({ keyPoint, similarity }) => ({ keyPoint, id, similarity })))
      .sort((a, b) => a.similarity - b.similarity)
      .map(({ keyPoint, id }) => [keyPoint, id] as const),
  );
  const related = new Map(stated.map((point) => [point.id, point.related ?? []]));
  return points.map((point, index) => {
    const item = itemOf.get(index);
    const supported = supports.get(point.id) ?? null;
    const unseen = familiar.has(index) ? KNOWN : DROPPED;
    const found = item === undefined ? unseen : receiptOf(item, supported !== null);
    const lost = item === undefined ? undefined : replaced.get(item);
    const stands = lost ?? held[point.id];
    // Field by field: spreading those of many thousand points takes several times as long.
    return {
      id: point.id,
      document: point.document,
      text: stands?.text ?? point.text,
      speaker: point.speaker ?? null,
      quote: point.quote,
      moreQuotes: point.moreQuotes,
      verification: stands?.verification ?? (isWorded ? 'unverified' : 'verbatim'),
      relevance: replayed(ranking.values[index]),
      probability: isProbability ? rounded(ranking.values[index]) : null,
      quality: replayed(qualityOf(point, documents)),
      salience: found.salience,
      rank: found.rank,
      gain: rounded(found.gain),
      nearest: found.nearest && {
        id: points[kept[found.nearest.item]].id,
        similarity: rounded(found.nearest.similarity),
      },
      marginal: rounded(found.marginal),
      reason: lost === undefined ? found.reason : 'wording',
      selected: found.rank !== null,
      supports: found.rank === null ? supported : null,
      related: related.get(point.id) ?? [],
    };
  });
}

/** The receipt of points whose quotes their documents do not hold: they are listed, and nothing else. */
export function unverifiedReceipt({ id, document, text, quote }: UnverifiedPoint): DigestKeyPoint {
  return {
    ...NOT_SEEN,
    id,
    document,
    text,
    speaker: null,
    quote: { text: quote, start: null, end: null, status: 'unverified' },
    moreQuotes: [],
    verification: 'unverified',
    relevance: null,
    probability: null,
    quality: null,
    selected: false,
    supports: null,
    related: [],
    reason: 'unverified',
  };
}
