import { tieLevel } from './objective.ts';
import { lazyLeaders, pickOneByOne } from './one-by-one.ts';
import { ONE_BY_ONE, type Strategy } from './strategy.ts';

export const facilityLocation: Strategy = {
  ...ONE_BY_ONE,
  objective: 'The set that says most of what other documents say, cov(S), greedily; ties by log det(L_S).',
  source: 'Lin & Bilmes, ACL 2011; greedy: Nemhauser, Wolsey & Fisher 1978',
  needs: { coverage: true },
  async select(input) {
    if (input.coverage === null) throw new TypeError('facility location needs coverage');
    const objective = input.newObjective();
    const cover = input.coverage.start();
    // An item that depends on the picks adds no volume, so that duplicates are never both picked.
    const leadersOf = lazyLeaders(objective.n, (i) =>
      objective.gain(i) === Number.NEGATIVE_INFINITY ? Number.NEGATIVE_INFINITY : cover.gain(i),
    );
    return pickOneByOne(input, {
      next() {
        const leaders = leadersOf();
        const level = tieLevel(Math.max(...leaders.map(objective.gain)));
        return leaders.find((i) => objective.gain(i) >= level);
      },
      async take(item) {
        await objective.pick(item);
        cover.add(item);
      },
      end: objective.release,
    });
  },
};
