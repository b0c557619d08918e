import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BenchmarkCase, BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { drawItems, itemsOf, questionItemsOf } from '../../../src/lab/people/items.ts';
import { SAMPLE_SET } from './sample-set.ts';

const { items, unplaced } = itemsOf(SAMPLE_SET);

test('every key point beside its words, and every insight beside each passage that tells it', () => {
  const told = items.map(({ document, spans, statement, query, score }) => [
    ...spans.map(({ start, end }) => document.text.slice(start, end)),
    statement,
    query,
    score,
  ]);
  const query = 'What did the tram change?';
  expect(told).toEqual([
    ['It carries 9,000 people a day.', 'The tram carries 9,000 people a day.', query, 0.9],
    ['Noise fell by a third.', 'It is quieter.', query, 0.8],
    ['<b>Dogs</b> & cats', 'Pets <i>may</i> come.', query, 0.1],
    ['The tram opened in May.', 'Something opened.', null, null],
    ['The park is open at night.', 'Something opened.', null, null],
  ]);
  expect(unplaced).toBe(1);
  expect(new Set(items.map(({ id }) => id)).size).toBe(5);
});

test('nobody is asked what helps where there is no query', () => {
  for (const { fields, query } of items) expect(fields.includes('helps')).toBe(query !== null);
});

function only(one: Partial<BenchmarkCase>): BenchmarkSet {
  return { ...SAMPLE_SET, cases: [{ id: 'c', collection: 'town', ...one }] };
}

test('a key point of two documents is two items; spans that overlap are one; what is there twice is judged once', () => {
  const span = (document: string, start: number, end: number) => ({ document, start, end });
  const point = {
    text: 'p',
    spans: [span('tram', 5, 9), span('park', 0, 3), span('tram', 0, 6), span('tram', 12, 14)],
  };
  const found = itemsOf(only({ keyPoints: [point, point] })).items;
  expect(found.map(({ document, spans }) => [document.id, spans])).toEqual([
    [
      'tram',
      [
        { start: 0, end: 9 },
        { start: 12, end: 14 },
      ],
    ],
    ['park', [{ start: 0, end: 3 }]],
  ]);
  const again = itemsOf(only({ keyPoints: [{ ...point, spans: point.spans.toReversed(), usefulness: 0.5 }] })).items;
  expect(new Set(again.map(({ id }) => id))).toEqual(new Set(found.map(({ id }) => id)));
  expect(itemsOf(only({ keyPoints: [{ text: 'p', spans: [span('tram', 3, 3)] }] }))).toEqual({
    items: [],
    unplaced: 1,
  });
});

test('ids are of case, document, text and spans, and of nothing else', () => {
  const span = { document: 'tram', start: 0, end: 5 };
  const idOf = (one: Partial<BenchmarkCase>) => itemsOf(only(one)).items[0]?.id;
  const base = idOf({ keyPoints: [{ text: 'p', spans: [span] }] });
  expect(idOf({ keyPoints: [{ text: 'p', spans: [span], usefulness: 1 }], intent: 'Why?' })).toBe(base);
  const others = [
    idOf({ keyPoints: [{ text: 'q', spans: [span] }] }),
    idOf({ keyPoints: [{ text: 'p', spans: [{ ...span, end: 6 }] }] }),
    idOf({ keyPoints: [{ text: 'p', spans: [{ ...span, document: 'park' }] }] }),
    idOf({ keyPoints: [{ text: 'p', spans: [span] }], id: 'd' }),
  ];
  expect(new Set([base, ...others]).size).toBe(5);
});

test('a sample is drawn by the seed, in order, and grows with its size', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(35), fc.nat(), (length, count, seed) => {
      const all = Array.from({ length }, (_, index) => index);
      const drawn = drawItems(all, count, seed);
      expect(drawn).toEqual(all.filter((each) => drawn.includes(each)));
      expect(drawn.length).toBe(Math.min(length, count));
      expect(drawItems(all, count, seed)).toEqual(drawn);
      expect(drawItems(all, count + 1, seed)).toEqual(expect.arrayContaining(drawn));
    }),
  );
  const counts = new Array<number>(5).fill(0);
  for (let seed = 0; seed < 2000; seed++) for (const index of drawItems([0, 1, 2, 3, 4], 2, seed)) counts[index]++;
  // Each is expected 800 times, with a standard deviation of 22.
  for (const count of counts) expect(Math.abs(count - 800)).toBeLessThan(110);
});

const ask = (question: string, document: string) => ({ question, answer: 'In May.', document, position: 0 });
const [TOWN] = SAMPLE_SET.collections;
const [OPENED, NIGHT] = [ask('When did it open?', 'tram'), ask('Is it open at night?', 'park')];
const ASKED: BenchmarkSet = {
  ...SAMPLE_SET,
  collections: [{ ...TOWN, questions: [OPENED, NIGHT] }],
  cases: SAMPLE_SET.cases.map((each) => ({
    ...each,
    questions: [
      { ...OPENED, relevant: true },
      { ...NIGHT, relevant: false },
    ],
  })),
};

test('every question beside its document, once, and every intent beside what it asks for', () => {
  const items = questionItemsOf(ASKED);
  expect(items.map(({ kind, statement, fields, document }) => [kind, statement, fields.join(), document.id])).toEqual([
    ['question', 'When did it open? – In May.', 'answerable,correct', 'tram'],
    ['question', 'Is it open at night? – In May.', 'answerable,correct', 'park'],
    ['intent', 'What did the tram change?', 'rating', 'asked'],
  ]);
  expect(items[0].document).toBe(TOWN.documents[0]);
  expect(items[2].document.text).toContain('- When did it open?');
  expect(items[2].document.text).not.toContain('night?');
  expect(items[2].document.text).toContain('The new tram:\nThe tram opened in May.');
  // One intent alone differs from none.
  expect(items.some(({ fields }) => fields.includes('distinct'))).toBe(false);
  const ids = [...items, ...itemsOf(ASKED).items].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the intents of a collection are judged together: how many of two to five differ', () => {
  const asked = (count: number) =>
    questionItemsOf({
      ...ASKED,
      collections: [...ASKED.collections, { ...TOWN, id: 'other' }],
      cases: Array.from({ length: count + 1 }, (_, n) => ({
        ...{ id: `c${n}`, collection: n === count ? 'other' : 'town', intent: `Intent ${n}?` },
      })),
    }).filter(({ fields }) => fields.join() === 'distinct');
  expect([0, 1, 2, 5, 6].map((count) => asked(count).length)).toEqual([0, 0, 1, 1, 0]);
  const [item] = asked(3);
  expect([item.kind, item.statement]).toEqual(['intents', '1. Intent 0?\n2. Intent 1?\n3. Intent 2?']);
  expect([item.query, item.document.text]).toEqual([null, 'The new tram\npark']);
  expect(item.id).not.toBe(asked(4)[0].id);
});
