import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import {
  type SelectionInput,
  type SelectionOptions,
  type StrategyName,
  select,
  strategies,
} from '../../../src/selection/index.ts';
import { givenSimilarity, matrixOf, randomSimilarities, seeded } from '../kernel/random.ts';
import { inputOf } from './inputs.ts';
import { BARE } from './problems.ts';

/** Items of a few documents that differ in everything, of which some may be picked. */
function inputFor(seed: number, n: number, share: number): SelectionInput & { readonly eligible: Uint8Array } {
  const random = seeded(seed);
  return {
    ...inputOf(givenSimilarity(randomSimilarities(random, n), n)),
    relevance: Float64Array.from({ length: n }, () => random.next()),
    documents: Int32Array.from({ length: n }, () => random.below(5)),
    words: Int32Array.from({ length: n }, () => 3 + random.below(20)),
    hashes: Array.from({ length: n }, (_, i) => `${random.below(1e9)}-${i}`),
    factors: Float64Array.from({ length: n }, () => 0.5 + random.next()),
    auto: { points: 6, words: 60 },
    eligible: Uint8Array.from({ length: n }, () => (random.next() < share ? 1 : 0)),
  };
}

/** The items that may be picked as if there were no others. */
async function alone(input: SelectionInput, items: readonly number[]): Promise<SelectionInput> {
  const n = items.length;
  const whole = await matrixOf(input.similarity);
  const part = Float32Array.from(items.flatMap((i) => items.map((j) => whole[i * input.similarity.n + j])));
  return {
    ...input,
    similarity: givenSimilarity(part, n),
    relevance: Float64Array.from(items, (i) => input.relevance[i]),
    documents: Int32Array.from(items, (i) => input.documents[i]),
    words: Int32Array.from(items, (i) => input.words[i]),
    hashes: items.map((i) => input.hashes[i]),
    factors: Float64Array.from(items, (i) => input.factors[i]),
    eligible: null,
  };
}

const OPTIONS: SelectionOptions = {
  ...BARE,
  size: 'auto',
  relevance: { form: 'exponential', weight: 0.5 },
  sources: { weight: 10 },
};

const FULL: SelectionOptions = {
  ...OPTIONS,
  kernel: { ...BARE.kernel, sigma: 'median' },
  salience: { weight: 0.5, threshold: 0.15 },
  coverage: { weight: 20, threshold: { percentile: 80 } },
  support: { ...BARE.support, threshold: 0.15 },
  refine: true,
};

/** Every strategy whose picks are not a draw of the whole kernel, nor decided by a model. */
const NAMES = (Object.keys(strategies) as StrategyName[]).filter((name) => {
  const { isSampled, isSequential, sizes } = strategies[name];
  return (!isSampled || isSequential) && !['llm', 'naive'].includes(name) && sizes.length > 0;
});

const sizeFor = (strategy: StrategyName): SelectionOptions['size'] =>
  strategies[strategy].sizes.includes('auto') ? 'auto' : null;

describe.each(NAMES)('%s', (strategy) => {
  test('picks only what it may, with nothing asked for and with everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        fc.constantFrom(OPTIONS, FULL),
        async (seed, n, share, options) => {
          const input = inputFor(seed, n, share);
          const { picks, stoppedBy } = await select(input, { ...options, strategy, size: sizeFor(strategy) }, portable);
          const may = [...input.eligible].filter((each) => each === 1).length;
          expect(picks.every(({ item }) => input.eligible[item] === 1)).toBe(true);
          expect(new Set(picks.map(({ item }) => item)).size).toBe(picks.length);
          expect(picks.length > 0).toBe(may > 0);
          if (may === 0) expect(stoppedBy).toBe('exhausted');
        },
      ),
      { numRuns: 40 },
    );
  });
});

test.each(['dpp-map', 'mmr', 'relevance', 'dpp-map-exact'] as const)(
  '%s without coverage: as if the items that may not be picked were not there',
  async (strategy) => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 2, max: 25 }), async (seed, n) => {
        const input = inputFor(seed, n, 0.5);
        const items = [...input.eligible.keys()].filter((i) => input.eligible[i] === 1);
        // The other form stands each item against all.
        const options = { ...OPTIONS, strategy, relevance: { form: 'score', weight: 0.5 } } as const;
        const restricted = await select(input, options, portable);
        const removed = await select(await alone(input, items), options, portable);
        expect(restricted.picks.map(({ item }) => item)).toEqual(removed.picks.map(({ item }) => items[item]));
        expect(restricted.stoppedBy).toBe(removed.stoppedBy);
        expect(restricted.objective).toBeCloseTo(removed.objective, 8);
      }),
      { numRuns: 40 },
    );
  },
);
