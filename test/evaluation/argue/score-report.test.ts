import { describe, expect, test } from 'vitest';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';
import { nugget, requestOf, sentence, tellingJudge } from './reports.ts';

const DOCUMENTS = { d1: 'fact:fare fact:tram fact:bus', d2: 'fact:fare', d3: 'other' };

describe('totals', () => {
  const three = [nugget('a', 'fare', { weight: 6 }), nugget('b', 'tram', { weight: 0.5 }), nugget('c', 'owner')];
  const report = [sentence('fact:fare', 'd1'), sentence('fact:tram', 'd3'), sentence('fact:bus'), sentence('none:x')];

  test('penalised sentences lower precision, and earn no nugget', async () => {
    const answer = await scoreReport(requestOf(report, three, DOCUMENTS), tellingJudge());
    expect(answer.sentences.map(({ outcome }) => outcome)).toEqual([3, 1, 5, 7]);
    expect(answer.precision).toBe(25);
    expect(answer.sentences[1]?.nuggets).toEqual(['b']);
    expect(answer.nuggets.map(({ reported }) => reported)).toEqual([true, false, false]);
  });

  test('recall goes by weight unless the request says otherwise', async () => {
    const weighted = await scoreReport(requestOf(report, three, DOCUMENTS), tellingJudge());
    expect(weighted.recall).toBe(80);
    expect(weighted.f1).toBeCloseTo((2 * 25 * 80) / 105, 12);
    const plain = await scoreReport(requestOf(report, three, DOCUMENTS, { weights: false }), tellingJudge());
    expect(plain.recall).toBeCloseTo(100 / 3, 12);
  });

  test('an okay nugget counts half in recall, unless it has a weight, and not in that of vital ones', async () => {
    const graded = [
      nugget('a', 'fare', { importance: 'vital' }),
      nugget('b', 'tram'),
      nugget('c', 'bus', { importance: 'okay' }),
      nugget('d', 'line', { importance: 'okay', weight: 3 }),
    ];
    const told = [sentence('fact:fare', 'd1'), sentence('fact:bus', 'd1')];
    const answer = await scoreReport(requestOf(told, graded, DOCUMENTS), tellingJudge());
    expect(answer).toMatchObject({ precision: 100, vitalRecall: 50 });
    expect(answer.recall).toBeCloseTo((100 * 1.5) / 5.5, 12);
    const plain = await scoreReport(requestOf(told, graded, DOCUMENTS, { weights: false }), tellingJudge());
    expect(plain).toMatchObject({ recall: 50, vitalRecall: 50 });
    const optional = await scoreReport(requestOf(told, graded.slice(2), DOCUMENTS), tellingJudge());
    expect(optional.vitalRecall).toBeNull();
  });

  test('citation support over all citations, or first within sentences; a document cited twice counts once', async () => {
    const cited = [sentence('fact:fare', 'd1', 'd1'), sentence('fact:fare', 'd3', 'd9', 'd2'), sentence('fact:bus')];
    const micro = await scoreReport(requestOf(cited, three, DOCUMENTS), tellingJudge());
    expect(micro.citationSupport).toBe(50);
    const macro = await scoreReport(requestOf(cited, three, DOCUMENTS, { average: 'macro' }), tellingJudge());
    expect(macro.citationSupport).toBeCloseTo((100 + 100 / 3) / 2, 12);
    expect(macro.sentences).toEqual(micro.sentences);
    const none = await scoreReport(requestOf([sentence('known:x')], three, DOCUMENTS), tellingJudge());
    expect(none.citationSupport).toBeNull();
  });

  test('micro and macro averages by hand: 4 of 7 citations; the mean of 1/1, 1/3, 2/2 and 0/1', async () => {
    const cited = [
      sentence('fact:fare', 'd1'),
      sentence('fact:tram', 'd1', 'd2', 'd3'),
      sentence('known:x'),
      sentence('fact:fare', 'd2', 'd1'),
      sentence('fact:bus', 'd9'),
    ];
    const micro = await scoreReport(requestOf(cited, three, DOCUMENTS, { average: 'micro' }), tellingJudge());
    expect(micro.citationSupport).toBeCloseTo(57.142857142857, 10);
    const macro = await scoreReport(requestOf(cited, three, DOCUMENTS, { average: 'macro' }), tellingJudge());
    expect(macro.citationSupport).toBeCloseTo(58.333333333333, 10);
  });

  test('no sentences: nothing to be wrong in, and nothing reported, unasked', async () => {
    const answer = await scoreReport(requestOf([], three, DOCUMENTS), scriptedJudge({}));
    expect(answer).toMatchObject({ precision: null, recall: 0, f1: 0, citationSupport: null, sentences: [] });
  });

  test('all sentences left out: precision is null', async () => {
    const answer = await scoreReport(requestOf([sentence('known:x')], three, DOCUMENTS), tellingJudge());
    expect(answer).toMatchObject({ precision: null, recall: 0, f1: 0 });
  });

  test('no nuggets: recall is null, and nobody is asked what is reported', async () => {
    const judge = tellingJudge({ reported: undefined });
    const answer = await scoreReport(requestOf(report, [], DOCUMENTS), judge);
    expect(answer).toMatchObject({ precision: 0, recall: null, f1: null, nuggets: [] });
  });

  test('F1 is 0 where both are', async () => {
    const answer = await scoreReport(requestOf([sentence('fact:fare', 'd3')], three, DOCUMENTS), tellingJudge());
    expect(answer).toMatchObject({ precision: 0, recall: 0, f1: 0 });
  });
});

describe('a request that cannot be scored', () => {
  const twice = {
    ...requestOf([], []),
    documents: [
      { id: 'a', text: 'x' },
      { id: 'a', text: 'y' },
    ],
  };
  const weighing = (...weights: number[]) =>
    requestOf(
      [],
      weights.map((weight, place) => nugget(`${place}`, 'x', { weight })),
    );

  test.each([
    ['a document id twice', twice, '/documents/1/id'],
    ['a nugget id twice', requestOf([], [nugget('a', 'x'), nugget('b', 'y'), nugget('a', 'z')]), '/nuggets/2/id'],
    ['weight 0', weighing(1, 0), '/nuggets/1/weight'],
    ['weight -1', weighing(-1), '/nuggets/0/weight'],
    ['weight NaN', weighing(Number.NaN), '/nuggets/0/weight'],
    ['weight Infinity', weighing(Number.POSITIVE_INFINITY), '/nuggets/0/weight'],
    ['weights without a finite sum', weighing(1e308, 1e308), '/nuggets/1/weight'],
  ])('is refused: %s', async (_, request, pointer) => {
    const refused = scoreReport(request, scriptedJudge({}));
    await expect(refused).rejects.toThrow(InvalidEvaluationError);
    await expect(refused).rejects.toMatchObject({ pointer });
  });
});
