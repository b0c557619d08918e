import { describe, expect, test } from 'vitest';
import { batches, mergePoints, type PlacedPoint } from '../../../src/lab/makers/merge-points.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import { groupBy, utf8Length } from '../../../src/text/index.ts';
import type { FakeAnswer } from '../../support/asked-stage-model.ts';
import fc from '../../support/seeded-fast-check.ts';
import { askedBy, dataOf } from './asked.ts';

const items = (...texts: string[]) => texts.map((text) => ({ text }));

test('what fits into one question is one batch, in order', () => {
  const all = items('Ferries rest in winter.', 'Bread is dear.', 'In winter ferries rest.');
  expect(batches(all, { items: 3, bytes: 1000 })).toEqual([all]);
  expect(batches([], { items: 3, bytes: 1000 })).toEqual([]);
});

test('statements that share rare words meet, however far apart they stand', () => {
  const all = items(
    'The ferry is laid up in winter.',
    'The baker sells bread.',
    'The school has two teachers.',
    'The baker sells bread to the island.',
    'Two teachers work at the school.',
    'In winter the ferry is laid up.',
  );
  expect(batches(all, { items: 2, bytes: 1000 })).toEqual([
    [all[0], all[5]],
    [all[1], all[3]],
    [all[2], all[4]],
  ]);
});

test('one that is larger than the room stands alone', () => {
  const all = items('a b', 'long '.repeat(40), 'a c');
  expect(batches(all, { items: 9, bytes: 30 })).toEqual([[all[0], all[2]], [all[1]]]);
});

test('every item is in one batch, within the room, in order', () => {
  const text = fc
    .array(fc.constantFrom('ferry', 'winter', 'bread', 'school', '島', 'the'), { maxLength: 6 })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 25 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 4, max: 80 }),
      (texts, points, bytes) => {
        const all = texts.map((each, place) => ({ text: each, place }));
        const parts = batches(all, { items: points, bytes });
        expect(parts.flat().sort((a, b) => a.place - b.place)).toEqual(all);
        for (const part of parts) {
          expect(part.map(({ place }) => place)).toEqual(part.map(({ place }) => place).toSorted((a, b) => a - b));
          expect(part.length).toBeLessThanOrEqual(points);
          if (part.length > 1)
            expect(part.reduce((sum, each) => sum + utf8Length(each.text), 0)).toBeLessThanOrEqual(bytes);
        }
      },
    ),
  );
});

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
  const { model, questions } = askedBy(() => ({
    groups: [{ points: [3, 1] }, { points: [2] }],
  }));
  const groups = await mergePoints(FERRY, model);
  expect(groups).toEqual([
    {
      text: FERRY[0].text,
      spans: [...FERRY[0].spans, ...FERRY[2].spans],
      members: [0, 2],
    },
    { ...FERRY[1], members: [1] },
  ]);
  expect(questions).toHaveLength(1);
  expect(dataOf(questions[0].values.points)).toBe(FERRY.map(({ text }, place) => `${place + 1}. ${text}`).join('\n'));
});

test('no point, one point, and the same words need no model', async () => {
  const { model, questions } = askedBy(() => unreadable);
  expect(await mergePoints([], model)).toEqual([]);
  const same = [point('The ferry rests.', 9), point('the  FERRY rests', 0, 'a')];
  const groups = await mergePoints(same, model);
  expect(groups).toEqual([{ text: 'The ferry rests.', spans: same.flatMap(({ spans }) => spans), members: [0, 1] }]);
  expect(questions).toEqual([]);
});

test('an answer that cannot be read leaves the points as they are', async () => {
  const { model } = askedBy(() => unreadable);
  const groups = await mergePoints(FERRY, model);
  expect(groups).toEqual(FERRY.map((each, place) => ({ ...each, members: [place] })));
});

test('any other failure ends it', async () => {
  const { model } = askedBy(() => new ModelCallError('unreachable', 'The server is away.'));
  await expect(mergePoints(FERRY, model)).rejects.toThrow('The server is away.');
});

test('text of a document cannot pass for a point of its own', async () => {
  const { model, questions } = askedBy(() => unreadable);
  await mergePoints([point('One\n2. Two', 0), point('Three', 50)], model);
  expect(dataOf(questions[0].values.points)).toBe('1. One 2. Two\n2. Three');
});

/** Groups points by their last words, as a good model would that sees nothing but the numbered lines. */
const byLastWord: FakeAnswer = ({ values }) => {
  const lines = dataOf(values.points).split('\n');
  const groups = groupBy(lines, (line) => line.split(' ').at(-1));
  return { groups: [...groups.values()].map((own) => ({ points: own.map((line) => Number.parseInt(line, 10)) })) };
};

describe('more points than fit into one question', () => {
  // Ten statements by twelve documents; the place names tell them apart, in other words each time.
  const places = ['Aarhus', 'Bergen', 'Cadiz', 'Dover', 'Emden', 'Faro', 'Genoa', 'Hull', 'Izmir', 'Jaffa'];
  const points = Array.from({ length: 120 }, (_, place) =>
    point(`Boat ${'abcdefghijkl'[Math.floor(place / 10)]} sails ${places[place % 10]}`, place * 100),
  );

  test('are merged batch by batch, until nothing merges any more', async () => {
    const { model, questions } = askedBy(byLastWord);
    const groups = await mergePoints(points, model);
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
    const { model, questions } = askedBy(byLastWord, { contextTokens });
    const groups = await mergePoints(points, model);
    expect(groups).toHaveLength(10);
    for (const { prompt, values, maxTokens } of questions) {
      const bytes = prompt.system.length + prompt.user.length + values.points.length;
      expect(bytes / 4 + maxTokens).toBeLessThanOrEqual(contextTokens);
    }
  });

  test('end where nothing merges', async () => {
    const { model, questions } = askedBy(({ values }) => ({
      groups: dataOf(values.points)
        .split('\n')
        .map((_, place) => ({ points: [place + 1] })),
    }));
    expect(await mergePoints(points, model)).toHaveLength(120);
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
    { weight: 8, arbitrary: fc.record({ groups: fc.array(fc.record({ points: fc.array(number) })) }) },
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
          const { model } = askedBy((_, call) => answers[call % answers.length], { contextTokens: context });
          return mergePoints(given, model);
        };
        const groups = await make();
        expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(given.map((_, place) => place));
        for (const { spans, members } of groups) {
          expect(spansIn([{ text: '', spans }])).toEqual(spansIn(members.map((place) => given[place])));
          expect(spans).toHaveLength(new Set(spans.map((each) => JSON.stringify(each))).size);
        }
        expect(groups.map(({ members }) => members[0])).toEqual(
          groups.map(({ members }) => members[0]).toSorted((a, b) => a - b),
        );
        if (context === 8000) expect(await make()).toEqual(groups);
      },
    ),
    { numRuns: 60 },
  );
});

test('groups that are wrong are put right: each point in the first that names it, or its own', async () => {
  const wrongGroups = { groups: [{ points: [1, 3, 7] }, { points: [3] }] };
  const { model, questions } = askedBy(() => wrongGroups);
  const groups = await mergePoints(FERRY, model);
  expect(groups.map(({ members }) => members)).toEqual([[0, 2], [1]]);
  expect(questions).toHaveLength(1);
});
