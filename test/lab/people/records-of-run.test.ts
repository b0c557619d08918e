import { expect, test } from 'vitest';
import { annotationItems, type JudgedRecord, judgedRecordSchema } from '../../../src/lab/people/judged-records.ts';
import { type JudgedOutput, recordsOfRun } from '../../../src/lab/people/records-of-run.ts';

const QUESTIONS = Array.from({ length: 6 }, (_, n) => ({
  question: `Q${n}?`,
  answer: `A${n}`,
  document: 'd1',
  position: 0,
}));

function output(more: Partial<JudgedOutput> = {}): JudgedOutput {
  const documents = ['d1', 'd2', 'd3'].map((id) => ({ id, text: `Text of ${id}.` }));
  return {
    id: 'x',
    system: 'a',
    case: {
      id: 'x',
      collection: 'c',
      intent: 'What of it?',
      questions: QUESTIONS,
      keyPoints: [{ text: 'P0' }, { text: 'P1' }],
      nuggets: [
        {
          id: 'n1',
          question: 'When?',
          answers: [{ text: 'June', documents: ['d2'], spans: [{ document: 'd2', start: 0, end: 4 }] }],
        },
        { id: 'n2', question: 'Who?' },
      ],
    },
    collection: { id: 'c', documents },
    output: {
      given: ['d1', 'd2', 'd3'],
      sentences: [
        { text: 'In June. [d1]', documents: ['d1'], quote: null },
        { text: 'So be it.', documents: [], quote: null },
      ],
    },
    ...more,
  };
}

/** A judge that finds the same of everything, but for what the place says. */
const drawn = (outputs: readonly JudgedOutput[], count: number, seed: number, verdict = (_place: number) => 'no') =>
  recordsOfRun(outputs, count, seed, async () => verdict);

test('records ask what the judge was asked, of the text that it read, and say nothing of what it said', async () => {
  const { records, drawn: told } = await drawn([output()], 100, 1);
  for (const record of records) expect(judgedRecordSchema.safeParse(record).error).toBeUndefined();
  const text = 'In June.\n\nSo be it.';
  expect(records).toEqual([
    {
      ...{ task: 'entailment', id: 'x', system: 'a', text },
      claims: [{ claim: 'P0' }, { claim: 'P1' }],
    },
    {
      ...{ task: 'argue', id: 'x', system: 'a', request: { problem: 'What of it?' } },
      sentences: [
        { text: 'In June.', citations: ['d1'] },
        { text: 'So be it.', citations: [] },
      ],
      nuggets: [
        { id: 'n1', question: 'When?', answers: [{ text: 'June', documents: ['d2'] }] },
        { id: 'n2', question: 'Who?', answers: undefined },
      ],
      // Neither cited nor said to attest anything: the third.
      documents: [
        { id: 'd1', text: 'Text of d1.' },
        { id: 'd2', text: 'Text of d2.' },
      ],
      ask: [0, 1],
    },
    {
      ...{ task: 'nuggets', id: 'x, sentence 1', system: 'a', sentence: 'In June.' },
      nuggets: [
        { question: 'When?', answers: ['June'] },
        { question: 'Who?', answers: [] },
      ],
      ask: [0, 1],
    },
    {
      ...{ task: 'nuggets', id: 'x, sentence 2', system: 'a', sentence: 'So be it.' },
      nuggets: [
        { question: 'When?', answers: ['June'] },
        { question: 'Who?', answers: [] },
      ],
      ask: [0, 1],
    },
    {
      ...{ task: 'answers', id: 'x', system: 'a', summary: text },
      questions: QUESTIONS.map(({ question, answer }) => ({ question, answer })),
    },
  ]);
  expect(told).toContainEqual({ task: 'answers', drawn: 6, of: 6 });
});

test('what two systems said alike is asked once, and an empty text not at all', async () => {
  const silent = output({ system: 'silent', output: { given: [], sentences: [] } });
  const all = (await drawn([output(), output({ system: 'b' }), silent], 100, 1)).records;
  expect(new Set(all.map(({ system }) => system)).size).toBe(1);
  expect(all).toHaveLength(5);
});

test('coverage is asked of every insight, of the bullets that are not empty', async () => {
  const { case: asked, output: written } = output();
  const insights = ['I0', 'I1', 'I2'].map((text, n) => ({ id: `i${n}`, text, documents: ['d1'] }));
  const blank = { text: ' ', documents: ['d2'], quote: null };
  const given = output({
    case: { ...asked, insights, keyPoints: [], nuggets: [], questions: [] },
    output: { ...written, sentences: [...written.sentences, blank] },
  });
  const coverage = async (count: number) =>
    (await drawn([given], count, 1)).records.find(({ task }) => task === 'coverage');
  const record = await coverage(100);
  expect(judgedRecordSchema.parse(record)).toEqual(record);
  expect(record).toMatchObject({
    ...{ id: 'x', system: 'a', insights: [{ text: 'I0' }, { text: 'I1' }, { text: 'I2' }] },
    bullets: ['In June. [d1]', 'So be it.'],
  });
  expect(await coverage(2)).toMatchObject({ insights: { length: 2 } });
});

const rare = (place: number) => (place === 3 ? 'yes' : 'no');
const itemIds = (records: readonly JudgedRecord[]) => records.flatMap(annotationItems).map(({ id }) => id);

test('labels of a smaller sample are labels of a larger one with the same seed', async () => {
  const outputs = [output(), output({ id: 'y' })];
  for (let seed = 0; seed < 20; seed++) {
    const larger = new Set(itemIds((await drawn(outputs, 7, seed, rare)).records));
    const smaller = itemIds((await drawn(outputs, 4, seed, rare)).records);
    expect(smaller.filter((id) => !larger.has(id))).toEqual([]);
    expect(larger.size).toBeGreaterThan(new Set(smaller).size);
  }
});

test('rare verdicts are drawn as often as others', async () => {
  for (let seed = 0; seed < 20; seed++) {
    const { records } = await drawn([output()], 2, seed, rare);
    const questions = records.flatMap((record) => (record.task === 'answers' ? record.questions : []));
    expect(questions).toHaveLength(2);
    expect(questions.map(({ question }) => question)).toContain('Q3?');
  }
});

test('only what a record asks for is shown and counted; a place of nothing is refused', async () => {
  const [argue] = (await drawn([output()], 1, 1)).records.filter(({ task }) => task === 'argue');
  expect(annotationItems(argue)).toHaveLength(1);
  const of = (ask: number[]) => judgedRecordSchema.safeParse({ ...argue, ask }).error?.issues.map(({ path }) => path);
  expect(of([1])).toBeUndefined();
  expect(of([2])).toEqual([['ask', 0]]);
  expect(of([1, 1])).toEqual([['ask', 1]]);
});
