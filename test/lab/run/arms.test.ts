import { expect, test } from 'vitest';
import { armSchema, expandSweeps } from '../../../src/lab/run/arms.ts';

test('a sweep gives one arm for each value, and leaves the rest alone; without one there is one, as it stands', () => {
  const options = { selection: { strategy: 'mmr', size: { keyPoints: 3 } }, summary: { format: 'bullets' } };
  expect(expandSweeps(options)).toEqual([{ suffix: '', options }]);
  expect(expandSweeps(options, { 'selection.size.keyPoints': [5, 10] })).toEqual(
    [5, 10].map((keyPoints) => ({
      suffix: `, keyPoints ${keyPoints}`,
      options: { selection: { strategy: 'mmr', size: { keyPoints } }, summary: { format: 'bullets' } },
    })),
  );
  expect(options.selection.size.keyPoints).toBe(3);
});

test('several sweeps multiply, the first turning slowest', () => {
  const arms = expandSweeps({}, { 'selection.kernel.sigma': [1, 'median'], 'selection.seed': [1, 2] });
  const suffixes = [', sigma 1, seed 1', ', sigma 1, seed 2', ', sigma median, seed 1', ', sigma median, seed 2'];
  expect(arms.map(({ suffix }) => suffix)).toEqual(suffixes);
  expect(arms[3].options).toEqual({ selection: { kernel: { sigma: 'median' }, seed: 2 } });
});

test('paths that end alike are told in full, and so are values that are objects', () => {
  const [arm] = expandSweeps({}, { 'selection.salience.weight': [1], 'selection.coverage.weight': [{ a: 1 }] });
  expect(arm.suffix).toBe(', selection.salience.weight 1, selection.coverage.weight {"a":1}');
});

test('a path replaces what is no object, and reaches nothing that objects inherit', () => {
  expect(expandSweeps({ selection: { size: 'auto' } }, { 'selection.size.words': [9] })[0].options).toEqual({
    selection: { size: { words: 9 } },
  });
  const [arm] = expandSweeps({}, { '__proto__.polluted': [true], 'constructor.x': [1] });
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(JSON.stringify(arm.options)).toBe('{"__proto__":{"polluted":true},"constructor":{"x":1}}');
});

test('options of a published arm are set on top of its own, and give the draft and what is verified of it', () => {
  const sweep = { 'selection.kernel.sigma': [1, 10] };
  const systems = armSchema.parse({ name: 'D', arm: 'dpp', sweep });
  expect(systems.map(({ name, text }) => [name, text])).toEqual([
    ['D, sigma 1', 'draft'],
    ['D, sigma 1, verified', undefined],
    ['D, sigma 10', 'draft'],
    ['D, sigma 10, verified', undefined],
  ]);
  expect(systems[2].options).toMatchObject({
    selection: { preset: 'published', strategy: 'dpp-sample', kernel: { sigma: 10 }, relevance: { weight: 0 } },
    engine: { extractor: 'llm', stages: { write: { prompt: 'published-write', temperature: 0.7 } } },
    summary: { format: 'report', maxWords: null },
  });
  const { error } = armSchema.safeParse({ name: 'W', options: { selection: { strategy: 'best' } } });
  expect(error?.issues).toMatchObject([{ path: ['options', 'selection', 'strategy'] }]);
});
