import type { StrategyName } from '../selection/options.ts';
import type { Selection } from '../selection/select.ts';
import type { Summary } from '../summary/summary.ts';
import type { DigestKeyPoint } from './digest.ts';
import { itemReceipts } from './item-receipt.ts';
import type { Point } from './points.ts';
import type { Ranking } from './ranking-task.ts';

/** What becomes of a point that the gate drops. */
const GATED = { salience: null, rank: null, gain: null, nearest: null, marginal: null, reason: 'gate' } as const;

/** Every key point with what became of it and why. */
export function receipt(
  points: readonly Point[],
  ranking: Ranking,
  kept: readonly number[],
  selection: Selection,
  strategy: StrategyName,
  summary: Summary,
): DigestKeyPoint[] {
  const itemOf = new Map(kept.map((index, item) => [index, item]));
  const receiptOf = itemReceipts(selection, strategy);
  // The writer has the last word on support: it takes out what contradicts a point.
  const supports = new Map(
    summary.sentences.flatMap(({ keyPoints: [first, ...joined] }) => joined.map((id) => [id, first] as const)),
  );
  return points.map((point, index) => {
    const item = itemOf.get(index);
    const supported = supports.get(point.id) ?? null;
    const found = item === undefined ? GATED : receiptOf(item, supported !== null);
    return {
      id: point.id,
      document: point.document,
      text: point.text,
      speaker: point.speaker ?? null,
      quote: { ...point.quote, status: 'exact' },
      relevance: ranking.values[index],
      ...found,
      selected: found.rank !== null,
      supports: found.rank === null ? supported : null,
      nearest: found.nearest && { id: points[kept[found.nearest.item]].id, similarity: found.nearest.similarity },
    };
  });
}
