import { expect, test } from 'vitest';
import { expandSweeps } from '../../../src/lab/run/system-schemas.ts';

test('without a sweep there is one arm, as it stands', () => {
  const options = { selection: { strategy: 'mmr' } };
  expect(expandSweeps(options)).toEqual([{ suffix: '', options }]);
});

test('a sweep gives one arm for each value, and leaves the rest alone', () => {
  const options = { selection: { strategy: 'mmr', size: { keyPoints: 3 } }, summary: { format: 'bullets' } };
  const arms = expandSweeps(options, { 'selection.size.keyPoints': [5, 10] });
  expect(arms).toEqual(
    [5, 10].map((keyPoints) => ({
      suffix: `, keyPoints ${keyPoints}`,
      options: { selection: { strategy: 'mmr', size: { keyPoints } }, summary: { format: 'bullets' } },
    })),
  );
  expect(options.selection.size.keyPoints).toBe(3);
});

test('several sweeps multiply, the first turning slowest', () => {
  const arms = expandSweeps({}, { 'selection.kernel.sigma': [1, 'median'], 'selection.seed': [1, 2, 3] });
  expect(arms.map(({ suffix }) => suffix)).toEqual([
    ', sigma 1, seed 1',
    ', sigma 1, seed 2',
    ', sigma 1, seed 3',
    ', sigma median, seed 1',
    ', sigma median, seed 2',
    ', sigma median, seed 3',
  ]);
  expect(arms[5].options).toEqual({ selection: { kernel: { sigma: 'median' }, seed: 3 } });
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
