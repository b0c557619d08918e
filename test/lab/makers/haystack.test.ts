import { expect, test } from 'vitest';
import { isFinished, type Settled, writeUntilValid } from '../../../src/lab/makers/haystack-documents.ts';
import { isSpecific } from '../../../src/lab/makers/haystack-outline.ts';
import { copiesOf, dealEvenly, dealInsights } from '../../../src/lab/makers/haystack-plan.ts';
import { ModelCallError, type Question } from '../../../src/models/index.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import fc from '../../support/seeded-fast-check.ts';
import { askedBy, dataOf, ofPrompt } from './asked.ts';

const subtopicsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, subtopic) => new Array<number>(size).fill(subtopic));

const cases = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 10 }),
    documents: fc.integer({ min: 1, max: 100 }),
    least: fc.integer({ min: 1, max: 12 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ sizes, documents, least, seed }) => ({ sizes, documents, least: Math.min(least, documents), seed }));

function deal(sizes: readonly number[], documents: number, least: number, seed: number) {
  const insights = subtopicsOf(sizes);
  const dealt = dealInsights(insights, { documents, least }, seededRandom(seed));
  /** Of a document, how many insights of each subtopic it tells. */
  const mixes = dealt.map((hand) => sizes.map((_, at) => hand.filter((place) => insights[place] === at).length));
  /** Documents of each insight. */
  const lists = insights.map((_, place) => dealt.flatMap((hand, at) => (hand.includes(place) ? [at] : [])));
  return { insights, dealt, mixes, lists };
}

/** Pairs of insights of one subtopic: how many there are, and how many are in the very same documents. */
function twins({ insights, lists }: ReturnType<typeof deal>): { readonly pairs: number; readonly same: number } {
  const pairs = insights.flatMap((subtopic, one) =>
    insights.slice(0, one).flatMap((other, two) => (other === subtopic ? [[lists[one], lists[two]]] : [])),
  );
  return { pairs: pairs.length, same: pairs.filter(([one, two]) => one.join() === two.join()).length };
}

test('every insight is in as many documents, at least as asked; none twice in one; loads differ by one at most', () => {
  fc.assert(
    fc.property(cases, ({ sizes, documents, least, seed }) => {
      const { dealt, lists, insights } = deal(sizes, documents, least, seed);
      const loads = dealt.map(({ length }) => length);
      expect(dealt).toHaveLength(documents);
      expect(copiesOf(insights.length, { documents, least })).toBeGreaterThanOrEqual(least);
      expect(new Set(lists.map(({ length }) => length))).toEqual(
        new Set([copiesOf(insights.length, { documents, least })]),
      );
      expect(dealt.every((hand) => new Set(hand).size === hand.length)).toBe(true);
      expect(Math.min(...loads)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a document tells its share of each subtopic, rounded up or down, so that it tells of several where it can', () => {
  fc.assert(
    fc.property(cases, ({ sizes, documents, least, seed }) => {
      const { mixes, dealt, insights } = deal(sizes, documents, least, seed);
      const copies = copiesOf(insights.length, { documents, least });
      for (const [subtopic, size] of sizes.entries()) {
        const share = (size * copies) / documents;
        const told = mixes.map((mix) => mix[subtopic]);
        expect(Math.min(...told)).toBeGreaterThanOrEqual(Math.floor(share));
        expect(Math.max(...told)).toBeLessThanOrEqual(Math.ceil(share));
      }
      const loads = dealt.map(({ length }) => length);
      const largest = Math.max(...sizes) / insights.length;
      // With a share of one the half of two are of other subtopics, or more.
      if (Math.min(...loads) < 2 || largest > 1 / 2) return;
      const several = mixes.filter((mix) => mix.filter((count) => count > 0).length >= 2);
      expect(several.length).toBeGreaterThan(documents / 2);
    }),
  );
});

test.each([
  [Array.from({ length: 10 }, () => 7), 100, 5],
  [[10, 5, 5, 8, 6, 7], 60, 5],
  [[8, 8], 12, 5],
  [Array.from({ length: 10 }, () => 7), 20, 8],
])('insights of a subtopic have documents of their own: %j to %d, each to %d', (sizes, documents, least) => {
  const all = Array.from({ length: 20 }, (_, seed) => twins(deal(sizes, documents, least, seed)));
  const [pairs, same] = (['pairs', 'same'] as const).map((of) => all.reduce((sum, each) => sum + each[of], 0));
  expect(pairs).toBeGreaterThan(500);
  expect(same / pairs).toBeLessThan(0.01);
});

test('subtopics meet in ever other company: not two of them are always together', () => {
  const { mixes } = deal(
    Array.from({ length: 10 }, () => 6),
    100,
    5,
    3,
  );
  const pairs = mixes.flatMap((mix) => {
    const told = [...mix.keys()].filter((subtopic) => mix[subtopic] > 0);
    return told.flatMap((one) => told.filter((other) => other > one).map((other) => `${one} ${other}`));
  });
  // 100 documents with 3 subtopics each have 300 pairs of the 45 that there are.
  expect(new Set(pairs).size).toBeGreaterThan(40);
});

test('items are dealt out, however their copies differ', () => {
  const given = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }).chain((copies) =>
    fc.record({
      copies: fc.constant(copies),
      hands: fc.integer({ min: Math.max(...copies), max: 40 }),
      seed: fc.integer({ min: 0, max: 1000 }),
    }),
  );
  fc.assert(
    fc.property(given, ({ copies, hands, seed }) => {
      const total = copies.reduce((sum, count) => sum + count, 0);
      const sizes = Array.from({ length: hands }, (_, at) => Math.floor(total / hands) + Number(at < total % hands));
      const dealt = dealEvenly(copies, sizes, seededRandom(seed));
      expect(dealt.map((hand) => new Set(hand).size)).toEqual(sizes);
      expect(copies.map((_, item) => dealt.filter((hand) => hand.includes(item)).length)).toEqual(copies);
    }),
  );
});

test.each([
  'It is done.',
  'Is it?\n',
  'She said: "It is done."',
  '„Es ist fertig.“',
  '»Es ist fertig«',
  '«C’est fini.»',
  '(All of it.)',
  '*It is done.*',
  '終わった。',
  '「終わった」',
  'यह हो गया।',
  'تم ذلك؟',
  'Եղավ։',
  'ត្រូវបានធ្វើ។',
  'มันเสร็จแล้ว',
])('%j ends as a sentence does', (text) => {
  expect(isFinished(text)).toBe(true);
});

test.each(['It is', 'It is,', 'It is:', 'It is –', 'It is (', '終わ', '終わり、', 'تم،', 'In 1990', ''])(
  '%j breaks off',
  (text) => {
    expect(isFinished(text)).toBe(false);
  },
);

test.each([
  'Sales rose by 4 percent.',
  'Half of the boats stayed in port.',
  'The strike began in march-free weather on a Tuesday.',
  'Work was finished in May.',
  'June was dry.',
  'The bridge was opened by Angela Torres.',
  'The ship sails for NASA.',
  'Twelve boats were lost.',
])('%s', (insight) => {
  expect(isSpecific(insight)).toBe(true);
});

test.each([
  ['neither number, date nor name', 'Sales rose a lot.'],
  ['only a capital at its opening', 'Farmers may march again.'],
  ['only a small "may"', 'They may come back.'],
  ['"one" and "first" alone', 'The first boat was the one that sank.'],
  ['two sentences', 'Sales rose by 4 percent. Profits fell.'],
  ['nothing', ''],
  ['a passage', `It cost 5 euros ${'and more '.repeat(80)}.`],
])('%s is not enough', (_, insight) => {
  expect(isSpecific(insight)).toBe(false);
});

const FACTS = ['The quay is 340 metres long.', 'The loan is 90 million euros.', 'Fees rose by 12 percent.'];
const OPTIONS = {
  topic: 'Harbour',
  kind: 'news',
  subtopics: 1,
  insights: { least: 1, most: 3 },
  documents: 1,
  words: 100,
  least: 1,
  edits: 5,
  retries: 10,
  seeds: [],
  seed: 1,
} as const;
const PLAN = {
  id: 'document-1',
  number: 1,
  insights: [0, 1],
  manner: { kind: 'news', outlet: 'a paper', opening: 'a scene' },
} as const;

/** Settles a document whose texts are these, the first as written, the others as edits give them; null for what cannot be read. */
async function settled(texts: readonly string[], isReadable: (text: string) => boolean = () => true) {
  let edits = 0;
  const { model, questions } = askedBy(({ prompt, values }: Question) => {
    if (prompt.id === 'benchmark-article') return texts[0];
    if (prompt.id === 'benchmark-edit') return texts[Math.min(++edits, texts.length - 1)];
    const text = dataOf(values.document);
    if (!isReadable(text)) return new ModelCallError('malformed', 'no');
    return { found: FACTS.flatMap((fact, place) => (text.includes(fact) ? { insight: place + 1, quote: fact } : [])) };
  });
  const shown = FACTS.map((text, place) => ({ text, place }));
  const document: Settled = await writeUntilValid(model, PLAN, { texts: FACTS, shown, options: OPTIONS });
  return { document, edits: ofPrompt(questions, 'benchmark-edit') };
}

const [quay, loan, fees] = FACTS;
const opening = 'The harbour grows.';

test('edits go on from the best text, told what an edit that made it worse got wrong, until two have', async () => {
  const first = `${opening} ${quay}`;
  const { document, edits } = await settled([first, `${opening} ${fees}`, opening, `${quay} ${loan}`]);
  expect(document).toMatchObject({
    text: first,
    counts: { edits: 2, missingLeft: 1, extraneousLeft: 0, unfinished: 0, unreadEdits: 0 },
  });
  expect(edits.map(({ values }) => dataOf(values.document))).toEqual([first, first]);
  expect(edits[0].values.failed).toBe('None.');
  expect(dataOf(edits[1].values.failed)).toBe(`1. ${quay}\n2. ${fees}`);
});

test('an edit that is better takes the place, whatever one before it was', async () => {
  const { document } = await settled([`${opening} ${quay}`, opening, `${quay} ${loan}`]);
  expect(document).toMatchObject({ text: `${quay} ${loan}`, counts: { edits: 2, missingLeft: 0 } });
});

test('a text that breaks off is edited like one with errors', async () => {
  const cut = `${quay} ${loan} What the`;
  const whole = `${quay} ${loan} What then?`;
  expect((await settled([cut, whole])).document).toMatchObject({ text: whole, counts: { edits: 1, unfinished: 0 } });
  expect((await settled([cut, cut])).document).toMatchObject({ text: cut, counts: { edits: 0, unfinished: 1 } });
});

test('a document that nobody can read is none; of an edit that nobody can read the version before counts', async () => {
  expect((await settled([quay], () => false)).document).toBe('unread');
  expect((await settled(['…'])).document).toBe('unwritten');
  const { document } = await settled([quay, `${quay} ${loan}`], (text) => text === quay);
  expect(document).toMatchObject({ text: quay, counts: { edits: 1, unreadEdits: 1, missingLeft: 1 } });
});

test('insights that do not fit one question are asked for in several, with the words that tell them', async () => {
  const texts = Array.from(
    { length: 60 },
    (_, place) =>
      `Of the boats of harbour ${place} some ${100 + place} were lost in storms, the log of its master says.`,
  );
  const told = texts.filter((_, at) => at % 7 === 0);
  const shown = texts.map((text, place) => ({ text, place })).toReversed();
  const settledBy = async (misread: (fact: string) => string, lost = -1) => {
    const { model, questions } = askedBy(
      ({ prompt, values }, call) => {
        if (prompt.id === 'benchmark-article') return `${told.join(' ')}`;
        if (call === lost) return new ModelCallError('malformed', 'no');
        const lines = [...values.insights.matchAll(/^(\d+)\. (.+)$/gm)].filter(([, , fact]) => told.includes(fact));
        const found = lines.map(([, number, fact]) => ({ insight: number, quote: misread(fact) }));
        return { found: [...found, 'none', { insight: 0, quote: told[0] }, { insight: 999, quote: told[0] }] };
      },
      { contextTokens: 2400 },
    );
    const plan = { ...PLAN, insights: [0] };
    const options = { ...OPTIONS, edits: 0 };
    const document = await writeUntilValid(model, plan, { texts, shown, options });
    return { document, reads: ofPrompt(questions, 'benchmark-find-insights').length };
  };
  const { document, reads } = await settledBy((fact) => fact);
  expect(reads).toBeGreaterThan(1);
  if (typeof document === 'string') throw new Error(document);
  const spans = [...document.told].map(([place, [{ start, end }]]) => [place, document.text.slice(start, end)]);
  expect(spans).toEqual(texts.flatMap((text, place) => (told.includes(text) ? [[place, text]] : [])));
  expect(document.counts).toMatchObject({ unfounded: 0, extraneousLeft: told.length - 1 });
  const misquoted = await settledBy((fact) => (fact === told[1] ? 'Nobody wrote such words anywhere at all.' : fact));
  expect(misquoted.document).toMatchObject({ counts: { unfounded: 1, extraneousLeft: told.length - 2 } });
  // If one of several answers cannot be read, nothing is known.
  expect((await settledBy((fact) => fact, 2)).document).toBe('unread');
});
