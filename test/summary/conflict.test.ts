import { describe, expect, test } from 'vitest';
import { conflict } from '../../src/summary/outline.ts';

const CONFLICTS: readonly (readonly [a: string, b: string, figures: readonly [string, string]])[] = [
  [
    'Employees may work from abroad for up to 20 days a year.',
    'Employees may work from abroad for up to 30 days a year.',
    ['20 days', '30 days'],
  ],
  [
    'Business class is not allowed on flights of under nine hours.',
    'Business class is not allowed on flights of under six hours.',
    ['nine hours', 'six hours'],
  ],
  [
    'Spending on flights fell by 4 percent in 2025.',
    'Spending on flights fell by 1.5 percent in 2025.',
    ['4 percent', '1.5 percent'],
  ],
  ['The daily allowance for meals is 32 euros.', 'The meal allowance is 38 euros a day.', ['32 euros', '38 euros']],
  ['Four people have been scalded.', 'Five people were scalded.', ['Four people', 'Five people']],
];

const COMPATIBLE: readonly (readonly [a: string, b: string])[] = [
  ['Spending on flights fell by 4 percent.', 'Spending on flights fell by 4 percent in 2025.'],
  ['Dry mouth in 14 %.', 'Dry mouth by 15 %.'],
  ['The work took from 2020 to 2022.', 'The work took the summers of 2021 and 2023.'],
  ['In Norway 20 people were hurt.', 'In Sweden 30 people were hurt.'],
  ['The kettle holds 2 litres.', 'The kettle costs 54 euros.'],
  ['Was it 20 days?', 'It was 30 days.'],
  ['The last full inspection took place in 2019.', 'The last full inspection was in 2017.'],
  ['The parser is upgraded to 0.17.3.', 'The parser is upgraded to 0.17.1.'],
  ['Opened: 11 June 2024, 08:02', 'Opened: 11 June 2024, 09:30'],
  ['Impact: around 12,000 euros of lost turnover.', 'About 41,000 euros of lost turnover.'],
  ['The allowance rises from 32 to 38 euros and the fee to 5 euros.', 'The allowance is 40 euros and the fee 7 euros.'],
];

describe('figures', () => {
  test.each(CONFLICTS)('“%s” against “%s”', (a, b, figures) => {
    expect(conflict(a, b, 0.8)).toEqual(figures);
    expect(conflict(b, a, 0.8)).toEqual([...figures].reverse());
  });

  test.each(COMPATIBLE)('“%s” beside “%s”', (a, b) => {
    expect([conflict(a, b, 0.9), conflict(b, a, 0.9)]).toEqual([null, null]);
  });

  test('not of subjects that are not the same', () => {
    expect(conflict(CONFLICTS[0][0], CONFLICTS[0][1], 0.6)).toBeNull();
  });
});
