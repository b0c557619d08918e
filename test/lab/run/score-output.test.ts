import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/evaluation/index.ts';
import type { BenchmarkCase, BenchmarkQuestion, Collection } from '../../../src/lab/benchmark-set.ts';
import { scoreOutput } from '../../../src/lab/run/score-output.ts';
import { outputOfFile } from '../../../src/lab/run/system-output.ts';
import { type Answers, judging } from '../../evaluation/model/judging.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';

const CITIES: Collection = { id: 'city', documents: CITY };
const SAID = [
  { text: 'Sales in the old town will fall as they did when the bridge was closed.', documents: ['meeting', 'shops'] },
  { text: 'Forty new drivers are needed before the line can open.', documents: ['tram'] },
  { text: 'Pigs can fly.', documents: ['garden', 'nowhere'] },
];
const FULL: BenchmarkCase = {
  id: 'sales',
  collection: 'city',
  intent: CITY_INTENT,
  insights: [
    { id: 'fall', text: 'Sales in the old town will fall.', documents: ['meeting', 'shops'] },
    { id: 'charge', text: 'The charge is 4 euros.', documents: [] },
  ],
  keyPoints: [{ text: 'Forty new drivers are needed.', usefulness: 0.9 }, { text: 'Slugs avoid copper.' }],
  nuggets: [
    { id: 'n', question: 'What will fall?', answers: [{ text: 'Sales in the old town', documents: ['shops'] }] },
    { id: 'm', question: 'What avoids copper?', answers: [{ text: 'Slugs' }] },
  ],
};
const NO_USAGE = { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 };

test('figures of the papers are those of an evaluation of the same texts', async () => {
  const deps = testDeps();
  const { figures } = await scoreOutput(outputOfFile({ sentences: SAID }, CITIES), FULL, CITIES, {}, deps);
  const { insights = [], nuggets = [] } = FULL;
  const summhay = await evaluate(
    {
      metric: 'summhay',
      // As markers, and as a list would have them.
      bullets: SAID.map(({ text, documents }) => `- ${text.slice(0, -1)} [${documents.join(', ')}].`),
      insights: [insights[0], { id: 'charge', text: insights[1].text }],
      documents: [...CITY.map(({ id }) => id), 'nowhere'],
    },
    deps,
  );
  const argue = await evaluate(
    {
      metric: 'argue',
      request: { problem: CITY_INTENT },
      report: { sentences: SAID.map(({ text, documents }) => ({ text, citations: documents })) },
      nuggets,
      documents: CITY,
    },
    deps,
  );
  if (summhay.metric !== 'summhay' || argue.metric !== 'argue') return expect.fail('another metric');
  expect(figures).toMatchObject({
    'summhay.coverage': summhay.coverage,
    'summhay.citation': summhay.citation,
    'summhay.joint': summhay.joint,
    'summhay.citationPrecision': summhay.citationPrecision,
    'summhay.citationRecall': summhay.citationRecall,
    'argue.precision': argue.precision,
    'argue.recall': argue.recall,
    'argue.vitalRecall': argue.vitalRecall,
    'argue.f1': argue.f1,
    'argue.citationSupport': argue.citationSupport,
  });
  // None of them is what nothing would score.
  expect([summhay.coverage, argue.recall].every((each) => each !== null && each > 0 && each < 100)).toBe(true);
  expect(Object.keys(figures).filter((key) => /^(labelled|passages|sources|keyPoints)\./.test(key))).toEqual([]);
});

test('a case that knows nothing is scored by what needs no reference', async () => {
  const bare = { id: 'bare', collection: 'city', questions: [], insights: [], nuggets: [], keyPoints: [] };
  const output = outputOfFile({ sentences: SAID, cost: 0.25 }, CITIES);
  const scored = await scoreOutput(output, bare, CITIES, {}, testDeps());
  expect(scored).toEqual({
    figures: output.figures,
    over: {},
    isPartial: false,
    usage: NO_USAGE,
    byPosition: null,
    unreadable: 0,
    warnings: [],
  });
  expect(output.figures).toMatchObject({ 'digest.words': 28, 'digest.cost': 0.25 });
  expect(output.figures['digest.wordsPerSentence']).toBeCloseTo(28 / 3, 12);
  // The garden, the meeting, the shops and the tram.
  expect(output.figures['digest.citedDocuments']).toBeCloseTo(4 / 6, 12);
});

describe('source coverage', () => {
  const DOCUMENTS: Collection = {
    id: 'd',
    documents: ['a', 'b', 'c', 'd'].map((id) => ({ id, text: `Text of ${id}.` })),
  };
  const JUDGE = { judge: 'llm' } as const;
  /** The summary is a list of questions that it answers. */
  const answers: Answers = ({ prompt, data }) => {
    if (prompt !== 'judge-answered') return expect.fail(`asked by ${prompt}`);
    const isAnswered = data.summary.includes(data.question);
    return isAnswered ? { evidence: data.question, verdict: 'SAME' } : { evidence: '', verdict: 'NONE' };
  };
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((a, b) => a + b) / values.length;

  test('is the mean over the marked questions, and by document; what the set marks no judge is asked', async () => {
    const { deps, calls } = judging(answers);
    const asked = fc.record({
      document: fc.constantFrom('a', 'b', 'c', 'd'),
      relevant: fc.constantFrom(true, false, undefined),
      isCovered: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { minLength: 1, maxLength: 8 }),
        fc.shuffledSubarray(['a', 'b', 'c', 'd']),
        async (given, shown) => {
          fc.pre(given.some(({ relevant }) => relevant !== undefined));
          const questions = given.map(
            ({ document, relevant }, place): BenchmarkQuestion => ({
              question: `Question <${place}>?`,
              answer: 'It is so.',
              document,
              position: 0,
              ...(relevant !== undefined && { relevant }),
            }),
          );
          const covered = questions.filter((_, place) => given[place].isCovered).map(({ question }) => question);
          const output = outputOfFile({ sentences: ['Words.', ...covered], given: shown }, DOCUMENTS);
          const one = { id: 'x', collection: 'd', intent: 'Why?', questions };
          const { figures, byPosition } = await scoreOutput(output, one, DOCUMENTS, JUDGE, deps);
          const share = (of: typeof given) => mean(of.map(({ isCovered }) => (isCovered ? 100 : 0)));
          expect(figures['sources.coverage']).toBeCloseTo(share(given) ?? Number.NaN, 9);
          const relevant = share(given.filter((each) => each.relevant === true));
          if (relevant === null) expect(figures['sources.relevantCoverage']).toBeNull();
          else expect(figures['sources.relevantCoverage']).toBeCloseTo(relevant, 9);
          // In the order in which it was given them, and none that it was not.
          expect(byPosition).toEqual(shown.map((id) => share(given.filter(({ document }) => document === id))));
        },
      ),
      { numRuns: 30 },
    );
    expect(new Set(calls.map(({ prompt }) => prompt))).toEqual(new Set(['judge-answered']));
  });

  test('verdicts that cannot be read credit nothing, and are counted over all measures', async () => {
    const { deps } = judging((shown, index) => {
      if (shown.prompt === 'judge-coverage') return 'I would rather not.';
      return shown.user.includes('Question one?') ? 'Hm.' : answers(shown, index);
    });
    const questions = ['one', 'two'].map((of) => ({
      question: `Question ${of}?`,
      answer: 'So.',
      document: 'a',
      position: 0,
      relevant: true,
    }));
    const insights = [
      { id: 'i', text: 'One thing.', documents: ['a'] },
      { id: 'j', text: 'Another thing.', documents: ['a'] },
    ];
    const output = outputOfFile({ sentences: ['Question two? [a]'] }, DOCUMENTS);
    const one = { id: 'x', collection: 'd', questions, insights };
    const first = await scoreOutput(output, one, DOCUMENTS, JUDGE, deps);
    expect(first.unreadable).toBe(3);
    expect(first.figures).toMatchObject({
      'summhay.coverage': 0,
      'sources.coverage': 50,
      'sources.relevantCoverage': 50,
    });
    expect(first.usage.requests).toBe(7);
  });
});
