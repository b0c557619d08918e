import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decided, Field, Item } from '../../src/contract/index.ts';
import { annotationSession, meaningOf, QUESTIONS } from '../../src/page/annotate/session.ts';

const ITEMS: readonly Item[] = ['a', 'b', 'c'].map((id) => ({
  id,
  query: id === 'c' ? null : 'Why?',
  kind: 'key point',
  statement: `point ${id}`,
  document: 0,
  spans: [],
  fields: id === 'c' ? ['stated'] : ['stated', 'helps'],
}));

function start(known: readonly Decided[] = [], fails = () => false) {
  const saved: Decided[] = [];
  let changes = 0;
  const save = async (label: Decided) => {
    await Promise.resolve();
    if (fails()) throw new Error('no disk');
    saved.push(label);
  };
  const session = annotationSession(ITEMS, known, save, () => changes++);
  return { session, saved, changes: () => changes };
}

test('goes on once all that is asked of an item is answered, then past what is done, and ends behind the last', async () => {
  const { session, saved } = start([{ item: 'b', field: 'stated', value: 'no' }]);
  await session.decide('stated', 'yes');
  expect([session.place(), session.done()]).toEqual([0, 0]);
  await session.decide('helps', 'neutral');
  expect([session.place(), session.done()]).toEqual([1, 1]);
  await session.decide('helps', 'agree');
  await session.decide('helps', 'agree');
  expect([session.place(), session.done()]).toEqual([2, 2]);
  await session.decide('stated', 'no');
  expect([session.place(), session.done()]).toEqual([3, 3]);
  await session.decide('stated', 'yes');
  // What is changed stays in sight.
  await session.go(-3);
  await session.decide('stated', 'no');
  expect([session.place(), session.answerTo(ITEMS[0], 'stated')]).toEqual([0, 'no']);
  expect(saved.map(({ item, field, value }) => `${item} ${field} ${value}`)).toEqual([
    'a stated yes',
    'a helps neutral',
    'b helps agree',
    'c stated no',
    'a stated no',
  ]);
});

test('what was passed over is left for later: first come the items behind', async () => {
  const { session } = start([{ item: 'b', field: 'stated', value: 'no' }]);
  await session.go(1);
  await session.decide('helps', 'agree');
  expect(session.place()).toBe(2);
  await session.decide('stated', 'yes');
  expect(session.place()).toBe(0);
});

test('a decision that could not be kept is no decision, and can be made again', async () => {
  let isBroken = true;
  const { session, saved } = start([], () => isBroken);
  await session.decide('stated', 'yes');
  expect([session.failure(), session.place(), session.answerTo(ITEMS[0], 'stated')]).toEqual(['no disk', 0, null]);
  isBroken = false;
  await session.go(1);
  await session.goToOpen();
  await session.decide('stated', 'yes');
  expect([session.failure(), session.place(), saved.length]).toEqual([null, 0, 1]);
});

test('keys pressed in haste come one after another: the file says what the page shows', async () => {
  const keys = fc.array(fc.constantFrom('y', 'n', 'a', 'u', 'd', '1', '2', '3', 'j', 'k', 'ArrowLeft', 'Q'));
  await fc.assert(
    fc.asyncProperty(keys, async (pressed) => {
      const { session, saved, changes } = start();
      const acts = pressed.map((key) => meaningOf(key, ['stated', 'helps']));
      await Promise.all(
        acts.map((act) => {
          if (act === null) return null;
          return 'steps' in act ? session.go(act.steps) : session.decide(act.field, act.value);
        }),
      );
      const last = new Map(saved.map(({ item, field, value }) => [`${item} ${field}`, value]));
      for (const item of ITEMS) {
        for (const field of ['stated', 'helps'] as const) {
          expect(session.answerTo(item, field)).toBe(last.get(`${item.id} ${field}`) ?? null);
        }
      }
      expect(changes()).toBe(acts.filter((act) => act !== null).length);
      expect(session.done()).toBe(
        ITEMS.filter((item) => item.fields.every((field) => session.answerTo(item, field) !== null)).length,
      );
    }),
  );
});

test('no key has two meanings among what is asked of one item', () => {
  const together: readonly (readonly Field[])[] = [
    ['stated', 'helps'],
    ['attested', 'importance'],
    ['answerable', 'correct'],
    ['entailed'],
    ['reported'],
    ['outcome'],
    ['rating'],
    ['distinct'],
    ['covered'],
  ];
  expect(together.flat().sort()).toEqual(Object.keys(QUESTIONS).sort());
  for (const fields of together) {
    const keys = fields.flatMap((field) => QUESTIONS[field].choices.flatMap((choice) => choice.keys));
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) {
      expect([meaningOf(key, fields), meaningOf(key, [])]).toEqual([
        { field: expect.anything(), value: expect.anything() },
        null,
      ]);
    }
  }
});
