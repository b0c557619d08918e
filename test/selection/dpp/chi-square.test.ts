import { describe, expect, test } from 'vitest';
import { seeded } from '../kernel/random.ts';
import { goodnessOfFit } from './chi-square.ts';

describe('goodnessOfFit', () => {
  const law = [0.5, 0.25, 0.2, 0.05 - 1e-6, 1e-6, 0];
  const drawn = (weights: readonly number[], draws: number) => {
    const counts = weights.map(() => 0);
    const random = seeded(1);
    for (let draw = 0; draw < draws; draw++) {
      let u = random.next();
      let cell = 0;
      while (u >= weights[cell]) u -= weights[cell++];
      counts[cell]++;
    }
    return counts;
  };

  test('accepts the law, refuses one that is a percent off', () => {
    const fit = goodnessOfFit(drawn(law, 200_000), law);
    expect(fit.p).toBeGreaterThan(0.001);
    expect(fit.impossible).toBe(0);
    expect(goodnessOfFit(drawn([0.49, 0.26, 0.2, 0.05, 0, 0], 200_000), law).p).toBeLessThan(1e-6);
  });
});
