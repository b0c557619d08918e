import { lazyGains, tieLevel } from './lazy-gains.ts';
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
  needs: { reference: true, coverage: true },
  async select({ newObjective, coverage, fits, limit }) {
    if (coverage === null) throw new TypeError('facility location needs coverage');
    const objective = newObjective();
    const cover = coverage.start();
    const items: number[] = [];
    // An item that depends on the picked ones adds no volume: never both of two duplicates.
    const gains = lazyGains(objective.n, (i) =>
      objective.gain(i) === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : cover.gain(i),
    );
    try {
      for (;;) {
        if (items.length === objective.n) return { items, stoppedBy: 'exhausted' };
        if (items.length >= limit) return { items, stoppedBy: 'size' };
        const leaders = gains.leaders().items;
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
