import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numbersIn, unsupportedNumbers } from '../../../src/summary/index.ts';

const READ: readonly (readonly [string, readonly (readonly [number, string | null])[]])[] = [
  ['It cost 1,234,567 dollars.', [[1234567, '$']]],
  ['Es kostete 1.234.567,89 €.', [[1234567.89, '€']]],
  ['Il coûte 12 300 euros.', [[12300, '€']]],
  ['Il coûte 12\u202f300\u00a0€.', [[12300, '€']]],
  ['Die Stadt hat 1’234’567 Einwohner.', [[1234567, null]]],
  ['They raised 12,34,567 rupees.', [[1234567, '₹']]],
  ['A rise of 4.5% was seen.', [[4.5, '%']]],
  ['A rise of 4,5 Prozent', [[4.5, '%']]],
  ['une hausse de 18 pour cent', [[18, '%']]],
  ['18 per cent of them', [[18, '%']]],
  ['1.5 million people', [[1500000, null]]],
  ['1,5 Millionen Menschen', [[1500000, null]]],
  ['$5m', [[5000000, '$']]],
  ['€41bn', [[41e9, '€']]],
  ['US$20 million', [[2e7, '$']]],
  ['the 18th century', [[18, null]]],
  ['twelve people', [[12, null]]],
  ['twenty-five people', [[25, null]]],
  ['two hundred and fifty thousand people', [[250000, null]]],
  ['a million people', [[1000000, null]]],
  ['two and a half million people', [[2500000, null]]],
  ['a dozen eggs', [[12, null]]],
  ['the twenty-first century', [[21, null]]],
  ['half of them', [[50, '%']]],
  ['three quarters of voters', [[75, '%']]],
  ['two-thirds of voters', [[200 / 3, '%']]],
  ['a sixty-day ban', [[60, null]]],
  ['a 60-day ban', [[60, null]]],
  ['mid-2023', [[2023, null]]],
  ['٣٥ شخصا', [[35, null]]],
  ['३५ लोग', [[35, null]]],
  ['150万人', [[1500000, null]]],
];

describe('numbers are read', () => {
  test.each(READ)('%s', (text, expected) => {
    const found = numbersIn(text).filter((number) => !number.weak);
    expect(found.length).toBe(expected.length);
    expected.forEach(([value, unit], i) => {
      expect(found[i].readings.some((reading) => Math.abs(reading - value) < 1e-6 * value)).toBe(true);
      expect(found[i].unit).toBe(unit);
    });
  });

  test.each([
    'COVID-19 spread.',
    'GPT-4 and p53',
    'One of them left.',
    'They came first.',
    'A second reason',
    'CO₂, E=mc²',
  ])('%s has none', (text) => {
    expect(numbersIn(text).filter((number) => !number.weak)).toEqual([]);
  });
});

const SUPPORTED: readonly (readonly [string, readonly string[]])[] = [
  ['18% agreed.', ['18 percent agreed.']],
  ['Eighteen percent agreed.', ['18% agreed.']],
  ['1.5 million came.', ['1,500,000 came.']],
  ['1,5 Millionen kamen.', ['1.500.000 Menschen kamen.']],
  ['12 came.', ['Twelve came.']],
  ['Half of them agreed.', ['50% of them agreed.']],
  ['It cost $5 million.', ['It cost 5 million dollars.']],
  ['It opened on 12 May 2024.', ['opened 12.05.2024, in May']],
  ['In May 2024', ['on 2024-05-12']],
  ['At 14:30 it began.', ['It began at 14:30.']],
  ['12 300 people', ['12,300 people']],
  ['A and B: 3 and 5', ['three', 'five']],
  ['One speaker said so.', ['She said so.']],
  ['1 of them left', ['One of them left']],
  ['In 2019, 18 percent agreed.', ['In 2019 18% agreed.']],
  ['35 people', ['٣٥ شخصا']],
  ['The tax is ½ percent', ['a tax of 0.5%']],
];

const UNSUPPORTED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['18% agreed.', ['18 people agreed.'], ['18 %']],
  ['18 agreed.', ['18% agreed.'], ['18']],
  ['27 minutes', ['72 minutes'], ['27']],
  ['4.5 million euros', ['4.5 billion euros'], ['4.5 million euros']],
  ['$5 million', ['5 million euros'], ['5 million']],
  ['Four were banned.', ['Three were banned.'], ['Four']],
  ['A third of them left.', ['Half of them left.'], ['A third']],
  ['In 2021 and 2020', ['In 2020'], ['2021']],
  ['On 13.05.2024', ['on 12.05.2024'], ['13.05.2024']],
  ['Es waren 15 Prozent.', ['Es waren 51 Prozent.'], ['15 Prozent']],
  ['共有36人', ['共有35人'], ['36']],
  ['อายุ26ปี', ['อายุ25ปี'], ['26']],
  ['Two sources', [], ['Two']],
];

describe('numbers are held against quotes', () => {
  test.each(SUPPORTED)('%s: %j', (sentence, quotes) => {
    expect(unsupportedNumbers(sentence, quotes)).toEqual([]);
  });
  test.each(UNSUPPORTED)('%s not in %j', (sentence, quotes, numbers) => {
    expect(unsupportedNumbers(sentence, quotes)).toEqual(numbers);
  });
});

test('a text bears out its own numbers, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(unsupportedNumbers(text, [text])).toEqual([]);
    }),
    { numRuns: 100 },
  );
  const piece = fc.constantFrom(
    ...'12 1.5 1,234 20 % percent million half a and two to - $ third of hundred 1990s , dozen one 3/4 5m euros'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join(' ');
      expect(unsupportedNumbers(text, [text])).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('a number that no quote has is found, however it is written', () => {
  const written = (n: number) =>
    fc.constantFrom(String(n), n.toLocaleString('en'), n.toLocaleString('de'), `${n}%`, `$${n}`, `${n}th`);
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 10 ** 9 }).chain((n) => fc.tuple(fc.constant(n), written(n))),
      fc.array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 4 }),
      ([n, text], others) => {
        fc.pre(!others.includes(n) && !others.some((other) => Math.abs(other * 1000 - n) < 1 || n * 1000 === other));
        const quotes = others.map((other) => `There were ${other} of them.`);
        expect(unsupportedNumbers(`There were ${text} of them.`, quotes)).not.toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
});
