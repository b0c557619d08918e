import type { Selection } from '../selection/select.ts';
import type { Summary } from '../summary/summary.ts';
import type { DigestKeyPoint, Reason } from './digest.ts';
import type { Point } from './points.ts';
import type { Ranking } from './ranking-task.ts';

/** Every key point with what became of it and why. */
export function receipt(
  points: readonly Point[],
  ranking: Ranking,
  kept: readonly number[],
  selection: Selection,
  summary: Summary,
): DigestKeyPoint[] {
  const itemOf = new Map(kept.map((index, item) => [index, item]));
  const rankOf = new Map(selection.picks.map(({ item }, rank) => [item, rank + 1]));
  const dropped = new Set(selection.dropped);
  // The writer has the last word on support: it takes out what contradicts a point.
  const supports = new Map(
    summary.sentences.flatMap(({ keyPoints: [first, ...joined] }) => joined.map((id) => [id, first] as const)),
  );

  return points.map((point, index) => {
    const item = itemOf.get(index);
    const rank = item === undefined ? null : (rankOf.get(item) ?? null);
    const supported = rank === null ? (supports.get(point.id) ?? null) : null;
    return {
      id: point.id,
      document: point.document,
      text: point.text,
      speaker: point.speaker ?? null,
      quote: { ...point.quote, status: 'exact' },
      relevance: ranking.values[index],
      salience: item === undefined ? null : selection.salience[item],
      selected: rank !== null,
      rank,
      gain: item === undefined ? null : finiteOrNull(selection.gains[item]),
      supports: supported,
      nearest: item === undefined ? null : nearestOf(item),
      reason: rank === null ? reasonOf(item, supported) : null,
    };
  });

  function nearestOf(item: number): DigestKeyPoint['nearest'] {
    const position = selection.nearest.position[item];
    if (position < 0) return null;
    const { id } = points[kept[selection.picks[position].item]];
    return { id, similarity: selection.nearest.similarity[item] };
  }

  function reasonOf(item: number | undefined, supported: string | null): Reason {
    if (item === undefined) return 'gate';
    if (supported !== null) return 'supports';
    if (dropped.has(item) || selection.stoppedBy === 'words') return 'words';
    return selection.gains[item] === Number.NEGATIVE_INFINITY ? 'rank' : 'size';
  }
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
