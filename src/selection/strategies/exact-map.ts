import { type Objective, picked, worthOf } from './objective.ts';

interface ExactMapInput {
  readonly items: readonly number[];
  readonly newObjective: () => Objective;
  readonly incumbent: readonly number[];
  readonly maxNodes: number;
  readonly isOver: () => boolean;
}

/** Values closer than this, relative to 1 or the value, count as equal. */
const EQUAL = 1e-9;

interface Node {
  readonly chosen: readonly number[];
  readonly value: number;
  /** What may still be added, the largest gain first. */
  readonly ranked: readonly { readonly item: number; readonly gain: number }[];
  readonly bound: number;
}

/**
 * The k items with the largest objective, by branch and bound (Ko, Lee & Queyranne 1995 for log det).
 *
 * Its terms are submodular, so a superset of A is worth at most f(A) plus the k - |A| largest gains given A; of log det alone
 * this is Hadamard's inequality on the Schur complement of A. The most promising sets are expanded first.
 *
 * @returns the items, and an upper bound on how much better another set can be (`gap`, 0 if proven)
 */
export async function exactMap(input: ExactMapInput) {
  const { newObjective, incumbent, maxNodes, isOver } = input;
  const k = incumbent.length;
  let best = incumbent;
  let bestValue = await worthOf(incumbent, newObjective);
  const open: Node[] = [];
  push({ ...(await gainsGiven([], input.items)), bound: Number.POSITIVE_INFINITY });
  let gap = 0;
  for (let nodes = 0; ; nodes++) {
    const node = open.pop();
    if (node === undefined || !isBetter(node.bound)) break; // and so are the others
    if (nodes >= maxNodes || (nodes % 64 === 63 && isOver())) {
      gap = node.bound - bestValue;
      break;
    }
    const [first, ...others] = node.ranked;
    push({ ...node, ranked: others });
    const within = await gainsGiven(
      [...node.chosen, first.item],
      others.map(({ item }) => item),
    );
    push({ ...within, ranked: promising(within), bound: node.bound });
  }
  return { items: [...best].sort((a, b) => a - b), proven: gap === 0, gap };

  function promising({ chosen, value, ranked }: Omit<Node, 'bound'>): Node['ranked'] {
    const most = ranked.slice(0, k - chosen.length - 1).reduce((sum, { gain }) => sum + gain, value);
    const first = ranked.findIndex(({ gain }) => !isBetter(most + gain));
    return first < 0 ? ranked : ranked.slice(0, first);
  }

  function push(node: Node): void {
    const missing = k - node.chosen.length;
    if (missing === 0 || missing > node.ranked.length) return;
    const sum = node.ranked.slice(0, missing).reduce((total, { gain }) => total + gain, node.value);
    if (!isBetter(sum)) return;
    if (missing === 1) {
      best = [...node.chosen, node.ranked[0].item];
      bestValue = sum;
      return;
    }
    const bound = Math.min(sum, node.bound);
    let [low, high] = [0, open.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (open[middle].bound < bound) low = middle + 1;
      else high = middle;
    }
    open.splice(low, 0, { ...node, bound });
  }

  async function gainsGiven(chosen: readonly number[], items: readonly number[]): Promise<Omit<Node, 'bound'>> {
    const objective = await picked(chosen, newObjective);
    const ranked = items
      .map((item) => ({ item, gain: objective.gain(item) }))
      .filter(({ gain }) => gain > Number.NEGATIVE_INFINITY)
      .sort((a, b) => b.gain - a.gain || a.item - b.item);
    objective.release();
    return { chosen, value: objective.value, ranked };
  }

  function isBetter(value: number): boolean {
    if (bestValue === Number.NEGATIVE_INFINITY) return value > bestValue;
    return value > bestValue + EQUAL * Math.max(1, Math.abs(bestValue));
  }
}
