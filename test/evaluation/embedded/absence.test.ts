import { describe, expect, test } from 'vitest';
import { kindsOf, statesAbsence } from '../../../src/evaluation/embedded/sentence-kinds.ts';
import { ABSENCES, CLAIMS } from './absences.ts';
import { judged } from './judging.ts';

const NOWHERE = { levels: { middle: 0.36, width: 0.08, half: 0.35, full: 0.65 }, find: async () => [] };

test.each(ABSENCES)('says that nothing is known: %s', async (sentence) => {
  expect(statesAbsence(sentence)).toBe(true);
  expect(statesAbsence(`  ${sentence.replaceAll(' ', '\n ').toUpperCase()}`)).toBe(true);
  expect(await kindsOf([sentence], {}, NOWHERE)).toEqual(['absence']);
});

test.each(CLAIMS)('claims something: %s', async (sentence) => {
  expect(statesAbsence(sentence)).toBe(false);
  expect(await kindsOf([sentence], {}, NOWHERE)).toEqual(['claim']);
});

const NEITHER = [
  'This report summarizes the findings of five studies.',
  'In this section we look at the costs.',
  'Below is an overview of the main results.',
  'Here are the main findings.',
  'Below are the key points of the debate.',
  'What does it cost?',
  'Thank you for reading.',
  'In summary,',
  'Main findings:',
  'Overall.',
  'The following section describes the method.',
  'Next, we turn to the question of cost.',
];

const OPENS_LIKE_ONE = [
  'This report was leaked to the press in May.',
  'This document cost the firm 3 million euros.',
  'Above the village, the glacier is an attraction for tourists.',
  'Here is an engine that runs on hydrogen.',
  'Below the surface is an ocean of water.',
  'Overall, revenue rose 12%.',
  'Finally, the court ruled against the firm.',
  'Next year the city will build a bridge.',
  'First, the bank raised its rates.',
];

describe('kinds', () => {
  test('what a report says of itself, headings, questions and greetings are neither', async () => {
    expect(await kindsOf(NEITHER, {}, NOWHERE)).toEqual(NEITHER.map(() => 'neither'));
    expect(await kindsOf(['', '  ', '👍', '...'], {}, NOWHERE)).toEqual(Array(4).fill('neither'));
  });

  test('claims that open like those are claims', async () => {
    expect(await kindsOf(OPENS_LIKE_ONE, {}, NOWHERE)).toEqual(OPENS_LIKE_ONE.map(() => 'claim'));
  });

  test('what the request says is known, unless a name or number differs', async () => {
    const userStory = 'Anna Keller runs a bakery in Berlin. She wants a loan of 5000 euros.';
    const sentences = [
      'Anna Keller runs a bakery in Berlin.',
      'Anna Keller runs a bakery in Munich.',
      'She wants a loan of 9000 euros.',
      'Bakeries lost 5% of their sales.',
    ];
    const kinds = ['neither', 'claim', 'claim', 'claim'];
    expect(await judged((judge) => judge.kinds(sentences, { userStory }))).toEqual(kinds);
    const turned = await judged((judge) => judge.kinds(sentences.toReversed(), { background: userStory, problem: '' }));
    expect(turned.reverse()).toEqual(kinds);
  });
});

/** Milliseconds that 100,000 characters may take: some, where time is linear; with any backtracking over all, minutes. */
const MAX = 500;

test('time is linear in the length, whatever the words', async () => {
  const words = [
    'documents ',
    'none of the ',
    'none of these them ',
    'nothing in the ',
    'no mention ',
    'no information about ',
    'no a a mention ',
    'is not ',
    'a',
    ' ',
    '\n',
    'this report we i will ',
    'below ',
    'the study does not ly',
    ':',
    'that the ',
    'documents do not ',
    'was not found in a ',
    'there is no a ',
  ];
  for (const opening of ['', 'documents ', 'This report, ', 'Below ']) {
    for (const word of words) {
      const text = `${opening}${word.repeat(Math.ceil(100_000 / word.length))}x`;
      const began = performance.now();
      statesAbsence(text);
      expect(performance.now() - began, `${opening}${word}`).toBeLessThan(MAX);
    }
  }
});
