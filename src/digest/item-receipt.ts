import type { Reason } from '../contract/index.ts';
import { type Selection, type StrategyName, strategies } from '../selection/index.ts';

/** What became of one item that the selection saw, and why. */
interface ItemReceipt {
  readonly salience: number | null;
  readonly rank: number | null;
  /** What it added when picked, or would have added after the last pick; null where it could add nothing or a set was chosen. */
  readonly gain: number | null;
  /** The selected item it is nearest to. */
  readonly nearest: { readonly item: number; readonly similarity: number } | null;
  /** P(selected) by an exact draw of random size; null where the kernel as a whole was not looked at. */
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

/**
 * The receipt of a selection, item by item.
 *
 * @param eligible 1 for items that might be picked; null where all might
 * @returns a function of the item and whether it was found to say what a selected one says
 */
export function itemReceipts(
  selection: Selection,
  strategy: StrategyName,
  eligible: Uint8Array | null,
): (item: number, isSupport: boolean) => ItemReceipt {
  const { picks, gains, nearest, salience, marginals, stoppedBy } = selection;
  const { isSequential, isSampled } = strategies[strategy];
  const rankOf = new Map(picks.map(({ item }, place) => [item, place + 1]));
  const dropped = new Map(selection.dropped.map(({ item, reason }) => [item, reason]));

  function reasonOf(item: number, isSupport: boolean): Reason {
    if (isSupport) return 'supports';
    const droppedFor = dropped.get(item);
    if (droppedFor !== undefined) return droppedFor;
    if (eligible !== null && eligible[item] === 0) return 'level';
    if (isSampled && !isSequential) return 'notDrawn';
    if (stoppedBy === 'words') return 'words';
    return gains[item] === Number.NEGATIVE_INFINITY ? 'rank' : 'size';
  }

  return (item, isSupport) => {
    const rank = rankOf.get(item) ?? null;
    const position = nearest.position[item];
    return {
      salience: salience?.[item] ?? null,
      rank,
      gain: rank !== null && !isSequential ? null : finiteOrNull(gains[item]),
      nearest: position < 0 ? null : { item: picks[position].item, similarity: nearest.similarity[item] },
      marginal: marginals?.[item] ?? null,
      reason: rank === null ? reasonOf(item, isSupport) : null,
    };
  };
}

/** JSON has no infinities. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
