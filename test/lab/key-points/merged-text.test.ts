import { expect, test } from 'vitest';
import { isSupported, mergeGroup } from '../../../src/lab/key-points/aggregate-points.ts';

const WINTER = 'The ferry does not run from November to March.';
const RESTS = 'From November to March the island ferry does not run.';
const LAID_UP = 'In the winter months, November to March, the boat is laid up.';

test.each([
  ['of their words', 'The ferry is laid up from November to March.', true],
  ['with one new word in four', 'The ferry rests from November to March.', true],
  ['with words of its own', 'Islanders complained that the ferry company closed its harbour office.', false],
  ['with a name of its own', 'The Maersk ferry does not run from November to March.', false],
  ['with another number in words', 'The ferry does not run for twelve weeks from November to March.', false],
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
    const points = [point(WINTER, 0), point(RESTS, 1)];
    expect(mergeGroup(given, points, textsOf)).toEqual({ together: points, text: WINTER, apart: [], isReworded: true });
  },
);

test('a model that puts everything into one group does not cost the points', () => {
  const points = [
    point(WINTER, 0),
    point('The school has two teachers.', 1),
    point(RESTS, 2),
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

test.each([
  ['another figure', 'The fine is 40 euros for cars.', 'The fine is 90 euros for vans.'],
  [
    'a denial',
    'Traffic in the centre fell by 18 percent in the first year.',
    'Traffic in the centre did not fall in the first year, the council says.',
  ],
])('what has %s stays apart under any text', (_, one, other) => {
  const points = [point(one, 0), point(other, 1)];
  for (const given of [one, other, `${one} ${other}`, '', one.replace(/ by .*| is .*/, '')]) {
    expect(mergeGroup(given, points, textsOf)).toEqual({ together: [], text: '', apart: points, isReworded: false });
  }
});

test('an empty phrase in the words of some does not take the place of unrelated points', () => {
  const points = [
    'Everything on the island is imported.',
    'Every harbour has used the same pumps since the great storm flooded the northern coast.',
    'Bread is dear.',
    'The school has two teachers.',
    'The shop opens at noon.',
    'Letters take a week.',
    'Young islanders leave for the mainland.',
  ].map(point);
  expect(mergeGroup('Everything is the same.', points, textsOf)).toMatchObject({ together: [], apart: points });
});

test('every point of a group that was merged before has to be told, not its text alone', () => {
  const texts = new Map([
    [
      'Parking is free for residents on Sundays.',
      ['Parking is free for residents.', 'Residents park free on Sundays.'],
    ],
  ]);
  const [plain, merged] = ['Parking is free for residents.', 'Parking is free for residents on Sundays.'].map(point);
  const under = mergeGroup(plain.text, [plain, merged], ({ text }) => texts.get(text) ?? [text]);
  expect(under.apart).toContain(merged);
});
