import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SummHayAnswer } from '../../../src/evaluation/index.ts';
import { type EvaluationRecord, evaluationResults, type ScoredRecord } from '../../../src/lab/results/evaluations.ts';
import { estimatedCurve } from '../../../src/lab/results/positions.ts';
import { JUDGED, scored } from './scored-records.ts';

const ORDERED = [
  scored({ id: 'a', system: 'ours', order: 'top' }, { coverage: 60, joint: 30 }),
  scored({ id: 'a', system: 'ours', order: 'random' }, { coverage: 50, joint: 20 }),
  scored({ id: 'a', system: 'ours', order: 'bottom' }, { coverage: 50, joint: 4 }),
  scored({ id: 'b', system: 'ours', order: 'top' }, { coverage: 70, joint: 34 }),
  scored({ id: 'b', system: 'ours', order: 'random' }, { coverage: 40, joint: 22 }),
  scored({ id: 'b', system: 'ours', order: 'bottom' }, { coverage: 50, joint: 8 }),
];

/** The insights of a summary by the F1 of their citations; null where they are not covered. */
const insightsOf = (f1s: readonly (number | null)[]): SummHayAnswer['insights'] =>
  f1s.map((f1, place) => ({
    ...{ id: `i${place}`, coverage: f1 === null ? 0 : 100, score: 0, bullet: null },
    ...{ precision: f1, recall: f1, f1 },
  }));

/** A summary with the scores of its insights, computed here by hand. */
function summaryOf(id: string, system: string, f1s: readonly (number | null)[], about: Partial<EvaluationRecord> = {}) {
  const insights = insightsOf(f1s);
  const covered = f1s.filter((f1) => f1 !== null);
  const total = covered.reduce((sum, f1) => sum + f1, 0);
  const citation = covered.length === 0 ? 0 : total / covered.length;
  const figures = { coverage: (100 * covered.length) / f1s.length, citation, joint: total / f1s.length };
  const evaluation: EvaluationRecord['evaluation'] = {
    metric: 'summhay',
    bullets: ['It is so [1].'],
    insights: insights.map((each) => ({ id: each.id, text: `It is ${each.id}.`, documents: ['1'] })),
  };
  return scored({ id, system, evaluation, ...about }, { ...figures, insights });
}

test('figures of ARGUE are means over reports, and micro averages over their sentences, nuggets and citations', () => {
  /** A report of rewarded sentences and others without support, each with a citation; it tells the first nuggets. */
  const reportOf = (id: string, good: number, bad: number, told: number, nuggets: number): ScoredRecord => {
    const sentences = Array.from({ length: good + bad }, (_, place) => ({
      ...{ text: 'It is so.', nuggets: [], outcome: place < good ? (3 as const) : (1 as const) },
      citations: [{ document: 'd', supported: place < good, evidence: null }],
    }));
    const asked = Array.from({ length: nuggets }, (_, place) => ({ id: `n${place}`, question: 'Is it so?' }));
    const share = (part: number, of: number) => (100 * part) / of;
    const [precision, recall] = [share(good, good + bad), share(told, nuggets)];
    const figures = { precision, recall, vitalRecall: recall, f1: null, citationSupport: precision };
    const answer = { metric: 'argue' as const, ...figures, sentences, nuggets: [], ...JUDGED };
    const report = { sentences: sentences.map(({ text }) => ({ text, citations: ['d'] })) };
    const evaluation = {
      metric: 'argue' as const,
      report,
      nuggets: asked,
      documents: [{ id: 'd', text: 'It is so.' }],
    };
    return { item: { id, evaluation }, result: answer, known: false };
  };
  const [{ arms }] = evaluationResults([reportOf('a', 1, 0, 1, 1), reportOf('b', 1, 3, 1, 4)]);
  const value = (name: string) => arms[0].figures[`argue.${name}`].value;
  expect([value('precision'), value('precisionMicro')]).toEqual([62.5, 40]);
  expect([value('recall'), value('recallMicro')]).toEqual([62.5, 40]);
  expect([value('vitalRecallMicro'), value('citationSupportMicro')]).toEqual([40, 40]);
});

test('scores of SummHay are means over the insights of all summaries, citations over those covered', () => {
  // The case of a summary that covers nothing, beside two of which every covered insight has an F1 of 66.7.
  const third = 200 / 3;
  const theirs = [[third, third, null], [null], [third, null, null, null]];
  const ours = [[100], [50], [null, null, 20, 40]];
  const records = [...theirs.map((f1s, place) => summaryOf(`q${place}`, 'theirs', f1s, { domain: 'd' }))];
  records.push(...ours.map((f1s, place) => summaryOf(`q${place}`, 'ours', f1s, { domain: 'd' })));
  const [{ arms, breakdowns }] = evaluationResults(records, { by: ['domain'] });
  const figures = arms.map(({ name, figures: of }) => [
    name,
    ...['coverage', 'citation', 'joint'].map((key) => of[`summhay.${key}`]),
  ]);
  const closeTo = (value: number) => expect.objectContaining({ value: expect.closeTo(value, 9) });
  expect(figures).toEqual([
    ['ours', closeTo(400 / 6), closeTo(210 / 4), closeTo(210 / 6)],
    ['theirs', closeTo(300 / 8), closeTo(third), closeTo(200 / 8)],
  ]);
  // One summary has no citations to score, which the table says.
  expect(arms.map((row) => row.figures['summhay.citation'].n)).toEqual([3, 2]);
  expect(arms[1].differences?.['summhay.citation']).toEqual(closeTo(third - 210 / 4));
  expect(breakdowns[0].rows.map((row) => row.figures['summhay.joint'])).toEqual([closeTo(35), closeTo(25)]);
  // The means over summaries are others.
  expect(arms[1].figures['summhay.citation'].value).not.toBeCloseTo((third + 0 + third) / 3, 1);
});

test('position sensitivity pools insights too', () => {
  const orders = { top: [[100], [null, null, null]], random: [[0], [40, 40, 40]], bottom: [[0], [0, 0, 0]] };
  const records = (['top', 'random', 'bottom'] as const).flatMap((order) =>
    orders[order].map((f1s, place) => summaryOf(`q${place}`, 'ours', f1s, { order })),
  );
  // top 25, random 30, bottom 0; over summaries 50, 20 and 0.
  expect(evaluationResults(records)[0].sensitivities[0].sensitivity.value).toBeCloseTo(30, 9);
});

const TWO_SYSTEMS = [
  scored({ id: 'a', system: 'b-theirs' }, { coverage: 50, citation: 80 }),
  scored({ id: 'b', system: 'b-theirs' }, { coverage: 20, citation: null }),
  scored({ id: 'c', system: 'b-theirs' }, { coverage: 90, citation: 10 }),
  scored({ id: 'a', system: 'a-ours' }, { coverage: 60, citation: 70 }),
  scored({ id: 'b', system: 'a-ours' }, { coverage: 30, citation: 50 }),
  scored({ id: 'd', system: 'a-ours' }, { coverage: 0, citation: 50 }),
];

test('systems are compared on the ids that both have, with the first by name or the one that is named', () => {
  const [{ arms, baseline }] = evaluationResults(TWO_SYSTEMS);
  expect(arms.map(({ name, figures }) => [name, figures['summhay.coverage'].value])).toEqual([
    ['a-ours', 30],
    ['b-theirs', 160 / 3],
  ]);
  expect([baseline, arms[0].differences]).toEqual(['a-ours', null]);
  // Both differ by 10, so that no resample tells otherwise.
  expect(arms[1].differences?.['summhay.coverage']).toMatchObject({ value: -10, low: -10, high: -10, n: 2, p: null });
  // Theirs covers nothing in b: 80 over its one covered insight, against 60 over two.
  expect(arms[1].differences?.['summhay.citation']).toMatchObject({ value: 20, low: 10, high: 20, n: 2 });
  const [turned] = evaluationResults(TWO_SYSTEMS, { baseline: 'b-theirs' });
  expect(turned.arms[0].differences?.['summhay.coverage'].value).toBe(10);
});

test('figures do not change, to the last bit, with the order of the records', () => {
  const records = [...ORDERED, ...TWO_SYSTEMS].map((each, index) => ({
    ...each,
    result: { ...each.result, wordsPerBullet: 10 / (index + 3) } as ScoredRecord['result'],
  }));
  const options = { by: ['order', 'domain'] as const };
  const expected = JSON.stringify(evaluationResults(records, options));
  fc.assert(
    fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
      expect(JSON.stringify(evaluationResults(shuffled, options))).toBe(expected);
    }),
    { numRuns: 8 },
  );
});

test('the curve of source coverage pools documents by tenths of their order', () => {
  const documents = (coverages: readonly (number | null)[]) =>
    coverages.map((coverage, position) => ({ id: `d${position}`, position, coverage }));
  const answerOf = (coverages: readonly (number | null)[]) =>
    ({
      metric: 'source-coverage',
      coverage: 0,
      relevantCoverage: null,
      questions: [],
      documents: documents(coverages),
      ...JUDGED,
    }) as const;
  const evaluation = { metric: 'source-coverage', summary: 's', documents: [], questions: [] } as const;
  const records = [answerOf([100, 0]), answerOf([50, 50, 50, 50, null, 0, 0, 0, 0, 100])].map((answer, index) => ({
    item: { id: String(index), evaluation },
    result: answer,
    known: false,
  }));
  const [{ curves }] = evaluationResults(records);
  const curve = curves[0].bins.map(({ coverage }) => [coverage.value, coverage.n]);
  // Two documents stand at 1/4 and 3/4 of the input.
  expect(curve).toEqual([
    [50, 1],
    [50, 1],
    [75, 2],
    [50, 1],
    [null, 0],
    [0, 1],
    [0, 1],
    [0, 2],
    [0, 1],
    [100, 1],
  ]);
});

test('KPF is averaged over questions: the harmonic mean of the averages is another number', () => {
  const question = (id: string, recall: number, precision: number): ScoredRecord => ({
    item: { id, evaluation: { metric: 'key-point-recall', answer: 'Fares rose.', keyPoints: ['Fares rose.'] } },
    result: {
      metric: 'key-point-recall',
      recall,
      precision,
      f1: (2 * recall * precision) / (recall + precision),
      keyPoints: [],
      answerKeyPoints: [],
      ...JUDGED,
    },
    known: false,
  });
  const [{ arms }] = evaluationResults([question('a', 100, 20), question('b', 20, 100)]);
  expect(arms[0].figures['keyPoints.recall'].value).toBe(60);
  expect(arms[0].figures['keyPoints.precision'].value).toBe(60);
  expect(arms[0].figures['keyPoints.f1'].value).toBeCloseTo(100 / 3, 12);
});

test('a tenth of the input counts each of its documents, not each text', () => {
  const all = (count: number, coverage: number) => Array.from({ length: count }, () => coverage);
  // Three documents of the first text stand in each tenth, one of the second.
  const [{ coverage }] = estimatedCurve([
    { id: 'a', byPosition: all(30, 100) },
    { id: 'b', byPosition: all(10, 0) },
  ]);
  expect(coverage).toMatchObject({ value: 75, n: 4 });
});

test('the curve shows what is lost in the middle, over texts of different length', () => {
  const curve = estimatedCurve([
    { id: 'a', byPosition: [90, 20, 70] },
    { id: 'b', byPosition: [100, 50, 0, 10, null, 80] },
  ]);
  expect(curve.map(({ coverage }) => coverage.value)).toEqual([100, 90, 50, null, 0, 15, null, null, 70, 80]);
});
