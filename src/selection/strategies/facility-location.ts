import { tieLevel } from './objective.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

export const facilityLocation: Strategy = {
  title: 'What most documents say',
  line: 'Key points that represent as much as possible of what the documents say.',
  group: 'different',
  chooses: 'greedily what says most of what other documents say',
  objective: 'The set that says most of what other documents say, cov(S), greedily; ties by log det(L_S).',
  cost: 'O(n k m)',
  source: 'Lin & Bilmes, ACL 2011; greedy: Nemhauser, Wolsey & Fisher 1978',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: { coverage: true },
  async select({ newObjective, items: { length: n }, coverage, fits, limit }) {
    if (coverage === null) throw new TypeError('facility location needs coverage');
    const objective = newObjective();
    const cover = coverage.start();
    const items: number[] = [];
    // An item that depends on the picks adds no volume, so that duplicates are never both picked.
    const leadersOf = lazyLeaders(objective.n, (i) =>
      objective.gain(i) === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : cover.gain(i),
    );
    try {
      for (;;) {
        if (items.length === n) return { items, stoppedBy: 'exhausted' };
        if (items.length >= limit) return { items, stoppedBy: 'size' };
        const leaders = leadersOf();
        if (leaders.length === 0) return { items, stoppedBy: 'rank' };
        const largest = leaders.reduce((most, i) => Math.max(most, objective.gain(i)), Number.NEGATIVE_INFINITY);
        const item = leaders.find((i) => objective.gain(i) >= tieLevel(largest)) ?? leaders[0];
        if (!fits(item, items)) return { items, stoppedBy: 'words' };
        await objective.pick(item);
        cover.add(item);
        items.push(item);
      }
    } finally {
      objective.release();
    }
  },
};

/** The items that tie for the largest gain, ascending. Submodular gains only fall, so few are evaluated again (Minoux 1978). */
export function lazyLeaders(n: number, gain: (i: number) => number): () => readonly number[] {
  const bounds = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  return () => {
    let first = 0;
    for (let i = 1; i < n; i++) if (bounds[i] > bounds[first]) first = i;
    let largest = n === 0 ? Number.NEGATIVE_INFINITY : gain(first);
    if (n > 0) bounds[first] = largest;
    let level = tieLevel(largest);
    for (let i = 0; i < n; i++) {
      if (i === first || bounds[i] < level || bounds[i] === Number.NEGATIVE_INFINITY) continue;
      bounds[i] = gain(i);
      if (bounds[i] <= largest) continue;
      largest = bounds[i];
      level = tieLevel(largest);
    }
    const items: number[] = [];
    if (largest > Number.NEGATIVE_INFINITY) for (let i = 0; i < n; i++) if (bounds[i] >= level) items.push(i);
    return items;
  };
}
