import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assignment, VariantOptions } from '../../../src/contract/index.ts';
import type { Size } from '../../../src/selection/index.ts';
import { applyVariant } from '../../../src/server/experiments/take-part.ts';
import { experimentOf } from './laboratory.ts';

const assigned = (variant: string | null): Assignment => ({ key: 'exp', version: 3, variant, reason: 'assigned' });

/** A plan is the options that it is of. */
const planIf = (isServed: (options: VariantOptions) => boolean) => (options: VariantOptions) =>
  isServed(options) ? options : null;
const always = planIf(() => true);

/** An order under a variant with these options, and another with those. */
function apply(order: VariantOptions, own: VariantOptions, others: VariantOptions = {}) {
  const variants = [
    { name: 'own', weight: 0.5, options: own },
    { name: 'other', weight: 0.5, options: others },
  ];
  return applyVariant(order, experimentOf({ variants }), assigned('own'), always);
}

test('options of the variant go below those of the request, leaf by leaf', () => {
  const documents = [{ id: 'd', text: 'A text.' }];
  const order = {
    documents,
    intent: 'x',
    selection: { seed: 7, kernel: { sigma: 2 }, refine: undefined },
    summary: { maxWords: null },
  };
  const options: VariantOptions = {
    selection: { strategy: 'mmr', kernel: { sigma: 1, form: 'linear' }, mmr: { lambda: 0.3 }, refine: false },
    summary: { maxWords: 100, format: 'bullets' },
    engine: { model: 'm' },
  };
  const applied = apply(order, options);
  expect(applied.plan).toEqual({
    documents,
    intent: 'x',
    selection: {
      seed: 7,
      strategy: 'mmr',
      kernel: { sigma: 2, form: 'linear' },
      mmr: { lambda: 0.3 },
      refine: false,
    },
    summary: { maxWords: null, format: 'bullets' },
    engine: { model: 'm' },
  });
  expect(applied.experiment).toEqual({ key: 'exp', version: 3, variant: 'own', overridden: true });
  expect(order.selection).toEqual({ seed: 7, kernel: { sigma: 2 }, refine: undefined });
});

test.each<[string, VariantOptions, VariantOptions]>([
  ['size', { selection: { size: { words: 9 } } }, { selection: { size: { keyPoints: 3 } } }],
  [
    'threshold',
    { selection: { coverage: { threshold: 0.5 } } },
    { selection: { coverage: { threshold: { percentile: 90 } } } },
  ],
  ['a stage', { engine: { stages: { write: { model: 'a' } } } }, { engine: { stages: { write: { prompt: 'p' } } } }],
])('%s is one value: the request’s own replaces the variant’s', (_, request, variant) => {
  const applied = apply(request, variant);
  expect(applied.plan).toEqual(request);
  expect(applied.experiment.overridden).toBe(true);
});

const options: fc.Arbitrary<VariantOptions> = fc.record(
  {
    selection: fc.record(
      {
        strategy: fc.constantFrom('mmr', 'dpp-map'),
        size: fc.constantFrom<Size>('auto', { keyPoints: 3 }, { words: 5 }),
        kernel: fc.record({ sigma: fc.constantFrom(1, 2), idf: fc.constantFrom(0, 1) }, { requiredKeys: [] }),
        relevance: fc.record({ gate: fc.constantFrom(null, 0.5) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    summary: fc.record({ maxWords: fc.constantFrom(null, 100) }, { requiredKeys: [] }),
    engine: fc.record({ model: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** As of a service where a strategy takes one kind of size, and a model answers to one format. */
const isServed = ({ selection, summary, engine }: VariantOptions) =>
  !(selection?.strategy === 'mmr' && typeof selection.size === 'object' && 'words' in selection.size) &&
  !(engine?.model === 'b' && summary?.maxWords === null);

test('whether a request overrides or is served does not depend on the variant of its subject', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(options, options, options, (order, one, other) => {
      const experiment = experimentOf({
        variants: [
          { name: 'one', weight: 0.5, options: one },
          { name: 'other', weight: 0.5, options: other },
        ],
      });
      const [first, second] = ['one', 'other'].map((name) =>
        applyVariant(order, experiment, assigned(name), planIf(isServed)),
      );
      expect(first.experiment.overridden).toBe(second.experiment.overridden);
      expect(first.plan === null).toBe(second.plan === null);
      if (first.plan !== null) expect(isServed(first.plan)).toBe(true);
      seen.add(`${first.experiment.overridden} ${first.plan !== null}`);
    }),
    { numRuns: 1000 },
  );
  expect([...seen].sort()).toEqual(['false true', 'true false', 'true true']);
});

test.each<[VariantOptions, VariantOptions, boolean]>([
  [{ selection: { seed: 7 } }, { selection: { preset: 'published' } }, true],
  [{ selection: { relevance: { gate: null } } }, { selection: { preset: 'default' } }, true],
  [{ selection: { preset: 'published' } }, { selection: { mmr: { lambda: 0.3 } } }, true],
  [{ selection: { preset: 'published' } }, { selection: { preset: 'default' } }, true],
  [{ selection: { preset: 'published' } }, { summary: { maxWords: 9 } }, false],
  [{ summary: { maxWords: 9 } }, { selection: { preset: 'published' } }, false],
])('a preset stands for all of a selection: %j beside %j', (order, variant, overridden) => {
  expect(apply(order, variant).experiment.overridden).toBe(overridden);
  expect(apply(order, {}, variant).experiment.overridden).toBe(overridden);
});
