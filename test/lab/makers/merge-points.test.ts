import { describe, expect, test } from 'vitest';
import { batches, isSupported, mergePoints, type PlacedPoint, tells } from '../../../src/lab/makers/merge-points.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import { utf8Length } from '../../../src/text/index.ts';
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

/** A point, and a text that would take its place. */
type Pair = readonly [point: string, text: string];

const SAME: readonly Pair[] = [
  [
    'In the winter months, November to March, the boat to the island is laid up.',
    'The ferry to the island does not run from November to March.',
  ],
  ['From November to March the ferry does not run.', 'The ferry does not run from November to March.'],
  [
    'Traffic in the centre fell by 18% in the first year.',
    'In its first year, traffic in the centre fell by 18 percent.',
  ],
  [
    'Vehicle traffic in central areas dropped 18 percent during the first year of the scheme.',
    'Traffic in the centre fell by 18 percent in the first year.',
  ],
  ['Drivers of cars pay a fine of 40 euros.', 'The fine is 40 euros for cars.'],
  ['Shop owners report that sales have dropped.', 'Shop owners say their sales dropped.'],
  ['Helmets reduce the risk of head injury by half.', 'Wearing helmets halves the risk of head injuries.'],
  [
    'The vaccine protects older adults against severe illness.',
    'Older adults are protected from severe illness by the vaccine.',
  ],
  ['Marie Curie won two Nobel prizes.', 'Two Nobel prizes were won by Marie Curie.'],
  ['The school has two teachers.', 'There are two teachers at the school.'],
  ['Bread is expensive on the island.', 'On the island, bread is dear.'],
  [
    'Homeschooled children miss out on social contact with other children.',
    'Children taught at home lack social contact with other children.',
  ],
  [
    'According to the agency, air pollution shortens life by nine months on average.',
    'Air pollution shortens lives by nine months on average.',
  ],
  ['The European Central Bank raised interest rates in July 2022.', 'In July 2022 the ECB raised its interest rates.'],
  ['Regular exercise lowers blood pressure.', 'Blood pressure is lowered by regular exercise.'],
  ['The bridge was closed in 1998 after cracks were found.', 'Cracks led to the closing of the bridge in 1998.'],
  ['Residents can park for free.', 'Parking is free for residents.'],
  ['Deforestation destroys the habitats of many species.', 'Many species lose their habitats to deforestation.'],
  [
    'Coffee drinkers have a lower risk of liver disease.',
    'People who drink coffee suffer less often from liver disease.',
  ],
  ['The new law bans single-use plastic bags.', 'Single-use plastic bags are banned by the new law.'],
  ['Sea levels have risen by about 20 cm since 1900.', 'Since 1900 sea levels rose by roughly 20 cm.'],
  ['The hospital cannot fill 35 nursing posts.', 'At the hospital, 35 nursing posts are vacant.'],
  ['Remote workers report higher job satisfaction.', 'Job satisfaction is higher among people working remotely.'],
  ['The library will stay open until midnight during exams.', 'During exams, the library is open until midnight.'],
  ['Bees are dying because of pesticides.', 'Pesticides kill bees.'],
  ['The company laid off a tenth of its workforce.', 'One in ten employees of the company lost their job.'],
  [
    'Norway gets almost all of its electricity from hydropower.',
    'Hydropower provides nearly all electricity in Norway.',
  ],
  ['Capital punishment does not deter crime.', 'The death penalty does not deter criminals.'],
  ['Students who sleep less get worse grades.', 'Lack of sleep worsens the grades of students.'],
  ['The tower is 320 metres high.', 'The height of the tower is 320 metres.'],
];

const OTHER: readonly Pair[] = [
  ['The school has two teachers.', 'Everything is the same.'],
  ['The same pumps have been used in every harbour of the northern coast since the storm.', 'Everything is the same.'],
  [
    'Traffic in the centre did not fall in the first year, the council says.',
    'Traffic in the centre fell by 18 percent in the first year.',
  ],
  ['Traffic in the centre did not fall in the first year.', 'Traffic in the centre fell in the first year.'],
  ['The fine is 90 euros for vans.', 'The fine is 40 euros for cars.'],
  ['Shop owners say sales rose.', 'Shop owners say sales fell.'],
  ['A ticket for the ferry costs 12 crowns.', 'The ferry does not run from November to March.'],
  ['The ferry carries 60 cars and 200 passengers in summer.', 'The ferry does not run from November to March.'],
  ['The Berlin office hired 30 people in 2021.', 'The Munich office hired 30 people in 2021.'],
  ['The bank raised interest rates in July 2022.', 'The bank raised interest rates in March 2022.'],
  ['Helmets are mandatory for children under 12.', 'Helmets reduce the risk of head injury by half.'],
  ['The vaccine does not prevent transmission.', 'The vaccine prevents transmission.'],
  ['Pfizer sued Moderna over a patent.', 'Moderna sued Pfizer over a patent.'],
  ['Bread is dear on the island.', 'The island has one shop.'],
  [
    'Residents of the centre complain about noise from delivery vans at night.',
    'Residents of the centre can park for free.',
  ],
  ['The bridge was built in 1931 by a Danish firm.', 'The bridge was closed in 1998 after cracks were found.'],
  ['Exercise lowers blood pressure.', 'Exercise strengthens bones.'],
  [
    'Homeschooling is difficult to regulate and stops children from mixing with others.',
    'Homeschooling lets parents choose what their children learn.',
  ],
  [
    'The council spent 4 million euros on cameras, signs and software for the zone.',
    'The zone is controlled by cameras at 21 crossings.',
  ],
  ['Deforestation destroys the habitats of many species.', 'Deforestation releases carbon that forests store.'],
  ['The museum is closed on Mondays.', 'The museum is closed on Tuesdays.'],
  ['The minister denies that the dam was damaged.', 'The dam was damaged.'],
  ['Coffee drinkers have a higher risk of insomnia.', 'Coffee drinkers have a lower risk of liver disease.'],
  ['The new law bans single-use plastic bags.', 'The new law taxes plastic bottles.'],
  ['Sea levels have risen by about 20 cm since 1900.', 'Sea levels will rise by 60 cm until 2100.'],
  ['The hospital cannot fill 35 nursing posts.', 'The hospital has 350 beds.'],
  ['Remote workers feel lonely more often.', 'Remote workers report higher job satisfaction.'],
  ['The library lends laptops to students during exams.', 'During exams, the library is open until midnight.'],
  ['Bees pollinate a third of all crops.', 'Pesticides kill bees.'],
  ['The company was founded in 1950 in Oslo.', 'The company laid off a tenth of its workforce.'],
  ['Norway exports most of its gas to Germany.', 'Hydropower provides nearly all electricity in Norway.'],
  ['Capital punishment deters crime.', 'Capital punishment does not deter crime.'],
  ['The north tower is open to visitors every day in summer.', 'The height of the tower is 320 metres.'],
  ['Nurses in the town earn less than teachers.', 'Teachers in the town earn less than nurses.'],
];

/** Points of pairs that the rule gets wrong. */
const wrong = (pairs: readonly Pair[], isSame: boolean): number =>
  pairs.filter(([point, text]) => tells(text, point) !== isSame).length;

test('of duplicates most can take each other’s place, and of other points few', () => {
  expect(SAME.length + OTHER.length).toBe(64);
  expect(wrong(SAME, true)).toBeLessThanOrEqual(5);
  expect(wrong(OTHER, false)).toBeLessThanOrEqual(6);
  for (const [point] of [...SAME, ...OTHER]) expect(tells(` ${point}`, point)).toBe(true);
});

test.each([
  ['Fares rose by 5 percent.', 'Fares rose.', false],
  ['Fares rose.', 'Fares rose by 5 percent.', true],
  ['Fares rose by five per cent.', 'Fares rose by 5%.', true],
  ['Fares rose in May in Hull.', 'Fares rose in Hull.', false],
  ['Die Fähre fährt im Winter nicht.', 'Die Fähre fährt im Winter.', false],
  ['学校有两个老师。', '学校有两个老师。', true],
  ['', 'Ferries.', false],
])('%j under %j: %j', (point, text, isIt) => {
  expect(tells(text, point)).toBe(isIt);
});

const WINTER = 'The ferry does not run from November to March.';
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
  const { model, questions } = askedBy(() => ({
    groups: [
      { points: [3, 1], text: 'The ferry does not run in winter at all.' },
      { points: [2], text: 'Something else' },
    ],
  }));
  const { groups, counts } = await mergePoints(FERRY, ORDER, model);
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
  const { model, questions } = askedBy(() => unreadable);
  expect((await mergePoints([], ORDER, model)).groups).toEqual([]);
  const same = [point('The ferry rests.', 9), point('the  FERRY rests', 0, 'a')];
  const { groups } = await mergePoints(same, ORDER, model);
  expect(groups).toEqual([{ text: 'The ferry rests.', spans: same.flatMap(({ spans }) => spans), members: [0, 1] }]);
  expect(questions).toEqual([]);
});

test('an answer that cannot be read leaves the points as they are, and is counted', async () => {
  const { model } = askedBy(() => unreadable);
  const { groups, counts } = await mergePoints(FERRY, ORDER, model);
  expect(groups).toEqual(FERRY.map((each, place) => ({ ...each, members: [place] })));
  expect(counts.unmergedBatches).toBe(1);
});

test('any other failure ends it', async () => {
  const { model } = askedBy(() => new ModelCallError('unreachable', 'The server is away.'));
  await expect(mergePoints(FERRY, ORDER, model)).rejects.toThrow('The server is away.');
});

test('text of a document cannot pass for a point of its own', async () => {
  const { model, questions } = askedBy(() => unreadable);
  await mergePoints([point('One\n2. Two', 0), point('Three', 50)], ORDER, model);
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
    const { model, questions } = askedBy(byLastWord);
    const { groups } = await mergePoints(points, ORDER, model);
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
    const { groups } = await mergePoints(points, ORDER, model);
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
        .map((_, place) => ({ points: [place + 1], text: '' })),
    }));
    expect((await mergePoints(points, ORDER, model)).groups).toHaveLength(120);
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
          const { model } = askedBy((_, call) => answers[call % answers.length], { contextTokens: context });
          return mergePoints(given, ORDER, model);
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
    { numRuns: 60 },
  );
});

test('groups that are wrong are put right: each point in the first that names it, or its own', async () => {
  const wrongGroups = { groups: [{ points: [1, 3, 7], text: FERRY[0].text }, { points: [3] }] };
  const { model, questions } = askedBy(() => wrongGroups);
  const { groups, counts } = await mergePoints(FERRY, ORDER, model);
  expect(groups.map(({ members }) => members)).toEqual([[0, 2], [1]]);
  // Of no point, in two groups, and in none.
  expect(counts.repairedGroups).toBe(3);
  expect(questions).toHaveLength(1);
});

test('a statement that does not rest on its points gives way to the first; what it does not tell stays apart', async () => {
  const texts = [FERRY[0].text, 'The school has two teachers.', FERRY[2].text, 'Bread is dear.'];
  const points = texts.map((text, place) => point(text, 50 * place));
  const mergedUnder = async (text: string) => {
    const { model } = askedBy(() => ({ groups: [{ points: [1, 2, 3, 4], text }] }));
    const { groups, counts } = await mergePoints(points, ORDER, model);
    return [groups.map((each) => [each.text, each.members]), counts.reworded, counts.apart];
  };
  const alone = [1, 3].map((place) => [texts[place], [place]]);
  expect(await mergedUnder(texts[2])).toEqual([[[texts[2], [0, 2]], ...alone], 0, 2]);
  for (const text of ['', 'The moon is made of cheese.', `${texts[2]} Fares rise by 40 per cent.`]) {
    expect(await mergedUnder(text)).toEqual([[[texts[0], [0, 2]], ...alone], 1, 2]);
  }
  expect((await mergedUnder('Island life.'))[0]).toHaveLength(3);
});
