import { expect, test } from 'vitest';
import { batches } from '../../../src/lab/key-points/aggregate-points.ts';
import { utf8Length } from '../../../src/text/index.ts';
import fc from '../../support/seeded-fast-check.ts';

const items = (...texts: string[]) => texts.map((text) => ({ text }));

test('what fits into one question is one batch, in order', () => {
  const all = items('Ferries rest in winter.', 'Bread is dear.', 'In winter ferries rest.');
  expect(batches(all, { points: 3, bytes: 1000 })).toEqual([all]);
  expect(batches([], { points: 3, bytes: 1000 })).toEqual([]);
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
  expect(batches(all, { points: 2, bytes: 1000 })).toEqual([
    [all[0], all[5]],
    [all[1], all[3]],
    [all[2], all[4]],
  ]);
});

test('one that is larger than the room stands alone', () => {
  const all = items('a b', 'long '.repeat(40), 'a c');
  expect(batches(all, { points: 9, bytes: 30 })).toEqual([[all[0], all[2]], [all[1]]]);
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
        const parts = batches(all, { points, bytes });
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
