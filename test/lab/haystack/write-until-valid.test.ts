import { expect, test } from 'vitest';
import { type Settled, writeUntilValid } from '../../../src/lab/haystack/write-until-valid.ts';
import { ModelCallError, type Question } from '../../../src/models/index.ts';
import { askedModel, dataOf, ofPrompt } from '../key-points/asked.ts';

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
  const { model, questions } = askedModel(({ prompt, values }: Question) => {
    if (prompt.id === 'benchmark-article') return texts[0];
    if (prompt.id === 'benchmark-edit') return texts[Math.min(++edits, texts.length - 1)];
    const text = dataOf(values.document);
    if (!isReadable(text)) return new ModelCallError('malformed', 'no');
    return { found: FACTS.flatMap((fact, place) => (text.includes(fact) ? { insight: place + 1, quote: fact } : [])) };
  });
  const shown = FACTS.map((text, place) => ({ text, place }));
  const document: Settled = await writeUntilValid(model, PLAN, FACTS, shown, OPTIONS);
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
