import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keptByGate, topOfFacets } from '../../../src/selection/index.ts';
import { logQuality } from '../../../src/selection/kernel/quality.ts';
import { offDiagonal, offDiagonalMoments, offDiagonalPercentile } from '../../../src/selection/kernel/reference.ts';
import { deviations } from '../../../src/selection/kernel/relevance-estimate.ts';
import { fullReference, furthest, randomSimilarities, seeded } from './random.ts';

describe('off the diagonal', () => {
  test.each([0, 1, 2, 5, 20])('%i points: percentiles by sorting, moments by definition', (n) => {
    const s = randomSimilarities(seeded(n), n);
    const apart = Array.from(s).filter((_, at) => Math.floor(at / n) !== at % n);
    apart.sort((a, b) => a - b);
    const reference = fullReference(s, n);
    expect([...offDiagonal(reference)].sort((a, b) => a - b)).toEqual(apart);
    for (const percentile of [0, 1, 33.3, 50, 60, 99, 100]) {
      // Nearest rank: the smallest value that so many percent do not exceed.
      const expected = apart.find((_, k) => (k + 1) / apart.length >= percentile / 100 - 1e-12) ?? 0;
      expect(offDiagonalPercentile(reference, percentile)).toBe(expected);
    }
    const { mean, deviation } = offDiagonalMoments(reference);
    const count = Math.max(1, apart.length);
    const expectedMean = apart.reduce((a, b) => a + b, 0) / count;
    expect(mean).toBeCloseTo(expectedMean, 12);
    expect(deviation).toBeCloseTo(Math.sqrt(apart.reduce((a, b) => a + (b - expectedMean) ** 2, 0) / count), 12);
  });
});

describe('gate', () => {
  const relevances = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 });

  test('keeps r >= m - (1 - gate)|m|, m over the 20 highest, in order, and always the best', () => {
    fc.assert(
      fc.property(relevances, fc.double({ min: 0, max: 1, noNaN: true }), (r, gate) => {
        const leaders = [...r].sort((a, b) => b - a).slice(0, 20);
        const m = leaders.reduce((a, b) => a + b, 0) / leaders.length;
        const level = m - (1 - gate) * Math.abs(m);
        const kept = keptByGate(Float64Array.from(r), gate);
        expect(kept).toEqual([...kept].sort((a, b) => a - b));
        for (const [i, value] of r.entries()) {
          if (value > level + 1e-12 || value === leaders[0]) expect(kept).toContain(i);
          else if (value < level - 1e-12) expect(kept).not.toContain(i);
        }
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  test('of more than may pass the most relevant of each facet do, in turn, the first on a tie', () => {
    const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 30 }), (pairs, most) => {
        const values = Float64Array.from(pairs, ([value]) => value);
        const facets = Int32Array.from(pairs, ([, facet]) => facet);
        const past = [...values.keys()].filter((i) => values[i] > 0);
        // A second way: the queues of the facets, of which each gives its best in turn.
        const queues = [0, 1, 2].map((f) =>
          past.filter((i) => facets[i] === f).sort((a, b) => values[b] - values[a] || a - b),
        );
        const expected: number[] = [];
        while (expected.length < most && queues.some(({ length }) => length > 0)) {
          const round = queues.flatMap((queue) => queue.splice(0, 1)).sort((a, b) => values[b] - values[a] || a - b);
          expected.push(...round.slice(0, most - expected.length));
        }
        expect(topOfFacets(past, { values, facets }, most)).toEqual(expected.sort((a, b) => a - b));
      }),
      { seed: 6 },
    );
  });
});

describe('quality', () => {
  const input: Parameters<typeof logQuality>[0] = {
    relevance: Float64Array.of(0.5, -0.2, 0.9),
    salience: Float64Array.of(0, 3, 1),
    known: null,
    factors: Float64Array.of(1, 1, 1),
  };
  const off = {
    relevance: { form: 'exponential', weight: 0 } as const,
    salience: { weight: 0 },
    background: { weight: 0 },
  };

  test('exponential relevance: a z(r), a = w / (2 (1 - w))', () => {
    const z = deviations(input.relevance);
    const found = logQuality(input, { ...off, relevance: { form: 'exponential', weight: 0.8 } });
    expect(
      furthest(
        found,
        z.map((v) => 2 * v),
      ),
    ).toBeLessThan(1e-12);
  });

  test('the terms add up', () => {
    const all = {
      relevance: { form: 'exponential', weight: 0.5 } as const,
      salience: { weight: 1 },
      background: { weight: 2 },
    };
    const full = { ...input, known: Float64Array.of(0.1, 0.2, 0.3), factors: Float64Array.of(1, 2, 3) };
    const parts = [
      logQuality(input, { ...off, relevance: all.relevance }),
      logQuality(input, { ...off, salience: all.salience }),
      logQuality({ ...input, known: full.known }, { ...off, background: all.background }),
      logQuality({ ...input, factors: full.factors }, off),
    ];
    const sum = parts[0].map((_, i) => parts.reduce((total, part) => total + part[i], 0));
    expect(furthest(logQuality(full, all), sum)).toBeLessThan(1e-12);
  });
});
