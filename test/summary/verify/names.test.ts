import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unsupportedNames } from '../../../src/summary/index.ts';

interface Case {
  readonly text: string;
  readonly quotes: readonly string[];
}

const FOUND: readonly Case[] = [
  { text: 'The plan of Merkel failed.', quotes: ['Angela Merkel had a plan.'] },
  { text: "Nobody followed Merkel's plan.", quotes: ['Angela Merkel had a plan.'] },
  { text: 'They met in MERKEL’S office.', quotes: ['Merkel had an office'] },
  { text: 'The rules of the EU apply.', quotes: ['European Union rules', 'EU law explained'] },
  { text: 'Apiarists lost half of them.', quotes: ['Beekeepers lost half of them.'] },
  { text: 'They closed two offices.', quotes: ['Microsoft closed two offices.'] },
  { text: 'It comes from Germany.', quotes: ['German firms make it.'] },
  { text: 'It is a European firm.', quotes: ['It is a firm in Europe.'] },
  { text: 'A study by Francois Lefevre', quotes: ['François Lefèvre studied it.'] },
  { text: 'They caught Covid 19.', quotes: ['COVID-19 spread.'] },
  { text: 'They use GPT-4.', quotes: ['gpt-4 is used'] },
  { text: 'It was made by OpenAI.', quotes: ['Open AI made it.'] },
  { text: 'The U.S. economy grew.', quotes: ['The US economy grew.'] },
  { text: 'Workers said so.', quotes: ['Employees said so.'] },
  { text: 'Researchers found it. Critics doubt it.', quotes: ['It was found.'] },
  { text: 'However, it is so: Nobody knows.', quotes: ['it is so'] },
  { text: 'He said: "Nothing helps."', quotes: ['nothing helps, he said'] },
  { text: 'I think I’m right.', quotes: ['It is right.'] },
  { text: 'A German-led group won.', quotes: ['Germany led the group.'] },
  { text: '政府计划征收新税。', quotes: ['新税'] },
  { text: 'In the 18th century', quotes: ['centuries ago'] },
];

const NOT_FOUND: readonly (Case & { readonly names: readonly string[] })[] = [
  { text: 'The plan of Angela Merkel failed.', quotes: ['Merkel had a plan.'], names: ['Angela'] },
  { text: 'They opened an office in Paris.', quotes: ['They opened an office in London.'], names: ['Paris'] },
  { text: 'It was made by NASA.', quotes: ['It was made by ESA.'], names: ['NASA'] },
  { text: 'They use GPT-4.', quotes: ['They use GPT-3.'], names: ['GPT-4'] },
  { text: 'It changes p53.', quotes: ['It changes p21.'], names: ['p53'] },
  { text: 'They sell the iPhone.', quotes: ['They sell a phone.'], names: ['iPhone'] },
  { text: 'Angela Merkel left.', quotes: ['She left.'], names: ['Angela', 'Merkel'] },
  { text: 'Google closed two offices.', quotes: ['Microsoft closed two offices.'], names: ['Google'] },
  { text: 'It helps Australia.', quotes: ['It helps Austria.'], names: ['Australia'] },
  { text: 'Das sagt die OECD.', quotes: ['Das sagt die NATO.'], names: ['OECD'] },
  { text: 'Les impôts montent à Lyon.', quotes: ['Les impôts montent à Paris.'], names: ['Lyon'] },
  { text: 'Он живёт в Казани.', quotes: ['Он живёт в Москве.'], names: ['Казани'] },
];

describe('names that stand in the quotes', () => {
  test.each(FOUND)('$text', (sentence) => {
    expect(unsupportedNames(sentence)).toEqual([]);
  });
});

describe('names that do not', () => {
  test.each(NOT_FOUND)('$text', ({ names, ...sentence }) => {
    expect(unsupportedNames(sentence)).toEqual(names);
  });
});

test('a text bears out its own names, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.lorem()), (text) => {
      expect(unsupportedNames({ text, quotes: [text] })).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
