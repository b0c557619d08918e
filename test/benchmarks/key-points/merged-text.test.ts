import { expect, test } from 'vitest';
import { mergeGroup } from '../../../src/benchmarks/key-points/merge-group.ts';
import { isSupported, isTold } from '../../../src/benchmarks/key-points/merged-text.ts';

const WINTER = 'The ferry does not run from November to March.';
const LAID_UP = 'In the winter months, November to March, the boat is laid up.';

test.each([
  ['of their words', 'The ferry is laid up from November to March.', true],
  ['with one new word in four', 'The ferry rests from November to March.', true],
  ['with words of its own', 'Islanders complained that the ferry company closed its harbour office.', false],
  ['with another figure', 'The ferry does not run from November 12 to March.', false],
  ['that does not stop', `${WINTER} ${'The ferry does not run. '.repeat(20)}`, false],
  ['that is a mere label', 'The ferry', false],
  ['of nothing', ' … ', false],
])('a statement %s', (_, statement, isIt) => {
  expect(isSupported(statement, [WINTER, LAID_UP])).toBe(isIt);
});

test('figures are held as they are written', () => {
  expect(isSupported('A ticket costs 12 crowns.', ['A ticket costs 1.2 crowns.'])).toBe(false);
  expect(isSupported('A ticket costs 1.2 crowns.', ['A ticket costs 1.2 crowns.'])).toBe(true);
});

test('a point is told where a third of what it speaks of is', () => {
  expect(isTold(LAID_UP, WINTER)).toBe(true);
  expect(isTold('A ticket for the ferry costs 12 crowns.', WINTER)).toBe(false);
  expect(isTold('学校有两个老师。', '学校有两个老师。')).toBe(true);
  // All are words that say how something is asked.
  expect(isTold('What it is.', 'Ferries.')).toBe(false);
});

const point = (text: string, place: number) => ({
  text,
  spans: [{ document: 'd', start: place, end: place + 1 }],
  members: [place],
});
const textsOf = ({ text }: { text: string }) => [text];

test('points go together under a statement that rests on them', () => {
  const points = [point(WINTER, 0), point(LAID_UP, 1)];
  const text = 'The ferry does not run in the winter months, November to March.';
  expect(mergeGroup(` **${text}** `, points, textsOf)).toEqual({
    together: points,
    text,
    apart: [],
    isReworded: false,
  });
});

test.each(['', 'The moon is made of cheese.', `${WINTER} Fares rise by 40 per cent.`])(
  'under the text of the first where it does not: %j',
  (given) => {
    const points = [point(WINTER, 0), point(LAID_UP, 1)];
    expect(mergeGroup(given, points, textsOf)).toEqual({ together: points, text: WINTER, apart: [], isReworded: true });
  },
);

test('a model that puts everything into one group does not cost the points', () => {
  const points = [
    point(WINTER, 0),
    point('The school has two teachers.', 1),
    point(LAID_UP, 2),
    point('Bread is dear.', 3),
  ];
  expect(mergeGroup(WINTER, points, textsOf)).toEqual({
    together: [points[0], points[2]],
    text: WINTER,
    apart: [points[1], points[3]],
    isReworded: false,
  });
  const others = [points[1], points[3]];
  expect(mergeGroup('Island life.', others, textsOf)).toEqual({
    together: [],
    text: '',
    apart: others,
    isReworded: false,
  });
});
