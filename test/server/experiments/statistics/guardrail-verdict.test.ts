import { expect, test } from 'vitest';
import { enoughSubjects } from '../../../../src/server/experiments/statistics/enough-subjects.ts';
import { guardrailVerdict } from '../../../../src/server/experiments/statistics/guardrail-verdict.ts';

const arm = (mean: number, variance = 0.0001) => ({ n: 1000, mean, variance });

test.each([
  // Latency may grow by 5%; standard errors of 0.01 each.
  [1, 1, 'decrease', 'safe'],
  [1, 1.02, 'decrease', 'safe'],
  [1, 0.5, 'decrease', 'safe'],
  [1, 1.1, 'decrease', 'breached'],
  [1, 1.04, 'decrease', 'unclear'],
  [1, 1.06, 'decrease', 'unclear'],
  // Coverage may fall by 5%.
  [1, 0.98, 'increase', 'safe'],
  [1, 2, 'increase', 'safe'],
  [1, 0.9, 'increase', 'breached'],
  [1, 0.94, 'increase', 'unclear'],
  // Of a control below 0 the margin is of its size.
  [-1, -0.98, 'decrease', 'safe'],
  [-1, -0.9, 'decrease', 'breached'],
] as const)('from %d to %d, where %s is better and 5%% is allowed: %s', (control, treatment, direction, verdict) => {
  expect(guardrailVerdict(arm(control), arm(treatment), { margin: 0.05, direction, critical: 1.96 })).toBe(verdict);
});

test('a control at or near 0 hides no breach', () => {
  const rare = { margin: 0.1, direction: 'decrease', critical: 3 } as const;
  expect(guardrailVerdict(arm(0, 0.5 / 1000 ** 2), arm(0.4, 0.24 / 1000), rare)).toBe('breached');
  expect(guardrailVerdict(arm(0.01, 0.0099 / 1000), arm(0.4, 0.24 / 1000), rare)).toBe('breached');
});

test('an arm is enough with 100 active subjects expected, and 50 of either kind where they convert', () => {
  const of = (n: number, active: number) => ({ n, active });
  expect(enoughSubjects(of(100, 100), of(100, 100), false)).toBe(true);
  expect(enoughSubjects(of(99, 99), of(2000, 2000), false)).toBe(false);
  expect(enoughSubjects(of(1000, 120), of(1000, 80), false)).toBe(true);
  expect(enoughSubjects(of(1000, 119), of(1000, 80), false)).toBe(false);
  expect(enoughSubjects(of(1000, 100), of(1000, 0), true)).toBe(true);
  expect(enoughSubjects(of(1000, 99), of(1000, 0), true)).toBe(false);
  expect(enoughSubjects(of(1000, 1000), of(1000, 901), true)).toBe(false);
});
