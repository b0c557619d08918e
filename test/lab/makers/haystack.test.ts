import { expect, test } from 'vitest';
import { type BenchmarkSet, benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { haystackMaker } from '../../../src/lab/makers/haystack.ts';
import { copiesOf, dealInsights, type HaystackOptions, improved } from '../../../src/lab/makers/haystack-documents.ts';
import { ModelCallError, type Question } from '../../../src/models/index.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import fc from '../../support/seeded-fast-check.ts';
import { dataOf, madeBy, ofPrompt } from './asked.ts';

const dealing = fc
  .record({
    insights: fc.integer({ min: 1, max: 80 }),
    documents: fc.integer({ min: 1, max: 100 }),
    least: fc.integer({ min: 1, max: 12 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ least, ...more }) => ({ ...more, least: Math.min(least, more.documents) }));

test('every insight is in as many documents, at least as asked; none twice in one; loads differ by one at most', () => {
  fc.assert(
    fc.property(dealing, ({ insights, seed, ...sizes }) => {
      const hands = dealInsights(insights, sizes, seededRandom(seed));
      const copies = copiesOf(insights, sizes);
      const loads = hands.map(({ length }) => length);
      expect(hands).toHaveLength(sizes.documents);
      expect(copies).toBeGreaterThanOrEqual(sizes.least);
      expect(hands.every((hand) => new Set(hand).size === hand.length)).toBe(true);
      for (let insight = 0; insight < insights; insight++) {
        expect(hands.filter((hand) => hand.includes(insight))).toHaveLength(copies);
      }
      expect(Math.min(...loads)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a document tells its share of a subtopic, and insights of one have documents of their own', () => {
  for (const seed of [1, 2, 3]) {
    const hands = dealInsights(70, { documents: 100, least: 5 }, seededRandom(seed));
    for (let first = 0; first < 70; first += 7) {
      const told = hands.map((hand) => hand.filter((place) => place >= first && place < first + 7).length);
      expect(Math.max(...told)).toBeLessThanOrEqual(2);
    }
    const lists = Array.from({ length: 70 }, (_, place) =>
      hands.flatMap((hand, at) => (hand.includes(place) ? [at] : [])).join(),
    );
    expect(new Set(lists).size).toBe(70);
  }
});

test.each([
  [[3, 2, 2, 3], 9, 2, 1, 3],
  [[2, 3, 1, 0, 0], 9, 0, 3, 3],
  [[2, 1, 0], 1, 1, 1, 1],
  [[0, 9], 9, 0, 0, 0],
])('of versions with %j faults in %d tries', async (faults, tries, fewest, place, tried) => {
  const versions = faults.map((each, at) => ({ faults: each, at }));
  const given = await improved(versions[0], tries, async (last, made) => {
    expect(last).toBe(versions[made]);
    return versions.at(made + 1) ?? null;
  });
  expect(given).toEqual({ best: { faults: fewest, at: place }, tried });
});

const OUTLINE = [
  {
    name: 'Harbour works',
    query: 'What is built in the harbour?',
    insights: [
      'The new quay is 340 metres long.',
      'The crane was shipped from Busan in May.',
      'Mud: two million tonnes.',
    ],
  },
  {
    name: 'Harbour money',
    query: 'Who pays for the harbour?',
    insights: ['The loan is 90 million euros.', 'Mayor Ines Aldana signed in 2021.', 'Fees rose by 12 percent.'],
  },
];
const FACTS = OUTLINE.flatMap(({ insights }) => insights);
const linesOf = (value = '') => [...dataOf(value).matchAll(/^\d+\. (.+)$/gm)].map(([, line]) => line);
const malformed = () => new ModelCallError('malformed', 'no');

/** A model that writes texts of nothing but facts, a line each, and finds them again by their letters. */
const honest: Readonly<Record<string, (values: Question['values']) => unknown>> = {
  'benchmark-outline': () => ({ subtopics: OUTLINE }),
  'benchmark-overlap': () => ({ overlaps: [] }),
  'benchmark-recategorise': ({ insights, subtopics }) => ({
    places: linesOf(insights).map((fact, place) => {
      const own = OUTLINE.find((each) => each.insights.includes(fact)) ?? OUTLINE[0];
      const at = linesOf(subtopics).findIndex((line) => line.startsWith(own.name));
      return { insight: place + 1, subtopic: at + 1 };
    }),
  }),
  'benchmark-article': ({ number, insights }) => [`Harbour report ${number}`, '', ...linesOf(insights)].join('\n'),
  'benchmark-chapter': ({ insights, chapter }) => [`Hana: Part ${chapter}.`, ...linesOf(insights)].join('\n'),
  'benchmark-find-insights': ({ insights, document }) => ({
    found: linesOf(insights).flatMap((fact, place) =>
      dataOf(document).includes(fact) ? [{ insight: place + 1, quote: fact }] : [],
    ),
  }),
  'benchmark-edit': ({ document, missing, extraneous }) => {
    const lines = dataOf(document).split('\n');
    return [...lines.filter((line) => !linesOf(extraneous).includes(line)), ...linesOf(missing)].join('\n');
  },
};

const OPTIONS: HaystackOptions = {
  ...{ topic: 'Harbour', subtopics: 2, insights: { least: 2, most: 3 }, documents: 6, words: 60 },
  ...{ kind: 'news', least: 2, edits: 5, retries: 10, seeds: [], seed: 1 },
};

async function made(but: typeof honest = {}, more: Partial<HaystackOptions> = {}) {
  const answer = ({ prompt, values }: Question) => (but[prompt.id] ?? honest[prompt.id])(values);
  const { set, ...rest } = await madeBy(haystackMaker({ ...OPTIONS, ...more }), answer);
  if (set !== null) expectTrueLabels(benchmarkSetSchema.parse(JSON.parse(JSON.stringify(set))));
  return { ...rest, set: set ?? { name: '', collections: [], cases: [], made: [] }, isMade: set !== null };
}

/** Each insight is of the documents that hold its words, and its passages are those words. */
function expectTrueLabels({ cases, collections: [{ documents }] }: BenchmarkSet): void {
  for (const { insights = [], passages = [] } of cases) {
    for (const { id, text, documents: told } of insights) {
      expect(told).toEqual(documents.filter((each) => each.text.includes(text)).map((each) => each.id));
      const slices = passages.filter((each) => each.insights?.includes(id));
      const texts = slices.map((each) =>
        documents.find((of) => of.id === each.document)?.text.slice(each.start, each.end),
      );
      expect(texts).toEqual(told?.map(() => text));
    }
  }
}

test('makes a case a subtopic, with labels that say what the documents tell', async () => {
  const { set, counts, questions } = await made();
  expect(set.cases.map(({ intent, domain, insights }) => [intent, domain, insights?.map(({ text }) => text)])).toEqual(
    OUTLINE.map(({ query, insights }) => [query, 'news', insights]),
  );
  const [{ documents }] = set.collections;
  expect(documents.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `document-${n}`));
  expect(set.cases.flatMap(({ insights = [] }) => insights).every((each) => each.documents?.length === 2)).toBe(true);
  expect(counts).toEqual({ documents: 6 });
  expect(questions).toHaveLength(1 + 2 + 1 + 6 + 6);
});

test('documents that lack an insight or tell another are put right', async () => {
  const { counts, set } = await made({
    'benchmark-article': (values) =>
      values.number === '1' ? `Report\n${FACTS[0]}\n${FACTS[5]}` : honest['benchmark-article'](values),
  });
  expect(counts).toEqual({ documents: 6, edits: 1 });
  expect(set.cases.flatMap(({ insights = [] }) => insights).every((each) => each.documents?.length === 2)).toBe(true);
});

test('what edits do not put right is put right in the labels, and rare insights are counted', async () => {
  const { counts, questions } = await made(
    {
      'benchmark-article': ({ number, insights }) => `Report ${number}\n${linesOf(insights).slice(1).join('\n')}`,
      'benchmark-edit': ({ document }) => `${dataOf(document)}\nIt was edited.`,
    },
    { edits: 2 },
  );
  expect(counts).toMatchObject({ edits: 12, missingLeft: 6 });
  expect(ofPrompt(questions, 'benchmark-edit')).toHaveLength(12);
  expect(counts.rare).toBeGreaterThan(0);
});

test('repeated, surplus, overlapping and foreign insights go, and subtopics that keep too few', async () => {
  const [works, money] = OUTLINE;
  const twin = { name: 'Debts', query: 'Who lends?', insights: ['Debt A is 1 million.', 'Debt B is 2 million.'] };
  const gulls = { name: 'Gulls', query: 'How are the gulls?', insights: ['There are 300 gulls.'] };
  const subtopics = [
    { ...works, insights: [...works.insights, FACTS[0].toUpperCase(), 'Buoy 7 sank.', { odd: 1 }] },
    { ...money, name: 'HARBOUR  WORKS' },
    money,
    ...[twin, gulls, { name: 'Broken' }],
  ];
  const pairs = new Map([
    ['Debts', 'Harbour money'],
    [FACTS[1], FACTS[0]],
    [FACTS[0], FACTS[1]],
  ]);
  const { set, counts } = await made(
    {
      'benchmark-outline': () => ({ subtopics }),
      'benchmark-overlap': ({ items }) => {
        const lines = linesOf(items);
        const placeOf = (text = '') => lines.findIndex((line) => line.startsWith(text)) + 1;
        return { overlaps: [...pairs].map(([item, other]) => ({ item: placeOf(item), with: placeOf(other) })) };
      },
      'benchmark-recategorise': (values) => {
        const foreign = linesOf(values.insights).indexOf(FACTS[5]) + 1;
        const { places } = honest['benchmark-recategorise'](values) as { places: { insight: number }[] };
        return { places: places.map((each) => (each.insight === foreign ? { ...each, subtopic: 0 } : each)) };
      },
    },
    { subtopics: 4 },
  );
  expect(set.cases.map(({ insights }) => insights?.map(({ text }) => text))).toEqual([
    [FACTS[0], FACTS[2]],
    [FACTS[3], FACTS[4]],
  ]);
  expect(counts).toMatchObject({
    ...{ repeatedOrSurplus: 2, inOverlappingSubtopics: 2, overlapping: 1, recategorised: 1, inThinSubtopics: 1 },
  });
});

test('each chapter of a conversation is shown the one before, checked, and written anew until it tells its insight', async () => {
  const [fact] = FACTS;
  const slow = (attempts: number): typeof honest => ({
    'benchmark-chapter': (values) => {
      const attempt = Number(/This is attempt (\d+)/.exec(values.wrong)?.[1] ?? 1);
      const isLost = values.insights.includes(fact) && attempt <= attempts;
      return isLost ? 'Hana: Nothing.' : honest['benchmark-chapter'](values);
    },
  });
  const soon = await made(slow(2), { kind: 'conversation', edits: 0 });
  expect(soon.counts).toEqual({ documents: 6, chapterRetries: 4 });
  const chapters = ofPrompt(soon.questions, 'benchmark-chapter');
  const seconds = chapters.filter(({ values }) => values.chapter === '2');
  for (const { values } of seconds) expect(values.before).toContain('Hana: Part 1.');
  const again = chapters.find(({ values }) => values.wrong.startsWith('This is attempt 3'));
  expect(again?.values.wrong).toContain('It did not tell, whole and unchanged:\n<<<BEGIN facts');
  const never = await made(slow(99), { kind: 'conversation', edits: 0, retries: 3 });
  expect(never.counts).toMatchObject({ chapterRetries: 6, chaptersLeftWrong: 2, rare: 1 });
  expect(never.set.cases.flatMap(({ insights = [] }) => insights).map(({ text }) => text)).not.toContain(fact);
});

test('documents that nobody can write or read back are left out', async () => {
  const { set, counts } = await made({
    'benchmark-article': (values) => (values.number === '3' ? '…' : honest['benchmark-article'](values)),
    'benchmark-find-insights': (values) =>
      values.document.includes('report 2\n') ? malformed() : honest['benchmark-find-insights'](values),
  });
  expect(set.collections[0].documents.map(({ id }) => id)).toEqual([1, 4, 5, 6].map((n) => `document-${n}`));
  expect(counts).toMatchObject({ unread: 1, unwritten: 1, documents: 4 });
});

test.each<[string, typeof honest, object]>([
  ['no outline', { 'benchmark-outline': malformed }, {}],
  ['nothing found', { 'benchmark-find-insights': () => ({ found: [] }) }, { rare: 6 }],
  [
    'words that no document holds',
    { 'benchmark-find-insights': () => ({ found: [{ insight: 1, quote: 'Nobody wrote such words anywhere.' }] }) },
    { rare: 6 },
  ],
])('%s: nothing is made', async (_, but, counts) => {
  const outcome = await made(but);
  expect(outcome.isMade).toBe(false);
  expect(outcome.counts).toMatchObject(counts);
});

test('unreadable answers about overlaps, subtopics and edits change nothing', async () => {
  const lost = { 'benchmark-overlap': malformed, 'benchmark-recategorise': malformed, 'benchmark-edit': malformed };
  const { set, counts } = await made(lost);
  expect(set.cases).toHaveLength(2);
  expect(counts).toEqual({ documents: 6 });
});

test('insights that do not fit one question are asked for in several, and seeds are shown', async () => {
  const insights = Array.from(
    { length: 150 },
    (_, n) => `Of harbour ${n} some ${100 + n} boats were lost in storms, its log says.`,
  );
  const own = { name: 'Logs', query: 'What do the logs say?', insights };
  const { set, questions } = await made(
    { 'benchmark-outline': () => [own], 'benchmark-recategorise': () => ({ places: [] }) },
    { insights: { least: 1, most: 150 }, words: 10, seeds: [{ id: 'd', text: 'The quay of Alvik sank.' }] },
  );
  expect(set.cases[0].insights).toHaveLength(150);
  expect(ofPrompt(questions, 'benchmark-outline')[0].values.seeds).toContain('The quay of Alvik sank.');
  const reads = ofPrompt(questions, 'benchmark-find-insights');
  expect(new Set(reads.map(({ values }) => values.document)).size).toBe(6);
  expect(reads.length).toBeGreaterThan(6);
});
