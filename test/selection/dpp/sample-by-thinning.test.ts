import { describe, expect, test } from 'vitest';
import { choleskyOf, copyLower } from '../../../src/selection/dpp/cholesky.ts';
import { sampleByChainRule } from '../../../src/selection/dpp/sample-by-chain-rule.ts';
import { thinnedDraw } from '../../../src/selection/dpp/sample-by-thinning.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { bySize, goodnessOfFit } from './chi-square.ts';
import { expectLaw, KERNELS } from './draws.ts';
import { gaussian, lawOf, maskOf } from './kernels.ts';

/** C with L + I = C C^T. */
function factorOf(l: readonly (readonly number[])[], alpha = 1): Float64Array {
  const n = l.length;
  const factor = choleskyOf(n, (i, row) => {
    for (let j = 0; j <= i; j++) row[j] = alpha * l[i][j];
    row[i] += 1;
  });
  if (factor === null) throw new Error('not positive');
  const out = new Float64Array(n * n);
  copyLower(factor, out, n);
  return out;
}

describe('draws of the DPP that have k items follow its law, whatever k: as often as the DPP has that size, no other set', () => {
  for (const [name, { l }] of Object.entries(KERNELS)) {
    test(name, () => {
      const n = l.length;
      const law = lawOf(l);
      const draws = 8000;
      for (let k = 1; k <= 3; k++) {
        const draw = thinnedDraw(factorOf(l), n, k);
        const random = seededRandom(k);
        const counts = new Float64Array(1 << n);
        for (let turn = 0; turn < draws; turn++) {
          const drawn = draw(random);
          if ('items' in drawn) expect(drawn.items).not.toBe(k);
          else counts[maskOf([...drawn])]++;
        }
        const reached = counts.reduce((sum, count) => sum + count, 0);
        const share = bySize(law, n)[k];
        expect(goodnessOfFit([reached, draws - reached], [share, 1 - share]).p).toBeGreaterThan(0.001);
        expectLaw(counts, lawOf(l, k), n);
      }
    });
  }
});

test('150 items: sets of 6 come as often as by the chain rule, and each item in them', () => {
  const n = 150;
  const factor = factorOf(gaussian(seeded(9), n, 3, 1), 0.06);
  const size = 6;
  const draws = 8000;
  const law = new Float64Array(n);
  const found = new Float64Array(n);
  const [one, other] = [seededRandom(1), seededRandom(2)];
  const draw = thinnedDraw(factor, n, size);
  const sizes = [0, 0];
  for (let turn = 0; turn < draws; turn++) {
    const items = sampleByChainRule(factor, n, one);
    if (items.length === size) for (const i of items) law[i]++;
    if (items.length === size) sizes[0]++;
    const drawn = draw(other);
    if ('items' in drawn) continue;
    sizes[1]++;
    for (const i of drawn) found[i]++;
  }
  // Two samples of the same law: the variance of a difference is the sum of both.
  const error = Math.sqrt(sizes[0] + sizes[1]);
  expect(sizes[0]).toBeGreaterThan(draws / 20);
  expect(Math.abs(sizes[0] - sizes[1])).toBeLessThan(4 * error);
  for (let i = 0; i < n; i++) {
    const [p, q] = [law[i] / sizes[0], found[i] / sizes[1]];
    const mean = (p + q) / 2;
    expect(Math.abs(p - q), `item ${i}`).toBeLessThan(
      4.5 * Math.sqrt(mean * (1 - mean) * (1 / sizes[0] + 1 / sizes[1])),
    );
  }
});
