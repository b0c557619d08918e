import { expect, test } from 'vitest';
import type { EvaluationAnswer, EvaluationRequest } from '../../src/evaluation/index.ts';
import type { EvaluationRecord } from '../../src/lab/bulk/record.ts';
import { type RunOptions, type RunProgress, runAll, spentOnce } from '../../src/lab/runner.ts';
import { summHayAnswer } from './bulk/scored-records.ts';

const bulletOf = (evaluation: EvaluationRequest) =>
  evaluation.metric === 'summhay' ? String(evaluation.bullets[0]) : '';
const recordOf = (id: string, bullet: string): EvaluationRecord => ({
  id,
  evaluation: { metric: 'summhay', bullets: [bullet], insights: [{ id: 'i', text: 'x' }] },
});

/** Scoring by the number in a bullet, over answers that are kept in a map. */
function fakeScoring(overrides: Partial<RunOptions<EvaluationRecord, EvaluationAnswer>> = {}) {
  const kept = new Map<string, EvaluationAnswer>();
  const asked: string[] = [];
  const told: RunProgress[] = [];
  const parts: RunOptions<EvaluationRecord, EvaluationAnswer> = {
    keyOf: ({ evaluation }) => bulletOf(evaluation),
    known: async (keys) => new Map([...kept].filter(([key]) => keys.includes(key))),
    make: async ({ evaluation }) => {
      asked.push(bulletOf(evaluation));
      if (bulletOf(evaluation) === 'bad') throw new Error('cannot be judged');
      return summHayAnswer({ coverage: Number(bulletOf(evaluation)) });
    },
    keep: async (key, answer) => {
      kept.set(key, answer);
    },
    onProgress: (progress) => told.push(progress),
    isFatal: () => false,
    atOnce: 2,
    signal: new AbortController().signal,
    ...overrides,
  };
  return { parts, kept, asked, told };
}

test('records are scored in their order, and what asks the same is asked once', async () => {
  const { parts, kept, asked, told } = fakeScoring();
  const records = [recordOf('a', '3'), recordOf('b', '1'), recordOf('c', '3')];
  const { made, failed, isStopped } = await runAll(records, parts);
  expect(
    made.map(({ item, result, known }) => [item.id, result.metric === 'summhay' && result.coverage, known]),
  ).toEqual([
    ['a', 3, false],
    ['b', 1, false],
    ['c', 3, false],
  ]);
  expect([failed, isStopped]).toEqual([[], false]);
  expect(asked.sort()).toEqual(['1', '3']);
  expect([...kept.keys()].sort()).toEqual(['1', '3']);
  expect(told[0]).toEqual({ done: 0, total: 3, known: 0, failed: 0 });
  expect(told.at(-1)).toEqual({ done: 3, total: 3, known: 0, failed: 0 });
  expect(told.map(({ done }) => done)).toEqual([0, 1, 2, 3]);
});

test('a run goes on where an earlier one ended, whatever failed then', async () => {
  const { parts, asked, told } = fakeScoring();
  const records = [recordOf('a', '3'), recordOf('b', 'bad'), recordOf('c', '1')];
  const first = await runAll(records, parts);
  expect(first.failed.map(({ item, failure }) => [item.id, String(failure)])).toEqual([
    ['b', 'Error: cannot be judged'],
  ]);
  expect(first.made.map(({ item }) => item.id)).toEqual(['a', 'c']);
  asked.length = 0;
  told.length = 0;
  const second = await runAll([...records, recordOf('d', '9')], parts);
  expect(asked.sort()).toEqual(['9', 'bad']);
  expect(told[0]).toEqual({ done: 2, total: 4, known: 2, failed: 0 });
  expect(second.made.map(({ item, known }) => [item.id, known])).toEqual([
    ['a', true],
    ['c', true],
    ['d', false],
  ]);
});

test('after a failure that all would share nothing more is asked, and all that were not scored are told', async () => {
  const { parts, asked } = fakeScoring({ atOnce: 1, isFatal: (failure) => String(failure).includes('cannot') });
  const records = ['1', 'bad', '2', '3'].map((bullet) => recordOf(bullet, bullet));
  const { made, failed, isStopped } = await runAll(records, parts);
  expect(asked).toEqual(['1', 'bad']);
  expect(made.map(({ item }) => item.id)).toEqual(['1']);
  expect(failed.map(({ item, failure }) => [item.id, String(failure)])).toEqual(
    ['bad', '2', '3'].map((id) => [id, 'Error: cannot be judged']),
  );
  expect(isStopped).toBe(false);
});

test('a run that is told to stop begins nothing more, and keeps what is done', async () => {
  const stop = new AbortController();
  const { parts, kept, asked } = fakeScoring({ atOnce: 1, signal: stop.signal });
  const stopping = {
    ...parts,
    make: async (record: EvaluationRecord) => {
      if (asked.length === 1) {
        stop.abort();
        throw new Error('aborted');
      }
      return parts.make(record);
    },
  };
  const records = ['1', '2', '3', '4'].map((bullet) => recordOf(bullet, bullet));
  const { made, failed, isStopped } = await runAll(records, stopping);
  expect(isStopped).toBe(true);
  expect(asked).toEqual(['1']);
  expect([...kept.keys()]).toEqual(['1']);
  expect(made.map(({ item }) => item.id)).toEqual(['1']);
  expect(failed).toEqual([]);
});

test('a run costs what it asked itself, once', () => {
  const usage = { requests: 2, promptTokens: 10, completionTokens: 5, cost: 0.5, reusedVerdicts: 0 };
  const answer = { ...summHayAnswer({}), usage };
  const other = { ...summHayAnswer({}), usage: { ...usage, cost: 0.25 } };
  const made = [
    { item: recordOf('a', '1'), result: answer, known: false },
    { item: recordOf('b', '1'), result: answer, known: false },
    { item: recordOf('c', '2'), result: other, known: false },
    { item: recordOf('d', '3'), result: { ...summHayAnswer({}), usage }, known: true },
  ];
  expect(spentOnce(made)).toEqual({ requests: 4, promptTokens: 20, completionTokens: 10, cost: 0.75 });
});
