import { expect, test } from 'vitest';
import { isSpecific } from '../../../src/lab/haystack/check-insights.ts';

test.each([
  'Sales rose by 4 percent.',
  'Half of the boats stayed in port.',
  'The strike began in march-free weather on a Tuesday.',
  'Work was finished in May.',
  'June was dry.',
  'The bridge was opened by Angela Torres.',
  'The ship sails for NASA.',
  'Twelve boats were lost.',
])('%s', (insight) => {
  expect(isSpecific(insight)).toBe(true);
});

test.each([
  ['neither number, date nor name', 'Sales rose a lot.'],
  ['only a capital at its opening', 'Farmers may march again.'],
  ['only a small "may"', 'They may come back.'],
  ['"one" and "first" alone', 'The first boat was the one that sank.'],
  ['two sentences', 'Sales rose by 4 percent. Profits fell.'],
  ['nothing', ''],
  ['a passage', `It cost 5 euros ${'and more '.repeat(80)}.`],
])('%s is not enough', (_, insight) => {
  expect(isSpecific(insight)).toBe(false);
});
