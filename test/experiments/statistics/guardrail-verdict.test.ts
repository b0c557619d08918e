import { expect, test } from 'vitest';
import { enoughSubjects } from '../../../src/experiments/statistics/enough-subjects.ts';
import { guardrailVerdict } from '../../../src/experiments/statistics/guardrail-verdict.ts';

test.each([
  // Latency may grow by 5%.
  [-0.02, 0.049, 'decrease', 'safe'],
  [0.01, 0.04, 'decrease', 'safe'],
  [-0.2, -0.1, 'decrease', 'safe'],
  [0.051, 0.09, 'decrease', 'breached'],
  [0.01, 0.09, 'decrease', 'unclear'],
  // Coverage may fall by 5%.
  [-0.04, 0.3, 'increase', 'safe'],
  [0.1, 0.3, 'increase', 'safe'],
  [-0.3, -0.06, 'increase', 'breached'],
  [-0.3, 0.01, 'increase', 'unclear'],
] as const)('a lift from %d to %d, where %s is better and 5%% is allowed, is %s', (low, high, direction, verdict) => {
  expect(guardrailVerdict({ low, high }, 0.05, direction)).toBe(verdict);
});

test('without an interval it is unclear', () => {
  expect(guardrailVerdict(null, 0.05, 'increase')).toBe('unclear');
});

test('100 subjects an arm are enough, with 5 expected of either kind where they convert', () => {
  const arm = (n: number, mean: number) => ({ n, mean, variance: 1 });
  expect(enoughSubjects(arm(100, 7), arm(100, 9), false)).toBe(true);
  expect(enoughSubjects(arm(100, 7), arm(99, 9), false)).toBe(false);
  expect(enoughSubjects(arm(100, 0.1), arm(100, 0), true)).toBe(true);
  expect(enoughSubjects(arm(100, 0.09), arm(100, 0), true)).toBe(false);
  expect(enoughSubjects(arm(100, 0.91), arm(100, 1), true)).toBe(false);
});
