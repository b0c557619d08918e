import { tieLevel } from './objective.ts';
import type { StrategyInput, StrategyResult } from './strategy.ts';

interface Steps {
  /** The next item; undefined if none adds anything. */
  next(): number | undefined;
  /** Called after each pick but the last. */
  take?: ((item: number) => Promise<void>) | undefined;
  /** Skips an item that is too long for the remaining room; without it, such an item ends the selection. */
  pass?: ((item: number) => void) | undefined;
  /** Called at the end, also after an error. */
  end?: (() => void) | undefined;
}

export async function pickOneByOne(
  { items: { length: n }, fits, limit }: Pick<StrategyInput, 'items' | 'fits' | 'limit'>,
  { next, take, pass, end }: Steps,
): Promise<StrategyResult> {
  const items: number[] = [];
  let passed = 0;
  try {
    for (;;) {
      if (items.length + passed === n) return { items, stoppedBy: passed > 0 ? 'words' : 'exhausted' };
      if (items.length >= limit) return { items, stoppedBy: 'size' };
      const item = next();
      if (item === undefined) return { items, stoppedBy: passed > 0 ? 'words' : 'rank' };
      if (fits(item, items)) {
        items.push(item);
        if (items.length < limit) await take?.(item);
      } else if (pass !== undefined) {
        pass(item);
        passed++;
      } else return { items, stoppedBy: 'words' };
    }
  } finally {
    end?.();
  }
}

/** The items that tie for the largest gain, ascending. Submodular gains only fall, so few are evaluated again (Minoux 1978). */
export function lazyLeaders(n: number, gain: (i: number) => number): () => readonly number[] {
  const bounds = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  return () => {
    let largest = Number.NEGATIVE_INFINITY;
    const first = bounds.indexOf(bounds.reduce((most, bound) => Math.max(most, bound), largest));
    const evaluate = (i: number): void => {
      bounds[i] = gain(i);
      largest = Math.max(largest, bounds[i]);
    };
    if (n > 0) evaluate(first);
    for (let i = 0; i < n; i++) {
      if (i !== first && bounds[i] > Number.NEGATIVE_INFINITY && bounds[i] >= tieLevel(largest)) evaluate(i);
    }
    if (largest === Number.NEGATIVE_INFINITY) return [];
    const level = tieLevel(largest);
    return [...bounds.keys()].filter((i) => bounds[i] >= level);
  };
}
