import { describe, expect, test } from 'vitest';
import type { ArgueAnswer } from '../../../src/evaluation/answer.ts';
import { outcomeOf } from '../../../src/evaluation/argue/outcome.ts';
import { scoreReport } from '../../../src/evaluation/argue/score-report.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';
import { absence, nugget, requestOf, sentence, tellingJudge } from './reports.ts';

const DOCUMENTS = { d1: 'fact:fare fact:tram', d2: 'fact:fare none:bus', d3: 'other' };
const NUGGETS = [nugget('n1', 'fare'), absence('n2', 'bus')];

const outcomes = ({ sentences }: ArgueAnswer) => sentences.map(({ outcome }) => outcome);

async function outcomeOfLast(...sentences: Parameters<typeof requestOf>[0]) {
  return outcomes(await scoreReport(requestOf(sentences, NUGGETS, DOCUMENTS), tellingJudge())).at(-1);
}

describe('the eight outcomes', () => {
  test('1: a cited document does not support it, is not there, or all but one do', async () => {
    expect(await outcomeOfLast(sentence('fact:fare', 'd3'))).toBe(1);
    expect(await outcomeOfLast(sentence('fact:fare', 'd9'))).toBe(1);
    expect(await outcomeOfLast(sentence('fact:fare', 'd1', 'd3', 'd2'))).toBe(1);
  });
  test('2: supported, of no nugget', async () => {
    expect(await outcomeOfLast(sentence('fact:tram', 'd1'))).toBe(2);
  });
  test('3: supported, of a nugget', async () => {
    expect(await outcomeOfLast(sentence('fact:fare', 'd1', 'd2'))).toBe(3);
  });
  test('4: needs no citation', async () => {
    expect(await outcomeOfLast(sentence('known:fare'))).toBe(4);
  });
  test('5: needs a citation, and states its claim first', async () => {
    expect(await outcomeOfLast(sentence('fact:tram', 'd1'), sentence('fact:fare'))).toBe(5);
    expect(await outcomeOfLast(sentence('fact:fare'))).toBe(5);
  });
  test('6: needs a citation, and repeats an earlier sentence, cited or not', async () => {
    expect(await outcomeOfLast(sentence('fact:fare', 'd1'), sentence('known:x'), sentence('fact:fare'))).toBe(6);
    expect(await outcomeOfLast(sentence('fact:fare'), sentence('fact:fare'))).toBe(6);
  });
  test('7: states an absence that no nugget states', async () => {
    expect(await outcomeOfLast(sentence('none:fare'))).toBe(7);
  });
  test('8: states an absence that a nugget states', async () => {
    expect(await outcomeOfLast(sentence('none:bus'))).toBe(8);
  });
});

describe('what comes first', () => {
  test('an absence that cites documents is judged by them', async () => {
    expect(await outcomeOfLast(sentence('none:bus', 'd1'))).toBe(1);
    expect(await outcomeOfLast(sentence('none:bus', 'd2'))).toBe(3);
  });

  test('citations come before what kind of sentence it is', () => {
    const facts = { cites: true, isSupported: true, reports: true, reportsAbsence: true, isRepeated: true };
    for (const kind of ['claim', 'absence', 'neither'] as const) {
      expect(outcomeOf({ ...facts, kind })).toBe(3);
      expect(outcomeOf({ ...facts, kind, reports: false })).toBe(2);
      expect(outcomeOf({ ...facts, kind, isSupported: false })).toBe(1);
    }
  });

  test('an absence earns no nugget that has answers', async () => {
    const judge = tellingJudge({ reported: () => true });
    const answer = await scoreReport(requestOf([sentence('none:bus')], NUGGETS), judge);
    expect(answer.sentences[0]).toMatchObject({ outcome: 8, nuggets: ['n1', 'n2'] });
    expect(answer.nuggets.map(({ reported }) => reported)).toEqual([false, true]);
    const other = await scoreReport(requestOf([sentence('none:bus')], [nugget('n1', 'fare')]), judge);
    expect(other.sentences[0]?.outcome).toBe(7);
    expect(other.recall).toBe(0);
  });

  test('blank sentences need no citation, and are supported by none, unasked', async () => {
    const answer = await scoreReport(
      requestOf([sentence(' '), sentence('[1]'), sentence('', 'd1')], NUGGETS, DOCUMENTS),
      scriptedJudge({}),
    );
    expect(outcomes(answer)).toEqual([4, 4, 1]);
  });

  test('one of the cited documents is enough where the request says so', async () => {
    const report = [sentence('fact:fare', 'd3', 'd1'), sentence('fact:fare', 'd3', 'd9')];
    const answer = await scoreReport(requestOf(report, NUGGETS, DOCUMENTS, { citations: 'one' }), tellingJudge());
    expect(outcomes(answer)).toEqual([3, 1]);
  });
});

describe('what the judge is asked', () => {
  test('sentences without markers, kinds of those without citations, with the request', async () => {
    const judge = tellingJudge();
    const report = [sentence('fact:fare [d1][2]', 'd1'), sentence('known:x'), sentence('fact:tram [sic]')];
    await scoreReport({ ...requestOf(report, NUGGETS, DOCUMENTS), request: { background: 'x' } }, judge);
    expect(judge.calls.map(({ method, asked }) => [method, asked[0]])).toEqual([
      ['kinds', ['known:x', 'fact:tram [sic]']],
      ['reported', ['fact:fare', 'fact:tram [sic]']],
      [
        'entailment',
        [
          { claim: 'fact:fare', texts: [DOCUMENTS.d1] },
          { claim: 'fact:tram [sic]', texts: ['fact:fare\nknown:x'] },
        ],
      ],
    ]);
    expect(judge.calls[0]?.asked[1]).toEqual({ background: 'x' });
  });

  test('each pair of sentence and document once, and no document that is not there, or blank', async () => {
    const judge = tellingJudge();
    const cited = sentence('fact:tram', 'd1', 'd1', 'd9', 'd4');
    const answer = await scoreReport(requestOf([cited, cited], NUGGETS, { ...DOCUMENTS, d4: ' ' }), judge);
    const tasks = judge.calls.find(({ method }) => method === 'entailment')?.asked[0];
    expect(tasks).toEqual([{ claim: 'fact:tram', texts: [DOCUMENTS.d1] }]);
    expect(answer.sentences[0]?.citations).toEqual([
      { document: 'd1', supported: true, evidence: DOCUMENTS.d1 },
      { document: 'd1', supported: true, evidence: DOCUMENTS.d1 },
      { document: 'd9', supported: false, evidence: null },
      { document: 'd4', supported: false, evidence: null },
    ]);
  });

  test('not about a document that every answer of the nugget lists', async () => {
    const never = tellingJudge({ entailment: undefined });
    const linked = nugget('n1', 'fare', {
      answers: [
        { text: '4', documents: ['d3', 'd1'] },
        { text: 'four', documents: ['d3'] },
      ],
    });
    const answer = await scoreReport(requestOf([sentence('fact:fare', 'd3')], [linked], DOCUMENTS), never);
    expect(answer.sentences[0]).toEqual({
      outcome: 3,
      nuggets: ['n1'],
      citations: [{ document: 'd3', supported: true, evidence: null }],
    });
    const asked = scoreReport(requestOf([sentence('fact:fare', 'd1')], [linked], DOCUMENTS), never);
    await expect(asked).rejects.toThrow('entailment');
    const gone = await scoreReport(requestOf([sentence('fact:fare', 'd3')], [linked], {}), never);
    expect(outcomes(gone)).toEqual([1]);
  });
});
