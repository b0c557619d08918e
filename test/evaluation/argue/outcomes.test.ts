import { describe, expect, test } from 'vitest';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import type { ArgueAnswer } from '../../../src/evaluation/metrics/argue-shapes.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';
import { absence, nugget, requestOf, sentence, tellingJudge } from './reports.ts';

const DOCUMENTS = { d1: 'fact:fare fact:tram', d2: 'fact:fare none:bus', d3: 'other' };
const NUGGETS = [nugget('n1', 'fare'), absence('n2', 'bus')];

const outcomes = ({ sentences }: ArgueAnswer) => sentences.map(({ outcome }) => outcome);
const scored = (sentences: Parameters<typeof requestOf>[0], nuggets = NUGGETS) =>
  scoreReport(requestOf(sentences, nuggets, DOCUMENTS), tellingJudge());

test.each([
  ['a cited document does not support it', [sentence('fact:fare', 'd3')], [1]],
  ['a cited document is not there', [sentence('fact:fare', 'd9')], [1]],
  ['all cited documents but one do', [sentence('fact:fare', 'd1', 'd3', 'd2')], [1]],
  ['supported, of no nugget', [sentence('fact:tram', 'd1')], [2]],
  ['supported, of a nugget', [sentence('fact:fare', 'd1', 'd2')], [3]],
  ['needs no citation', [sentence('known:fare')], [4]],
  ['an earlier sentence states it, which needs a citation', [sentence('fact:fare'), sentence('fact:fare')], [5, 6]],
  ['a cited sentence states it', [sentence('fact:fare', 'd1'), sentence('known:x'), sentence('fact:fare')], [3, 4, 6]],
  ['a later one that cites does, even without support', [sentence('fact:fare'), sentence('fact:fare', 'd3')], [6, 1]],
  ['another absence', [sentence('none:fare')], [7]],
  ['the absence of a nugget', [sentence('none:bus')], [8]],
  [
    'an absence that cites is judged by its documents',
    [sentence('none:bus', 'd1'), sentence('none:bus', 'd2')],
    [1, 3],
  ],
])('outcomes: %s', async (_, sentences, expected) => {
  expect(outcomes(await scored(sentences))).toEqual(expected);
});

test('an absence earns no nugget that has answers', async () => {
  const judge = tellingJudge({ reported: () => true });
  const answer = await scoreReport(requestOf([sentence('none:bus')], NUGGETS), judge);
  expect(answer.sentences[0]).toMatchObject({ outcome: 8, nuggets: ['n1', 'n2'] });
  expect(answer.nuggets.map(({ reported }) => reported)).toEqual([false, true]);
});

test('blank sentences need no citation, and are supported by none, unasked', async () => {
  const blank = requestOf([sentence(' '), sentence('[1]'), sentence('', 'd1')], NUGGETS, DOCUMENTS);
  expect(outcomes(await scoreReport(blank, scriptedJudge({})))).toEqual([4, 4, 1]);
});

describe('the judge', () => {
  test('reads sentences without markers, and is asked for kinds of those without citations, with the request', async () => {
    const judge = tellingJudge();
    const report = [sentence('fact:fare [d1][2]', 'd1'), sentence('known:x'), sentence('fact:tram [sic]')];
    await scoreReport({ ...requestOf(report, NUGGETS, DOCUMENTS), request: { background: 'x' } }, judge);
    const elsewhere = { claim: 'fact:tram [sic]', texts: ['fact:fare\nknown:x'] };
    expect(judge.calls.map(({ method, asked }) => [method, asked[0]])).toEqual([
      ['kinds', ['known:x', 'fact:tram [sic]']],
      ['reported', ['fact:fare', 'fact:tram [sic]']],
      ['entailment', [{ claim: 'fact:fare', texts: [DOCUMENTS.d1] }, elsewhere]],
    ]);
    expect(judge.calls[0]?.asked[1]).toEqual({ background: 'x' });
  });

  test('is asked of each pair of sentence and document once, and of no document that is not there, or blank', async () => {
    const judge = tellingJudge();
    const cited = sentence('fact:tram', 'd1', 'd1', 'd9', 'd4');
    const answer = await scoreReport(requestOf([cited, cited], NUGGETS, { ...DOCUMENTS, d4: ' ' }), judge);
    const tasks = judge.calls.find(({ method }) => method === 'entailment')?.asked[0];
    expect(tasks).toEqual([{ claim: 'fact:tram', texts: [DOCUMENTS.d1] }]);
    expect(answer.sentences[0].citations).toEqual([
      ...Array(2).fill({ document: 'd1', supported: true, evidence: DOCUMENTS.d1 }),
      ...['d9', 'd4'].map((document) => ({ document, supported: false, evidence: null })),
    ]);
  });

  test('is not asked about a document that the answer which is reported lists', async () => {
    const linked = nugget('n1', 'fare', {
      answers: [
        { text: '4', documents: ['d3'] },
        { text: '5', documents: ['d2'] },
      ],
    });
    const score = (said: string, documents = {}) =>
      scoreReport(
        requestOf([sentence('fact:fare', 'd3')], [linked], documents),
        tellingJudge({ entailment: undefined, reported: (_, { answers = [] }) => answers[0].text === said }),
      );
    const [told] = (await score('4', DOCUMENTS)).sentences;
    expect(told).toMatchObject({ outcome: 3, citations: [{ document: 'd3', supported: true, evidence: null }] });
    await expect(score('5', DOCUMENTS)).rejects.toThrow('entailment');
    expect(outcomes(await score('4'))).toEqual([1]);
  });
});

test('an answer whose document is not cited leaves the sentence without a nugget, and the nugget unreported', async () => {
  const attested = nugget('n1', 'fare', { answers: [{ text: '4', documents: ['d1'] }] });
  const answer = await scored([sentence('fact:fare', 'd2')], [attested]);
  expect(answer).toMatchObject({ precision: null, recall: 0, citationSupport: 100 });
  expect(answer.sentences[0]).toMatchObject({ outcome: 2, nuggets: ['n1'] });
  expect(answer.nuggets).toEqual([{ id: 'n1', reported: false, sentences: [] }]);
  const other = nugget('n2', 'fare', { answers: [{ text: '4', documents: ['d2'] }] });
  const both = await scored([sentence('fact:fare', 'd1')], [attested, other]);
  expect(both).toMatchObject({ recall: 50, sentences: [{ outcome: 3, nuggets: ['n1', 'n2'] }] });
});

describe('totals', () => {
  const three = [nugget('a', 'fare', { weight: 6 }), nugget('b', 'tram', { weight: 0.5 }), nugget('c', 'owner')];
  const report = [sentence('fact:fare', 'd1'), sentence('fact:tram', 'd3'), sentence('fact:bus'), sentence('none:x')];

  test('recall goes by weight unless the request says otherwise; penalised sentences lower precision', async () => {
    const weighted = await scored(report, three);
    expect(outcomes(weighted)).toEqual([3, 1, 5, 7]);
    expect(weighted).toMatchObject({ precision: 25, recall: 80 });
    expect(weighted.f1).toBeCloseTo((2 * 25 * 80) / 105, 12);
    const plain = await scoreReport(requestOf(report, three, DOCUMENTS, { weights: false }), tellingJudge());
    expect(plain.recall).toBeCloseTo(100 / 3, 12);
  });

  test('citation support by hand: 4 of 7 citations; the mean of 1/1, 1/3, 2/2 and 0/1; one cited twice counts once', async () => {
    const cited = [
      sentence('fact:fare', 'd1', 'd1'),
      sentence('fact:tram', 'd1', 'd2', 'd3'),
      sentence('known:x'),
      sentence('fact:fare', 'd2', 'd1'),
      sentence('fact:bus', 'd9'),
    ];
    expect((await scored(cited, three)).citationSupport).toBeCloseTo(57.142857142857, 10);
    const macro = await scoreReport(requestOf(cited, three, DOCUMENTS, { average: 'macro' }), tellingJudge());
    expect(macro.citationSupport).toBeCloseTo(58.333333333333, 10);
  });

  test.each([
    ['no sentences', [], three, { precision: null, recall: 0, f1: 0, citationSupport: null, sentences: [] }],
    ['all left out', [sentence('known:x')], three, { precision: null, recall: 0, f1: 0, citationSupport: null }],
    ['nothing right', [sentence('fact:fare', 'd3')], three, { precision: 0, recall: 0, f1: 0 }],
    ['no nuggets', report, [], { precision: 0, recall: null, vitalRecall: null, f1: null, nuggets: [] }],
  ])('of %s', async (_, sentences, nuggets, expected) => {
    const judge = tellingJudge(nuggets.length === 0 ? { reported: undefined } : {});
    expect(await scoreReport(requestOf(sentences, nuggets, DOCUMENTS), judge)).toMatchObject(expected);
  });
});

const weighing = (...weights: number[]) =>
  requestOf(
    [],
    weights.map((weight, place) => nugget(`${place}`, 'x', { weight })),
  );
const twice = ['x', 'y'].map((text) => ({ id: 'a', text }));

test.each([
  ['a document id twice', { ...requestOf([], []), documents: twice }, '/documents/1/id'],
  ['a nugget id twice', requestOf([], [nugget('a', 'x'), nugget('b', 'y'), nugget('a', 'z')]), '/nuggets/2/id'],
  ['weight 0', weighing(1, 0), '/nuggets/1/weight'],
  ['weight NaN', weighing(Number.NaN), '/nuggets/0/weight'],
  ['weight Infinity', weighing(Number.POSITIVE_INFINITY), '/nuggets/0/weight'],
  ['weights without a finite sum', weighing(1e308, 1e308), '/nuggets/1/weight'],
])('refuses %s', async (_, request, pointer) => {
  const refused = scoreReport(request, scriptedJudge({}));
  await expect(refused).rejects.toThrow(InvalidEvaluationError);
  await expect(refused).rejects.toMatchObject({ pointer });
});
