import { describe, expect, test } from 'vitest';
import { mixesNumbers } from '../../../src/summary/verify/mixed-numbers.ts';
import { HELD_OUT, HONEST, PAIRS } from './pairs.ts';

const SALES = 'Sales in the old town fell by 6 percent in 2021, shopkeepers say.';
const TRAFFIC = 'Traffic in the centre fell by 18 percent after the charge.';
const WAGES = 'Wages of drivers rose by 2 percent in 2023.';

describe('numbers of another quote than the clause', () => {
  test.each([
    ['Sales in the old town fell by 18 percent.', [SALES, TRAFFIC]],
    ['Traffic in the centre fell by 6 percent, and sales in the old town by 18 percent.', [SALES, TRAFFIC]],
    ['Traffic in the centre fell by 18 percent while wages of drivers rose by 6 percent.', [SALES, TRAFFIC, WAGES]],
    ['Wages of drivers rose by 18 percent in 2023.', [TRAFFIC, WAGES]],
  ])('%s', (sentence, quotes) => {
    expect(mixesNumbers(sentence, quotes)).toBe(true);
  });
});

describe('numbers that stand where they belong', () => {
  test.each([
    ['Traffic in the centre fell by 18 percent, and sales in the old town fell by 6 percent.', [SALES, TRAFFIC]],
    ['Sales in the old town fell by 6 percent in 2021 while wages of drivers rose by 2 percent.', [SALES, WAGES]],
    ['Traffic fell by 18 percent, and by 6 percent in shops.', [SALES, TRAFFIC]],
    ['Wages of drivers rose by 2 percent in 2023 after traffic had fallen by 18 percent.', [TRAFFIC, WAGES]],
    ['Sales in the old town fell by 18 percent.', [SALES]],
    ['Sales in the old town fell by 7 percent.', [SALES, TRAFFIC]],
  ])('%s', (sentence, quotes) => {
    expect(mixesNumbers(sentence, quotes)).toBe(false);
  });

  test.each([...PAIRS, ...HELD_OUT].filter(({ kind }) => (HONEST as readonly string[]).includes(kind)))(
    '$sentence',
    ({ sentence, quotes }) => {
      expect(mixesNumbers(sentence, quotes)).toBe(false);
    },
  );
});
