import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { type SelectionOptions, type StrategyName, select } from '../../../src/selection/index.ts';
import { givenSimilarity, randomSimilarities, seeded } from '../kernel/random.ts';
import { counting, inputOf } from './inputs.ts';
import { BARE } from './problems.ts';

const N = 40;

function counted() {
  return counting(givenSimilarity(randomSimilarities(seeded(1), N), N));
}

const ascending = (items: readonly number[]) => [...items].sort((a, b) => a - b);

describe('with everything optional off only the rows of what is picked are read, each once, and never the matrix', () => {
  const kernels: SelectionOptions['kernel'][] = [
    BARE.kernel,
    { ...BARE.kernel, form: 'linear' },
    { ...BARE.kernel, similarity: 'cosine' },
  ];
  const strategies: StrategyName[] = ['dpp-map', 'mmr', 'relevance', 'random'];
  test.each(strategies)('%s', async (strategy) => {
    for (const kernel of kernels) {
      for (const size of [{ keyPoints: 6 }, { words: 30 }] as const) {
        const { similarity, rows, matrices } = counted();
        const relevance = Float64Array.from({ length: N }, (_, i) => (i * 7) % N);
        const options = { ...BARE, strategy, kernel, size };
        const { picks, landmarks, sigma } = await select(inputOf(similarity, { relevance }), options, portable);
        expect(picks).toHaveLength(6);
        expect(ascending(rows)).toEqual(ascending(picks.map(({ item }) => item)));
        expect([matrices(), landmarks]).toEqual([0, null]);
        expect(sigma).toBe(kernel.form === 'linear' ? null : kernel.sigma);
      }
    }
  });
});

describe('each option that runs over all reads the matrix, once', () => {
  const options: [string, Partial<SelectionOptions>][] = [
    ['a median sigma', { kernel: { ...BARE.kernel, sigma: 'median' } }],
    ['salience', { salience: { weight: 0.5, threshold: 0.1 } }],
    ['coverage', { coverage: { weight: 1, threshold: 0 } }],
    ['support', { support: { ...BARE.support, threshold: 0.1 } }],
    ['an automatic size', { size: 'auto' }],
    ['an exact search', { strategy: 'dpp-map-exact', size: { keyPoints: 2 } }],
    ['k-dpp', { strategy: 'k-dpp', size: { keyPoints: 2 } }],
    ['dpp-sample', { strategy: 'dpp-sample', size: null }],
    ['facility location', { strategy: 'facility-location' }],
    [
      'all of them',
      {
        kernel: { ...BARE.kernel, sigma: 'median' },
        salience: { weight: 0.5, threshold: 0.1 },
        coverage: { weight: 1, threshold: 0 },
        support: { ...BARE.support, threshold: 0.1 },
        size: 'auto',
      },
    ],
  ];
  test.each(options)('%s', async (_, option) => {
    const { similarity, rows, matrices } = counted();
    await select(inputOf(similarity), { ...BARE, ...option }, portable);
    expect([matrices(), rows]).toEqual([1, []]);
  });
});
