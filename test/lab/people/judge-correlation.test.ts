import { expect, test } from 'vitest';
import { type JudgedSet, judgeCorrelations, otherOutput } from '../../../src/lab/people/judge-correlation.ts';
import { kendall, pearson } from '../../../src/lab/people/statistics.ts';

const [RECALL, WORDS] = ['keyPoints.recall', 'digest.words'];

/** Outputs of systems to cases by their recall, and the means. */
function judged(scores: Readonly<Record<string, readonly number[]>>, words = 10): JudgedSet {
  return {
    set: 's',
    arms: Object.entries(scores).map(([name, own]) => ({
      name,
      figures: { [RECALL]: { value: own.reduce((sum, each) => sum + each, 0) / own.length } },
    })),
    outputs: Object.entries(scores).flatMap(([arm, own]) =>
      own.map((score, place) => ({ datum: `c${place}`, arm, figures: { [RECALL]: score, [WORDS]: words } })),
    ),
  };
}

test('systems by their means and outputs one by one, whatever their order', () => {
  const mine = { x: [10, 30], y: [20, 60], z: [90, 50] };
  const theirs = { z: [70, 40], y: [50, 10], x: [0, 20], other: [1, 2] };
  const [row, ...more] = judgeCorrelations([judged(mine)], [judged(theirs)]);
  expect(more).toEqual([]);
  const paired = [0, 20, 50, 10, 70, 40];
  expect(row).toEqual({
    set: 's',
    metric: RECALL,
    // 20, 40, 70 against 10, 30, 55.
    systems: { n: 3, kendall: 1, pearson: pearson([20, 40, 70], [10, 30, 55]) },
    outputs: {
      n: 6,
      kendall: kendall([10, 30, 20, 60, 90, 50], paired),
      pearson: pearson([10, 30, 20, 60, 90, 50], paired),
    },
  });
  expect(judgeCorrelations([judged(mine)], [{ ...judged(theirs), set: 't' }])).toEqual([]);
});

test('an output of other words is found', () => {
  const scores = { x: [10, 30] };
  expect(otherOutput([judged(scores)], [judged(scores)])).toEqual({ shared: 2, differing: null });
  const { shared, differing } = otherOutput([judged(scores)], [judged(scores, 11)]);
  expect([shared, differing?.arm, differing?.datum]).toEqual([2, 'x', 'c0']);
  expect(otherOutput([judged(scores)], [judged({ y: [1] })])).toEqual({ shared: 0, differing: null });
});
