import { describe, expect, test } from 'vitest';
import { kindsOf, statesAbsence } from '../../../src/evaluation/embedded/sentence-kinds.ts';
import { judged } from './judging.ts';

/** Sentences that say something is not known or not in the documents, and sentences with the same words that do not. */
const ABSENCES = [
  'The documents do not mention the cost of the bridge.',
  'None of the sources says who paid for the trip.',
  'The report does not explicitly state how many jobs were lost.',
  'The articles don’t say when the plant will open.',
  'There is no information on the age of the victims.',
  'No details about the settlement were available.',
  'No mention is made of the second suspect.',
  'It is not known how the fire started.',
  'It is unclear whether the minister knew.',
  'The cause of the accident remains unknown.',
  'The price has not been disclosed in the documents, and the seller is not specified.',
  'Nothing is known about his early life.',
  'The provided texts contain no information about the budget.',
  'The documents cannot confirm that the treaty was signed.',
  'Neither of the reports gives a date.',
  'The author could not be identified.',
  'The evidence does not establish a motive.',
  'Nothing in the documents explains the delay.',
  'The sources never identify the donor.',
  'No evidence on its long-term safety is reported.',
  'The collection does not cover events after 2019.',
  'There is little or no information about the suppliers.',
  'The material offers no explanation for the fall in sales.',
  'How many were injured was not reported.',
  'The documents that were provided do not mention the fine.',
  'None of them mentions the fine.',
  'The names are not given in the documents.',
];

const CLAIMS = [
  'The company did not report a profit.',
  'No evidence was needed.',
  'The report says revenue rose.',
  'He did not mention his father.',
  'Nothing changed after the reform.',
  'The unknown artist sold three paintings in May.',
  'The bank failed to disclose its losses to shareholders.',
  'No data was lost in the breach.',
  'None of the passengers was hurt.',
  'Neither of the brothers told the police about the money.',
  'The documents show that the firm did not disclose the leak.',
  'Sources said the company did not provide any refund to customers.',
  'The study participants did not report any pain.',
  'No records were broken at the championship in Oslo.',
  'The vaccine does not provide full protection.',
  'Teachers did not cover the topic in class.',
  'The product is not available in Canada.',
  'The treaty was not ratified by the senate.',
  'The suspect was not identified by the witness.',
  'The court ruled that the evidence did not establish guilt.',
  'The clear water of the lake attracts visitors.',
  'The text was written in 1850.',
  'Police found no evidence of foul play.',
  'She made no mention of her father in the interview.',
  'Smith reports it does not contain sugar.',
  'The company did not record a loss in 2020.',
  'No documentation is required for children under six.',
];

test.each(ABSENCES)('says that nothing is known: %s', async (sentence) => {
  expect(statesAbsence(sentence)).toBe(true);
  expect(statesAbsence(`  ${sentence.replaceAll(' ', '\n ').toUpperCase()}`)).toBe(true);
  expect(await kindsOf([sentence], {})).toEqual(['absence']);
});

test.each(CLAIMS)('claims something: %s', async (sentence) => {
  expect(statesAbsence(sentence)).toBe(false);
  expect(await kindsOf([sentence], {})).toEqual(['claim']);
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
    expect(await kindsOf(NEITHER, {})).toEqual(NEITHER.map(() => 'neither'));
    expect(await kindsOf(['', '  ', '👍', '...'], {})).toEqual(Array(4).fill('neither'));
  });

  test('claims that open like those are claims', async () => {
    expect(await kindsOf(OPENS_LIKE_ONE, {})).toEqual(OPENS_LIKE_ONE.map(() => 'claim'));
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
