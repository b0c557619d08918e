import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceQuestion } from '../../../src/evaluation/index.ts';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';
import { type SourceCoverageRequest, scoreSources } from '../../../src/evaluation/metrics/source-coverage.ts';
import { type JudgeScript, scriptedJudge } from '../../support/scripted-judge.ts';

/** The summary answers what it names, and rightly where it holds the answer. */
const SCRIPT: JudgeScript = {
  answered: (summary, { question, answer }) => ({
    answerable: summary.includes(question),
    matches: summary.includes(answer),
    evidence: summary.includes(answer) ? answer : null,
  }),
  relevant: (question, intent) => intent.includes(question),
};

function ask(question: string, answer: string, document: string): SourceQuestion {
  return { question, answer, document };
}

function requestOf(given: Partial<SourceCoverageRequest>): SourceCoverageRequest {
  return {
    metric: 'source-coverage',
    summary: 'fare is 4, tram is late',
    documents: ['x', 'y', 'z'],
    questions: [ask('fare', '4', 'x'), ask('fare', '5', 'y'), ask('bus', 'late', 'y'), ask('tram', 'late', 'y')],
    ...given,
  };
}

describe('scoreSources', () => {
  test('a question is covered if it is answered, and as its document does', async () => {
    const answer = await scoreSources(requestOf({ intent: ' tram or bus ' }), scriptedJudge(SCRIPT));
    expect(answer.questions).toEqual([
      { answerable: true, matches: true, covered: true, relevant: false, evidence: '4' },
      { answerable: true, matches: false, covered: false, relevant: false, evidence: null },
      { answerable: false, matches: true, covered: false, relevant: true, evidence: 'late' },
      { answerable: true, matches: true, covered: true, relevant: true, evidence: 'late' },
    ]);
    expect(answer).toMatchObject({ coverage: 50, relevantCoverage: 50 });
    expect(answer.documents).toEqual([
      { id: 'x', position: 0, coverage: 100 },
      { id: 'y', position: 1, coverage: 100 / 3 },
      { id: 'z', position: 2, coverage: null },
    ]);
  });

  test('tells the judge neither markers nor documents, and gives evidence as it stands', async () => {
    const judge = scriptedJudge(SCRIPT);
    const summary = 'fare [x] is 4 [1][y]';
    const answer = await scoreSources(requestOf({ summary, questions: [ask('fare', 'fare is 4', 'y')] }), judge);
    expect(judge.calls).toEqual([
      { method: 'answered', asked: ['fare is 4', [{ question: 'fare', answer: 'fare is 4' }]] },
    ]);
    expect(answer.questions[0]?.evidence).toBe('fare [x] is 4');
  });

  test.each([[''], [' '], ['[1]']])('the empty summary %j answers nothing, unasked', async (summary) => {
    const answer = await scoreSources(requestOf({ summary }), scriptedJudge({}));
    expect(answer.coverage).toBe(0);
    const nothing = { answerable: false, matches: false, covered: false, relevant: null, evidence: null };
    expect(answer.questions).toEqual([nothing, nothing, nothing, nothing]);
    expect(answer.documents.map(({ coverage }) => coverage)).toEqual([0, 0, null]);
  });

  test('without an intent, a blank one, or relevant questions there is no coverage of them', async () => {
    for (const intent of [undefined, ' ']) {
      const answer = await scoreSources(requestOf({ intent }), scriptedJudge({ answered: SCRIPT.answered }));
      expect(answer.relevantCoverage).toBeNull();
      expect(answer.questions.every(({ relevant }) => relevant === null)).toBe(true);
    }
    const none = await scoreSources(requestOf({ intent: 'ferries' }), scriptedJudge(SCRIPT));
    expect(none.relevantCoverage).toBeNull();
    expect(none.questions.every(({ relevant }) => relevant === false)).toBe(true);
  });

  test.each([
    [{ questions: [] }, '/questions'],
    [{ questions: [ask('fare', '4', 'x'), ask('fare', '4', 'w')] }, '/questions/1/document'],
    [{ documents: ['x', 'y', 'x'] }, '/documents/2'],
    [{ questions: [ask(' ', '4', 'x')] }, '/questions/0/question'],
    [{ questions: [ask('fare', '', 'x')] }, '/questions/0/answer'],
  ])('refuses %j', async (given, pointer) => {
    const refused = scoreSources(requestOf(given), scriptedJudge({}));
    await expect(refused).rejects.toThrow(InvalidEvaluationError);
    await expect(refused).rejects.toMatchObject({ pointer });
  });

  test('scores do not depend on the order of questions and documents, and agree with a count by hand', async () => {
    const question = fc.record({
      question: fc.constantFrom('fare', 'tram', 'bus'),
      answer: fc.constantFrom('4', '5', 'late'),
      document: fc.constantFrom('x', 'y', 'z'),
    });
    const some = fc.array(question, { minLength: 1, maxLength: 8 });
    const words = fc.subarray(['fare', 'tram', 'bus', '4', '5', 'late'], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(some, words, async (questions, summary) => {
        const given = requestOf({ questions, summary: summary.join(' '), intent: 'tram bus' });
        const answer = await scoreSources(given, scriptedJudge(SCRIPT));
        const turned = await scoreSources(
          { ...given, questions: questions.toReversed(), documents: given.documents.toReversed() },
          scriptedJudge(SCRIPT),
        );
        expect(turned.questions.toReversed()).toEqual(answer.questions);
        expect(turned).toMatchObject({ coverage: answer.coverage, relevantCoverage: answer.relevantCoverage });
        expect(turned.documents.map(({ id, coverage }) => [id, coverage]).toReversed()).toEqual(
          answer.documents.map(({ id, coverage }) => [id, coverage]),
        );
        const byHand = (asked: readonly SourceQuestion[]) =>
          asked.length === 0
            ? null
            : (asked.filter((each) => summary.includes(each.question) && summary.includes(each.answer)).length /
                asked.length) *
              100;
        expect(answer.coverage).toBeCloseTo(byHand(questions) ?? -1, 9);
        for (const { id, coverage } of answer.documents) {
          const expected = byHand(questions.filter(({ document }) => document === id));
          if (expected === null) expect(coverage).toBeNull();
          else expect(coverage).toBeCloseTo(expected, 9);
        }
      }),
    );
  });
});
