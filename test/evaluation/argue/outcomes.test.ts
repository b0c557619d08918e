import { describe, expect, test } from 'vitest';
import type { Nugget } from '../../../src/evaluation/index.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import type { ArgueAnswer } from '../../../src/evaluation/metrics/argue-shapes.ts';
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
  test('5: needs a citation, and neither an earlier nor a cited sentence states its claim', async () => {
    expect(await outcomeOfLast(sentence('fact:tram', 'd1'), sentence('fact:fare'))).toBe(5);
    expect(await outcomeOfLast(sentence('fact:fare'))).toBe(5);
    const twice = requestOf([sentence('fact:fare'), sentence('known:x'), sentence('fact:fare')], NUGGETS, DOCUMENTS);
    expect(outcomes(await scoreReport(twice, tellingJudge()))).toEqual([5, 4, 6]);
  });
  test('6: needs a citation, and an earlier sentence states its claim, cited or not', async () => {
    expect(await outcomeOfLast(sentence('fact:fare', 'd1'), sentence('known:x'), sentence('fact:fare'))).toBe(6);
    expect(await outcomeOfLast(sentence('fact:fare'), sentence('fact:fare'))).toBe(6);
  });
  test('6: or a later sentence that cites, with support or without', async () => {
    for (const document of ['d1', 'd3']) {
      const report = [sentence('fact:fare'), sentence('known:x'), sentence('fact:fare', document)];
      const answer = await scoreReport(requestOf(report, NUGGETS, DOCUMENTS), tellingJudge());
      expect(outcomes(answer).slice(0, 2)).toEqual([6, 4]);
    }
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

  test('not about a document that the answer which is reported lists', async () => {
    const linked = nugget('n1', 'fare', {
      answers: [
        { text: '4', documents: ['d3', 'd1'] },
        { text: 'four', documents: ['d1', 'd3'] },
        { text: '5', documents: ['d2'] },
      ],
    });
    const says = (...said: string[]) =>
      tellingJudge({
        entailment: undefined,
        reported: (_, { answers = [] }) => answers.some(({ text }) => said.includes(text)),
      });
    const answer = await scoreReport(requestOf([sentence('fact:fare', 'd3')], [linked], DOCUMENTS), says('4'));
    expect(answer.sentences[0]).toEqual({
      text: 'fact:fare',
      outcome: 3,
      nuggets: ['n1'],
      citations: [{ document: 'd3', supported: true, evidence: null }],
    });
    const asked = scoreReport(requestOf([sentence('fact:fare', 'd3')], [linked], DOCUMENTS), says('5'));
    await expect(asked).rejects.toThrow('entailment');
    const gone = await scoreReport(requestOf([sentence('fact:fare', 'd3')], [linked], {}), says('4'));
    expect(outcomes(gone)).toEqual([1]);
  });
});

describe('an answer counts where a document that attests it is cited', () => {
  const attested = nugget('n1', 'fare', { answers: [{ text: '4', documents: ['d1'] }] });
  const scored = (wanted: Nugget, ...citations: string[]) =>
    scoreReport(requestOf([sentence('fact:fare', ...citations)], [wanted], DOCUMENTS), tellingJudge());

  test('another document that bears it out leaves the sentence without a nugget, and the nugget unreported', async () => {
    const answer = await scored(attested, 'd2');
    expect(answer).toMatchObject({ precision: null, recall: 0, citationSupport: 100 });
    expect(answer.sentences[0]).toMatchObject({ outcome: 2, nuggets: ['n1'] });
    expect(answer.nuggets).toEqual([{ id: 'n1', reported: false, sentences: [] }]);
  });

  test('one of the cited documents is enough, and any where the answer lists none', async () => {
    expect(await scored(attested, 'd2', 'd1')).toMatchObject({ precision: 100, recall: 100 });
    for (const documents of [undefined, []]) {
      const free = nugget('n1', 'fare', { answers: [{ text: '4', documents }] });
      expect(await scored(free, 'd2')).toMatchObject({ precision: 100, recall: 100 });
    }
  });

  test('it is the answer given that must be attested, not another of the nugget', async () => {
    const two = nugget('n1', 'fare', {
      answers: [
        { text: '4', documents: ['d1'] },
        { text: '5', documents: ['d2'] },
      ],
    });
    const judge = tellingJudge({ reported: (_, { answers }) => answers?.[0]?.text === '5' });
    const outcome = async (document: string) =>
      outcomes(await scoreReport(requestOf([sentence('fact:fare', document)], [two], DOCUMENTS), judge));
    expect([await outcome('d1'), await outcome('d2')]).toEqual([[2], [3]]);
  });

  test('of two nuggets that a sentence reports it earns the one that is attested', async () => {
    const other = nugget('n2', 'fare', { answers: [{ text: '4', documents: ['d2'] }] });
    const request = requestOf([sentence('fact:fare', 'd1')], [attested, other], DOCUMENTS);
    const answer = await scoreReport(request, tellingJudge());
    expect(answer.sentences[0]).toMatchObject({ outcome: 3, nuggets: ['n1', 'n2'] });
    expect(answer.nuggets.map(({ reported }) => reported)).toEqual([true, false]);
    expect(answer.recall).toBe(50);
  });
});
