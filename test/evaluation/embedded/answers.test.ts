import { describe, expect, test } from 'vitest';
import type { Judge } from '../../../src/evaluation/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { judged } from './judging.ts';

const SUMMARY =
  'The council approved the congestion charge in May. Drivers pay 8 euros a day. Mayor Anna Keller opposed the plan. The trams did not stop running.';

describe('answers', () => {
  const CASES: [string, string, boolean, boolean][] = [
    ['Did the council approve the congestion charge?', 'Yes', true, true],
    ['Did the council approve the congestion charge?', 'No', true, false],
    ['Did the trams stop running?', 'No.', true, true],
    ['Did the trams stop running?', 'Yes.', true, false],
    ['How much do drivers pay a day?', '8 euros', true, true],
    ['How much do drivers pay a day?', 'eight euros', true, true],
    ['How much do drivers pay a day?', '9 euros', true, false],
    ['Which mayor opposed the plan?', 'Anna Keller', true, true],
    ['Which mayor opposed the plan?', 'Peter Braun', true, false],
    [
      'What did the council decide?',
      'It approved the congestion charge in May. Drivers pay 8 euros a day.',
      true,
      true,
    ],
    ['What do snails avoid?', 'Copper', false, false],
    ['', '', false, false],
    ['👍', '👍', false, false],
  ];

  test.each(CASES)('are judged by what the summary says: %s %s', async (question, answer, answerable, matches) => {
    const [verdict] = await judged((judge) => judge.answered(SUMMARY, [{ question, answer }]));
    expect(verdict).toMatchObject({ answerable, matches });
    if (verdict.evidence === null) expect(answerable).toBe(false);
    else expect(SUMMARY).toContain(verdict.evidence);
  });

  test('are the same in any order of questions and sentences', async () => {
    const asked = CASES.map(([question, answer]) => ({ question, answer }));
    const found = await judged((judge) => judge.answered(SUMMARY, asked));
    expect((await judged((judge) => judge.answered(SUMMARY, asked.toReversed()))).reverse()).toEqual(found);
    expect(await judged((judge) => judge.answered('', asked))).toEqual(
      asked.map(() => ({ answerable: false, matches: false, evidence: null })),
    );
    expect(await judged((judge) => judge.answered(SUMMARY, []))).toEqual([]);
  });
});

describe('nuggets', () => {
  const nuggets = [
    {
      id: 'a',
      question: 'How many jobs were cut at Siemens in 2020?',
      answers: [{ text: '5,000' }, { text: '6,000' }],
    },
    { id: 'b', question: 'Who paid for the bridge?' },
  ];
  const sentences = [
    'At Siemens 5,000 jobs were cut in 2020.',
    'At Bosch 5,000 jobs were cut in 2019.',
    'The documents do not say who paid for the bridge.',
    'The city paid for the bridge.',
    'The documents do not say how old slugs get.',
    'It was the town hall.',
  ];

  test('are reported by their answers, or where they have none by saying that nothing is known', async () => {
    const found = await judged((judge) => judge.reported(sentences, nuggets));
    expect(found).toEqual([[0], [], [1], [], [], []]);
    const turned = await judged((judge) => judge.reported(sentences.toReversed(), nuggets.toReversed()));
    expect(turned.reverse().map((places) => places.map((place) => 1 - place))).toEqual(found);
  });
});

describe('relevance', () => {
  const questions = ['What does the congestion charge cost drivers?', 'What do slugs avoid?', ''];

  test('is given to questions near the intent, in any order', async () => {
    const intent = 'the congestion charge for drivers';
    expect(await judged((judge) => judge.relevant(questions, intent))).toEqual([true, false, false]);
    expect(await judged((judge) => judge.relevant(questions.toReversed(), intent))).toEqual([false, false, true]);
    expect(await judged((judge) => judge.relevant(questions, ''))).toEqual([false, false, false]);
    expect(await judged((judge) => judge.relevant([], intent))).toEqual([]);
  });

  test('goes by shared words where the encoder does not know the language, which a warning tells', async () => {
    const intent = '对进入老城区的汽车征收拥堵费';
    const asked = ['进入老城区的汽车要付多少拥堵费？', '蜗牛避开什么？'];
    await judged(async (judge) => {
      await judge.coverage([intent], asked);
      expect(judge.warnings()).toEqual([]);
      expect(await judge.relevant(asked, intent)).toEqual([true, false]);
      expect(judge.warnings()).toEqual([expect.stringContaining('that the encoder "hashed-words/1" does not know')]);
    });
  });
});

describe('the judge', () => {
  test('says what it is', async () => {
    const { record, usage, warnings } = await judged(async (judge) => ({
      record: judge.record(),
      usage: judge.usage(),
      warnings: judge.warnings(),
    }));
    expect(record).toMatchObject({ name: 'embedded', encoder: 'hashed-words/1', model: null, prompts: {} });
    expect(usage).toMatchObject({ requests: 0, reusedVerdicts: 0 });
    expect(warnings).toEqual([]);
  });

  test('decides by words, whatever the encoder', async () => {
    const plain = new HashedWordsEncoder({ id: 'plain/1', tokenDimensions: 0 });
    const claim = 'Revenue of Siemens rose 12% in 2020.';
    const texts = [
      claim,
      'In 2020 the revenue of Siemens rose 12 percent.',
      'Revenue of Siemens rose 14% in 2020.',
      'Slugs.',
    ];
    const entailed = (judge: Judge) => judge.entailment(texts.map((text) => ({ claim, texts: [text] })));
    const found = await judged(entailed, plain);
    expect(found.map(({ holds }) => holds)).toEqual([true, true, false, false]);
    expect(await judged(entailed)).toEqual(found);
    // By hand: 'trams' weighs log(12 / 3)^2, 'bees' log(12 / 2)^2; the share 0.374 is 0.758 on the curve.
    const [half] = await judged((judge) => judge.coverage(['trams bees'], ['trams']));
    expect(half.score).toBeCloseTo(0.7585, 3);
  });
});
