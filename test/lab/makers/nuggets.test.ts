import { describe, expect, test } from 'vitest';
import { evaluate, requestsFor } from '../../../src/evaluation/index.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import { type BenchmarkSet, benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { nuggetsMaker } from '../../../src/lab/makers/nuggets.ts';
import { reviewSet } from '../../../src/lab/makers/review-set.ts';
import { itemsOf } from '../../../src/lab/people/items.ts';
import type { Decision } from '../../../src/lab/people/labels.ts';
import { ModelCallError, type Question } from '../../../src/models/index.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';
import { testDeps } from '../../support/test-deps.ts';
import { dataOf, madeBy } from './asked.ts';

const TEXTS = {
  a: 'The storm reached Tolkmar on 3 May. Two hundred houses lost their roofs.',
  b: 'On the third of May the storm came to Tolkmar. The mayor, Ana Reyes, asked for help.',
  c: 'Some three hundred houses in Tolkmar lost their roofs, the insurers said.',
};
const SET: BenchmarkSet = {
  name: 'storm',
  collections: [{ id: 's', documents: Object.entries(TEXTS).map(([id, text]) => ({ id, text })) }],
  cases: [
    { id: 's/1', collection: 's', intent: 'What did the storm do in Tolkmar?' },
    { id: 'open', collection: 's' },
  ],
  made: [],
};

const WHEN = 'When did the storm reach Tolkmar?';
const MANY = 'How many houses in Tolkmar lost their roofs?';
const WHO = 'Who asked for help?';

/** What an honest model finds in each document. */
const FOUND: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  a: [
    [WHEN, '3 May', 'The storm reached Tolkmar on 3 May.'],
    [MANY, '200', 'Two hundred houses lost their roofs.'],
  ],
  b: [
    [
      'On which day did the storm come to Tolkmar?',
      'the third of May',
      'On the third of May the storm came to Tolkmar.',
    ],
    [WHO, 'the mayor, Ana Reyes', 'The mayor, Ana Reyes, asked for help.'],
  ],
  c: [[MANY, 'about 300', 'Some three hundred houses in Tolkmar lost their roofs']],
};

const idOf = ({ values }: Question) => {
  const shown = dataOf(values.document);
  return Object.entries(TEXTS).find(([, text]) => text === shown)?.[0] ?? '';
};

function find(question: Question): object {
  const own = FOUND[idOf(question)].map(([asked, answer, quote]) => ({ question: asked, answer, quote }));
  return { nuggets: own };
}

const MERGED = {
  nuggets: [
    { question: WHEN, importance: 'vital', answers: [{ text: '3 May', from: [1, 3] }] },
    {
      question: MANY,
      importance: 'vital',
      answers: [
        { text: '200', from: [2] },
        { text: 'about 300', from: [5] },
      ],
    },
    { question: WHO, importance: 'okay', answers: [{ text: 'the mayor, Ana Reyes', from: [4] }] },
  ],
};

/** Which documents attest each answer, whoever it was taken from. */
const ATTESTED: Readonly<Record<string, string>> = {
  '3 May': 'ab',
  'the third of May': 'ab',
  '200': 'a',
  'about 300': 'c',
  'the mayor, Ana Reyes': 'b',
};
const attests = (question: Question) =>
  ATTESTED[dataOf(question.values.answer)].includes(idOf(question)) ? 'YES' : 'NO';

/** Answers as an honest model does, but for what is given. */
function honest(but: Readonly<Record<string, (question: Question) => unknown>> = {}) {
  return (question: Question): unknown => {
    const other = but[question.prompt.id];
    if (other !== undefined) return other(question);
    if (question.prompt.id === 'benchmark-nuggets') return find(question);
    return question.prompt.id === 'benchmark-merge-nuggets' ? MERGED : attests(question);
  };
}

async function nuggetsBy(answer: (question: Question) => unknown, options: { nuggets?: number } = {}) {
  const maker = nuggetsMaker(SET, { 'per-document': 10, nuggets: 20, ...options });
  const { set, counts, questions } = await madeBy(maker, answer);
  return { set, nuggets: set?.cases[0].nuggets ?? [], counts, questions };
}

/** Question, importance, and each answer with its documents. */
const shape = (nuggets: Awaited<ReturnType<typeof nuggetsBy>>['nuggets']) =>
  nuggets.map(({ question, importance, answers = [] }) => [
    question,
    importance,
    ...answers.map(({ text, documents = [] }) => `${text}: ${documents.join()}`),
  ]);

const HONEST = [
  [WHEN, 'vital', '3 May: a,b'],
  [MANY, 'vital', '200: a', 'about 300: c'],
  [WHO, 'okay', 'the mayor, Ana Reyes: b'],
];

test('three documents give nuggets with answers bound to the documents that attest them', async () => {
  const { nuggets, set, counts, questions } = await nuggetsBy(honest());
  expect(shape(nuggets)).toEqual(HONEST);
  expect(set?.cases.map((each) => each.nuggets?.length)).toEqual([3, undefined]);
  expect(counts).toEqual({ found: 5, merged: 3, compared: 7, unweighed: 12, nuggets: 3 });
  const texts = new Map(Object.entries(TEXTS));
  for (const { document, start, end } of nuggets.flatMap(({ answers = [] }) =>
    answers.flatMap(({ spans = [] }) => spans),
  )) {
    const quotes = FOUND[document].map(([, , quote]) => quote);
    expect(quotes).toContain(texts.get(document)?.slice(start, end));
  }
  // Every binding is checked by its own document.
  const checks = questions.filter(({ prompt }) => prompt.id === 'benchmark-attested');
  expect(checks.map((each) => [dataOf(each.values.answer), idOf(each)])).toEqual(
    expect.arrayContaining([
      ['3 May', 'a'],
      ['3 May', 'b'],
      ['200', 'a'],
      ['about 300', 'c'],
      ['the mayor, Ana Reyes', 'b'],
    ]),
  );
  // And by every other one, as they are few.
  expect(checks).toHaveLength(12);
});

describe('a document that attests an answer which was taken from another', () => {
  /** Takes nothing from `b`, as if its nuggets were surplus. */
  const withoutB = honest({
    'benchmark-nuggets': (question) => (idOf(question) === 'b' ? { nuggets: [] } : find(question)),
    'benchmark-merge-nuggets': () => ({ nuggets: [] }),
  });

  test('is bound to it, with its nearest sentence, so that a report which cites it reports the nugget', async () => {
    const { nuggets, counts } = await nuggetsBy(withoutB);
    expect(shape(nuggets)[0]).toEqual([WHEN, 'okay', '3 May: a,b']);
    expect(counts).toEqual({ found: 3, merged: 3, compared: 6, boundToOthers: 1, unweighed: 9, nuggets: 3 });
    const [, { document, start, end }] = nuggets[0].answers?.[0].spans ?? [];
    expect([document, TEXTS.b.slice(start, end)]).toEqual(['b', 'On the third of May the storm came to Tolkmar.']);
    const { documents } = SET.collections[0];
    const text = 'The storm reached Tolkmar on 3 May.';
    const judge = scriptedJudge({
      reported: (_, { question }) => question === WHEN,
      entailment: (_, texts) => texts.some((each) => each === TEXTS.a || each === TEXTS.b),
    });
    for (const [cited, outcome] of [['a', 3] as const, ['b', 3] as const, ['c', 1] as const]) {
      const report = { sentences: [{ text, citations: [cited] }] };
      const scored = await scoreReport({ metric: 'argue', report, nuggets: [...nuggets], documents }, judge);
      expect([cited, scored.sentences[0].outcome]).toEqual([cited, outcome]);
    }
  });

  test('is not where the model says no, and one that says nothing leaves the answer as it is', async () => {
    const { nuggets } = await nuggetsBy((question) => {
      if (question.prompt.id !== 'benchmark-attested') return withoutB(question);
      return idOf(question) === 'b' ? new ModelCallError('malformed', 'no word') : attests(question);
    });
    expect(shape(nuggets)).toContainEqual([WHEN, 'okay', '3 May: a']);
  });
});

describe('a model that lies', () => {
  test('by quotes that stand nowhere, answers that are too long, and items that are none', async () => {
    const { nuggets, counts } = await nuggetsBy(
      honest({
        'benchmark-nuggets': (question) =>
          idOf(question) === 'a'
            ? {
                nuggets: [
                  { question: WHEN, answer: '3 May', quote: 'The storm reached Tolkmar on 4 June.' },
                  { question: MANY, answer: 'many '.repeat(15), quote: 'Two hundred houses lost their roofs.' },
                  { question: ' ', answer: '200', quote: 'Two hundred houses lost their roofs.' },
                  'nothing',
                ],
              }
            : find(question),
        'benchmark-merge-nuggets': () => ({ nuggets: [] }),
        'benchmark-attested': (question) => (idOf(question) === 'a' ? 'NO' : attests(question)),
      }),
    );
    expect(counts).toMatchObject({ found: 3, unquoted: 1, longAnswers: 1, incomplete: 1 });
    expect(nuggets.flatMap(({ answers = [] }) => answers.flatMap(({ documents = [] }) => documents))).not.toContain(
      'a',
    );
  });

  test('by bindings that the document does not attest, which are dropped', async () => {
    const { nuggets, counts } = await nuggetsBy(
      honest({
        'benchmark-attested': (question) => (idOf(question) === 'b' ? 'NO' : attests(question)),
      }),
    );
    expect(shape(nuggets)).toEqual([
      [MANY, 'vital', '200: a', 'about 300: c'],
      [WHEN, 'vital', '3 May: a'],
    ]);
    expect(counts).toMatchObject({ unattested: 2, nuggets: 2 });
  });

  test('by a merge that repeats, invents and forgets numbers: each that was found stands once', async () => {
    const { nuggets, counts } = await nuggetsBy(
      honest({
        'benchmark-merge-nuggets': () => ({
          nuggets: [
            { question: WHEN, importance: 'crucial', answers: [{ text: '3 May', from: [1, 1, '3', 99, 0] }] },
            { question: 'Made up?', importance: 'vital', answers: [{ text: 'yes', from: [] }] },
            { question: MANY, importance: 'vital', answers: [{ text: '', from: [2, 3] }] },
          ],
        }),
      }),
    );
    expect(new Set(shape(nuggets).map((each) => JSON.stringify(each)))).toEqual(
      new Set(
        [
          [WHEN, 'okay', '3 May: a,b'],
          [MANY, 'vital', '200: a'],
          [MANY, 'okay', 'about 300: c'],
          [WHO, 'okay', 'the mayor, Ana Reyes: b'],
        ].map((each) => JSON.stringify(each)),
      ),
    );
    expect(counts.merged).toBe(4);
  });

  test('by answers that cannot be read: what it says of nothing counts for nothing', async () => {
    const malformed = () => new ModelCallError('malformed', 'no JSON');
    const none = await nuggetsBy(honest({ 'benchmark-nuggets': malformed }));
    expect(none.nuggets).toEqual([]);
    expect(none.counts).toEqual({ emptyCases: 1 });
    const unchecked = await nuggetsBy(honest({ 'benchmark-attested': malformed }));
    expect([unchecked.set, unchecked.counts.unattested]).toEqual([null, 5]);
  });
});

test('a cap keeps vital nuggets first, then those of more documents', async () => {
  expect(shape((await nuggetsBy(honest(), { nuggets: 2 })).nuggets)).toEqual(HONEST.slice(0, 2));
  const { counts } = await nuggetsBy(honest(), { nuggets: 1 });
  expect(counts).toMatchObject({ nuggets: 1, surplus: 2 });
  const [when, many] = MERGED.nuggets;
  const okay = { nuggets: [{ ...when, importance: 'okay' }, many] };
  const best = await nuggetsBy(honest({ 'benchmark-merge-nuggets': () => okay }), { nuggets: 1 });
  expect(shape(best.nuggets)).toEqual([HONEST[1]]);
});

async function nuggetSet(): Promise<BenchmarkSet> {
  const { nuggets } = await nuggetsBy(honest());
  return { ...SET, cases: [{ ...SET.cases[0], nuggets: [...nuggets] }] };
}

test('the result is a set that ARGUE scores reports by', async () => {
  const set = await nuggetSet();
  expect(benchmarkSetSchema.parse(JSON.parse(JSON.stringify(set)))).toEqual(set);
  const { documents } = set.collections[0];
  const [request] = requestsFor({
    ...set.cases[0],
    sentences: [{ text: 'The storm reached Tolkmar on 3 May.', documents: ['a'] }],
    documents,
    given: documents.map(({ id }) => id),
  });
  const answer = await evaluate(request, testDeps());
  expect(answer).toMatchObject({ metric: 'argue', nuggets: [{ id: 'n1' }, { id: 'n2' }, { id: 'n3' }] });
});

test('people review them: what they reject goes, and their grades stand', async () => {
  const set = await nuggetSet();
  const { items, unplaced } = itemsOf(set);
  expect(unplaced).toBe(0);
  expect(items.map(({ kind, statement, document, fields }) => [kind, statement, document.id, fields.join()])).toEqual([
    ['nugget', `${WHEN} – 3 May`, 'a', 'attested,importance'],
    ['nugget', `${WHEN} – 3 May`, 'b', 'attested,importance'],
    ['nugget', `${MANY} – 200`, 'a', 'attested,importance'],
    ['nugget', `${MANY} – about 300`, 'c', 'attested,importance'],
    ['nugget', `${WHO} – the mayor, Ana Reyes`, 'b', 'attested,importance'],
  ]);
  const label = (place: number, field: 'attested' | 'importance', value: Decision['value'], annotator = 'ada') =>
    ({ item: items[place].id, annotator, field, value, at: '2026-01-01T00:00:00Z' }) satisfies Decision;
  const { set: reviewed, counts } = reviewSet(set, [
    label(1, 'attested', 'no'),
    label(2, 'attested', 'no'),
    label(2, 'attested', 'yes', 'bob'),
    label(3, 'attested', 'no'),
    label(3, 'attested', 'no', 'bob'),
    label(0, 'importance', 'okay'),
    label(0, 'importance', 'vital', 'bob'),
    label(4, 'importance', 'unwanted'),
  ]);
  expect(shape(reviewed.cases[0].nuggets ?? [])).toEqual([
    [WHEN, 'okay', '3 May: a'],
    [MANY, 'vital', '200: a'],
  ]);
  expect(counts).toMatchObject({ reviewed: 3, unbound: 2, dropped: 1, regraded: 1 });
  expect(reviewSet(set, []).set).toEqual(set);
});
