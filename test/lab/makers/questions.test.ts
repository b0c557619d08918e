import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { questionsMaker } from '../../../src/lab/makers/questions.ts';
import { ModelCallError, type Question, renderPrompt } from '../../../src/models/index.ts';
import { utf8Length } from '../../../src/text/index.ts';
import type { FakeAnswer } from '../../support/asked-stage-model.ts';
import { madeBy } from './asked.ts';

const sentence = (n: number) =>
  `Station ${n} of the coastal line was opened by mayor Number${n} in the year ${1800 + n}.`;
const lineOf = (stations: number) => ({
  id: 'd',
  title: 'The coastal line',
  text: Array.from({ length: stations }, (_, n) => sentence(n)).join(' '),
});
const setOf = (document: { readonly id: string; readonly text: string }): BenchmarkSet => ({
  name: 's',
  collections: [{ id: 'c', documents: [document] }],
  cases: [],
  made: [],
});

/** The questions of a document by a model that answers by a function. */
async function asked(document: Parameters<typeof setOf>[0], count: number, answer: FakeAnswer, contextTokens = 8192) {
  const maker = questionsMaker(setOf(document), { questions: count });
  const { set, ...made } = await madeBy(maker, answer, { contextTokens });
  return { ...made, given: set?.collections[0].questions ?? [] };
}

/** Questions on the stations that the part of the document speaks of. */
const onStations = ({ values }: Question) =>
  [...values.document.matchAll(/Station (\d+) of/g)].map(([, n]) => ({
    question: `Who opened station ${n} of the coastal line?`,
    answer: `mayor Number${n}`,
  }));

test('takes as many as are wanted of those that can be used, and counts the others', async () => {
  const { given, counts, questions } = await asked(lineOf(12), 10, (question) => onStations(question));
  expect(questions.map(({ values }) => values.count)).toEqual(['10']);
  expect(given).toHaveLength(10);
  expect(given[0].answer).toBe('mayor Number0');
  expect(counts).toEqual({ questions: 10 });
  const odd = await asked(lineOf(12), 5, (question) => ({
    questions: [
      onStations(question)[0],
      { question: 'WHO opened station 0 of the coastal line', answer: 'mayor Number0' },
      { question: 'Why was it built?', answer: 'foreign investors', kind: 'reasoning' },
      { question: `How long${' long'.repeat(13)}?`, answer: 'year' },
      { question: ' ?', answer: 'a' },
      { question: ' In which\n year? ', answer: 1803 },
      'none',
    ],
  }));
  expect(odd.given.map((each) => [each.question, each.answer, each.kind])).toEqual([
    ['Who opened station 0 of the coastal line?', 'mayor Number0', 'fact'],
    ['Why was it built?', 'foreign investors', 'reasoning'],
    ['In which year?', '1803', 'fact'],
  ]);
  expect(odd.counts).toEqual({ questions: 3, empty: 1, longQuestions: 1, duplicates: 1, missing: 2 });
});

test('what is no list, no answer and no document give no questions', async () => {
  for (const answer of ['Who?', new ModelCallError('malformed', 'no')]) {
    expect(await asked(lineOf(12), 1, () => answer)).toMatchObject({ given: [], counts: { missing: 1 } });
  }
  expect((await asked({ id: 'd', text: ' \n' }, 10, () => ({ questions: [] }))).questions).toEqual([]);
});

test('reads a long document in windows, and takes questions from its beginning to its end', async () => {
  for (const [context, least] of [
    [8192, 4],
    [1024, 11],
  ] as const) {
    const { given, questions } = await asked(lineOf(600), 10, (question) => onStations(question), context);
    expect(questions.length).toBeGreaterThanOrEqual(least);
    const stations = given.map(({ answer }) => Number(/\d+/.exec(answer)?.[0]));
    expect(stations).toHaveLength(10);
    expect(stations).toEqual(stations.toSorted((a, b) => a - b));
    expect(new Set(stations.map((n) => Math.floor(n / 150))).size).toBe(4);
  }
});

test('what is asked fits into the context', async () => {
  for (const context of [1024, 8192]) {
    const { questions } = await asked(lineOf(200), 10, () => ({ questions: [] }), context);
    expect(questions.length).toBeGreaterThan(0);
    for (const { prompt, values, maxTokens } of questions) {
      const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
      expect(bytes / 4 + maxTokens).toBeLessThan(context);
    }
  }
});

test('fills cases without an intent, adds one if there is none, and keeps earlier questions of other documents', async () => {
  const document = (id: string) => ({ id, text: `The mill of ${id} burned.` });
  const old = (of: string, position: number) => ({ question: `Old ${of}?`, answer: 'x', document: of, position });
  const before = [old('x', 0), old('y', 1)];
  const set: BenchmarkSet = {
    name: 's',
    collections: [
      { id: 'a', documents: [document('x'), document('y')], questions: before },
      { id: 'b', documents: [document('z')] },
    ],
    cases: [
      { id: 'own', collection: 'a', reference: 'A summary.' },
      { id: 'asks', collection: 'b', intent: 'What?', questions: [old('z', 0)] },
    ],
    made: [],
  };
  const maker = questionsMaker(set, { questions: 1 });
  const { set: made } = await madeBy(maker, ({ values }) => {
    const of = /mill of (\w)/.exec(values.document)?.[1];
    return { questions: of === 'y' ? [] : [{ question: `What burned at ${of}?`, answer: 'the mill' }] };
  });
  const given = (of: string, position: number) => ({
    ...{ question: `What burned at ${of}?`, answer: 'the mill', kind: 'fact', document: of, position },
  });
  expect(made?.collections.map(({ questions }) => questions)).toEqual([[given('x', 0), before[1]], [given('z', 0)]]);
  expect(made?.cases).toEqual([
    { ...set.cases[0], questions: [given('x', 0), before[1]] },
    set.cases[1],
    { id: 'b', collection: 'b', questions: [given('z', 0)] },
  ]);
  const asked = { id: 'asked', collection: 'b', questions: [old('z', 0), old('w', 1)] };
  const kept = await madeBy(questionsMaker({ ...set, cases: [asked] }, { questions: 1 }), ({ values }) => ({
    questions: values.document.includes('z') ? [{ question: 'What burned at z?', answer: 'the mill' }] : [],
  }));
  expect(kept.set?.cases).toEqual([{ ...asked, questions: [given('z', 0), old('w', 1)] }]);
  const taken = { ...set, cases: [{ id: 'b', collection: 'b', intent: 'What?' }] };
  const beside = await madeBy(questionsMaker(taken, { questions: 1 }), ({ values }) => [
    { question: `What burned at ${/mill of (\w)/.exec(values.document)?.[1]}?`, answer: 'the mill' },
  ]);
  expect(beside.set?.cases.map(({ id }) => id)).toEqual(['b', 'a', 'b/all']);
});
