import { describe, expect, test } from 'vitest';
import { aggregatePoints, type PlacedPoint } from '../../../src/lab/key-points/aggregate-points.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import type { FakeAnswer } from '../../support/asked-stage-model.ts';
import fc from '../../support/seeded-fast-check.ts';
import { askedModel, dataOf, ofPrompt } from './asked.ts';

const ORDER = new Map([
  ['b', 0],
  ['a', 1],
]);
const point = (text: string, start: number, document = 'b'): PlacedPoint => ({
  text,
  spans: [{ document, start, end: start + text.length }],
});
const FERRY = [
  point('The ferry does not run in winter.', 0),
  point('A ticket costs 12 crowns.', 40),
  point('In winter the ferry does not run at all.', 5, 'a'),
];
const unreadable = new ModelCallError('malformed', 'no');

const spansIn = (points: readonly PlacedPoint[]) =>
  [...new Set(points.flatMap(({ spans }) => spans.map((span) => JSON.stringify(span))))].sort();

test('points of several documents that state the same become one, with the spans of all', async () => {
  const { model, questions } = askedModel(() => ({
    groups: [
      { points: [3, 1], text: 'The ferry does not run in winter at all.' },
      { points: [2], text: 'Something else' },
    ],
  }));
  const { groups, counts } = await aggregatePoints(FERRY, ORDER, model);
  expect(groups).toEqual([
    {
      text: 'The ferry does not run in winter at all.',
      spans: [...FERRY[0].spans, ...FERRY[2].spans],
      members: [0, 2],
    },
    { ...FERRY[1], members: [1] },
  ]);
  expect(counts).toEqual({ repairedGroups: 0, reworded: 0, apart: 0, unmergedBatches: 0 });
  expect(questions).toHaveLength(1);
  expect(dataOf(questions[0].values.points)).toBe(FERRY.map(({ text }, place) => `${place + 1}. ${text}`).join('\n'));
});

test('no point, one point, and the same words need no model', async () => {
  const { model, questions } = askedModel(() => unreadable);
  expect((await aggregatePoints([], ORDER, model)).groups).toEqual([]);
  const same = [point('The ferry rests.', 9), point('the  FERRY rests', 0, 'a')];
  const { groups } = await aggregatePoints(same, ORDER, model);
  expect(groups).toEqual([{ text: 'The ferry rests.', spans: same.flatMap(({ spans }) => spans), members: [0, 1] }]);
  expect(questions).toEqual([]);
});

test('wrong groups are named back once, and then put right', async () => {
  const wrong = {
    groups: [
      { points: [1, 3, 7], text: FERRY[0].text },
      { points: [3], text: '' },
    ],
  };
  const right = {
    groups: [
      { points: [1, 3], text: FERRY[0].text },
      { points: [2], text: '' },
    ],
  };
  const once = askedModel(({ prompt }) => (prompt.id === 'benchmark-aggregate' ? wrong : right));
  const made = await aggregatePoints(FERRY, ORDER, once.model);
  expect(made.groups.map(({ members }) => members)).toEqual([[0, 2], [1]]);
  expect(made.counts.repairedGroups).toBe(0);
  const [again] = ofPrompt(once.questions, 'benchmark-aggregate-again');
  expect(again.values.problems).toBe(
    '- In no group: 2.\n- In more than one group: 3.\n- Not the number of a point: 7.',
  );
  expect(JSON.parse(dataOf(again.values.answer))).toEqual(wrong);

  for (const second of [wrong, unreadable]) {
    const twice = askedModel(({ prompt }) => (prompt.id === 'benchmark-aggregate' ? wrong : second));
    const repaired = await aggregatePoints(FERRY, ORDER, twice.model);
    expect(repaired.groups.map(({ members }) => members)).toEqual([[0, 2], [1]]);
    expect(repaired.counts.repairedGroups).toBe(3);
    expect(twice.questions).toHaveLength(2);
  }
});

test('of two wrong answers the second counts where it is not worse', async () => {
  const first = { groups: [{ points: [1, 3], text: FERRY[0].text }] };
  const answers = [
    { second: { groups: [{ points: [7, 8, 9], text: '' }] }, members: [[0, 2], [1]] },
    { second: { groups: [{ points: [1, 2], text: '' }] }, members: [[0], [1], [2]] },
  ];
  for (const { second, members } of answers) {
    const { model } = askedModel(({ prompt }) => (prompt.id === 'benchmark-aggregate' ? first : second));
    const made = await aggregatePoints(FERRY, ORDER, model);
    expect(made.groups.map((group) => group.members)).toEqual(members);
    expect(made.counts.repairedGroups).toBe(1);
  }
});

test('a wrong answer is shown again up to the bytes that there are for it, in whole characters', async () => {
  const wrong = { groups: [{ points: [1], text: '🚢'.repeat(3000) }] };
  const { model, questions } = askedModel(() => wrong, 2000);
  await aggregatePoints(FERRY, ORDER, model);
  const [again] = ofPrompt(questions, 'benchmark-aggregate-again');
  const shown = dataOf(again.values.answer);
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(1600 + Buffer.byteLength(' …'));
  expect(Buffer.byteLength(shown)).toBeGreaterThan(1400);
  expect(Buffer.from(shown).toString()).toBe(shown);
});

test('an answer that cannot be read leaves the points as they are, and is counted', async () => {
  const { model } = askedModel(() => unreadable);
  const { groups, counts } = await aggregatePoints(FERRY, ORDER, model);
  expect(groups).toEqual(FERRY.map((each, place) => ({ ...each, members: [place] })));
  expect(counts.unmergedBatches).toBe(1);
});

test('any other failure ends it', async () => {
  const { model } = askedModel(() => new ModelCallError('unreachable', 'The server is away.'));
  await expect(aggregatePoints(FERRY, ORDER, model)).rejects.toThrow('The server is away.');
});

test('text of a document cannot pass for a point of its own', async () => {
  const { model, questions } = askedModel(() => unreadable);
  await aggregatePoints([point('One\n2. Two', 0), point('Three', 50)], ORDER, model);
  expect(dataOf(questions[0].values.points)).toBe('1. One 2. Two\n2. Three');
});

/** Groups points by their last words, as a good model would that sees nothing but the numbered lines. */
const byLastWord: FakeAnswer = ({ values }) => {
  const groups = new Map<string, { points: number[]; text: string }>();
  for (const line of dataOf(values.points).split('\n')) {
    const [number, text] = [Number.parseInt(line, 10), line.slice(line.indexOf(' ') + 1)];
    const key = text.split(' ').at(-1) ?? '';
    const known = groups.get(key) ?? { points: [], text };
    known.points.push(number);
    groups.set(key, known);
  }
  return { groups: [...groups.values()] };
};

describe('more points than fit into one question', () => {
  // Ten statements by twelve documents; the place names tell them apart, in other words each time.
  const places = ['Aarhus', 'Bergen', 'Cadiz', 'Dover', 'Emden', 'Faro', 'Genoa', 'Hull', 'Izmir', 'Jaffa'];
  const points = Array.from({ length: 120 }, (_, place) =>
    point(`Boat ${'abcdefghijkl'[Math.floor(place / 10)]} sails ${places[place % 10]}`, place * 100),
  );

  test('are merged batch by batch, until nothing merges any more', async () => {
    const { model, questions } = askedModel(byLastWord);
    const { groups } = await aggregatePoints(points, ORDER, model);
    expect(groups.map(({ members }) => members)).toEqual(
      places.map((_, place) => Array.from({ length: 12 }, (_, document) => place + 10 * document)),
    );
    expect(spansIn(groups)).toEqual(spansIn(points));
    for (const { values } of questions) expect(dataOf(values.points).split('\n').length).toBeLessThanOrEqual(40);
    // Three batches, and one of the statements that are left.
    expect(questions.length).toBeLessThanOrEqual(5);
  });

  test('fit a small context', async () => {
    const contextTokens = 1500;
    const { model, questions } = askedModel(byLastWord, contextTokens);
    const { groups } = await aggregatePoints(points, ORDER, model);
    expect(groups).toHaveLength(10);
    for (const { prompt, values, maxTokens } of questions) {
      const bytes = prompt.system.length + prompt.user.length + values.points.length;
      expect(bytes / 4 + maxTokens).toBeLessThanOrEqual(contextTokens);
    }
  });

  test('end where nothing merges', async () => {
    const { model, questions } = askedModel(({ values }) => ({
      groups: dataOf(values.points)
        .split('\n')
        .map((_, place) => ({ points: [place + 1], text: '' })),
    }));
    expect((await aggregatePoints(points, ORDER, model)).groups).toHaveLength(120);
    expect(questions).toHaveLength(3);
  });
});

test('whatever a model answers, every point is in exactly one group, and no span is lost', async () => {
  const word = fc.constantFrom('ferry', 'winter', 'bread', 'school', 'costs', '12', 'crowns', 'not', 'the', '島');
  const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const span = fc.record({
    document: fc.constantFrom('a', 'b'),
    start: fc.nat(50),
    end: fc.integer({ min: 51, max: 90 }),
  });
  const points = fc.array(fc.record({ text, spans: fc.array(span, { minLength: 1, maxLength: 3 }) }), {
    maxLength: 12,
  });
  const number = fc.oneof(fc.integer({ min: -1, max: 14 }), fc.constantFrom('1', 'point 2', 'x', null));
  const answer = fc.oneof(
    { weight: 8, arbitrary: fc.record({ groups: fc.array(fc.record({ points: fc.array(number), text })) }) },
    { weight: 1, arbitrary: fc.constant(unreadable) },
    { weight: 1, arbitrary: fc.anything() },
  );
  await fc.assert(
    fc.asyncProperty(
      points,
      fc.array(answer, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(300, 8000),
      async (given, answers, context) => {
        const make = async () => {
          const { model } = askedModel((_, call) => answers[call % answers.length], context);
          return aggregatePoints(given, ORDER, model);
        };
        const { groups } = await make();
        expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(given.map((_, place) => place));
        for (const { spans, members } of groups) {
          expect(spansIn([{ text: '', spans }])).toEqual(spansIn(members.map((place) => given[place])));
          expect(spans).toHaveLength(new Set(spans.map((each) => JSON.stringify(each))).size);
        }
        expect(groups.map(({ members }) => members[0])).toEqual(
          groups.map(({ members }) => members[0]).toSorted((a, b) => a - b),
        );
        if (context === 8000) expect((await make()).groups).toEqual(groups);
      },
    ),
    { numRuns: 150 },
  );
});
