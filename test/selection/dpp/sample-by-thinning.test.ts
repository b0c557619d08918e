import { describe, expect, test } from 'vitest';
import { choleskyOf, copyLower } from '../../../src/selection/dpp/cholesky.ts';
import { thinnedDraw } from '../../../src/selection/dpp/sample-by-thinning.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { bySize, goodnessOfFit } from './chi-square.ts';
import { expectLaw, KERNELS } from './draws.ts';
import { lawOf, maskOf } from './kernels.ts';

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
