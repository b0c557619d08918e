import { expect, test } from 'vitest';
import type { Point } from '../../../src/digest/extract/points.ts';
import type { ReadDocument } from '../../../src/digest/extract/read-documents.ts';
import type { Plan } from '../../../src/digest/plan.ts';
import { selectedPoints } from '../../../src/digest/select/selected-points.ts';
import type { Near, Selection } from '../../../src/selection/index.ts';
import { sentenceChecker } from '../../../src/summary/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';

const TEXTS = [
  'Spending on flights fell by 4 percent in 2025.',
  'Spending on flights fell by 4 percent in 2025',
  'Spending on flights fell by 1.5 percent in 2025.',
  'Spending on flights fell.',
  'SPENDING ON FLIGHTS FELL BY 4 PERCENT IN 2025.',
];

/** One pick, the first text, or what a model worded of these; the others are near it, the third joined it. */
async function selected(near: readonly Near[], worded?: readonly (readonly [text: string, quote: string])[]) {
  const encoder = new HashedWordsEncoder();
  const given = worded ?? TEXTS.map((text) => [text, text] as const);
  const points = given.map(([text, quote], i) => ({
    id: `kp${i}`,
    text,
    document: `d${i}`,
    documentIndex: i,
    quote: { text: quote, start: 0, end: quote.length, status: 'exact' },
    moreQuotes: [],
    under: [],
    selfContained: 1,
  })) as unknown as Point[];
  const documents = given.map(([, text], i) => ({
    document: { id: `d${i}`, text },
    extraction: { language: 'eng' },
  })) as unknown as ReadDocument[];
  const nearest = { near: [near] } as unknown as Selection['nearest'];
  const selection = { picks: [{ item: 0, gain: 1 }], nearest, salience: null } as unknown as Selection;
  const plan = { options: { kernelEncoder: encoder }, extractor: { isModel: worded !== undefined } };
  const [point] = await selectedPoints(
    plan as unknown as Plan,
    { points, documents },
    { values: Float64Array.from(given, () => 1), eligible: new Uint8Array(0), facets: new Int32Array(0), intent: null },
    { selection, candidates: given.map((_, i) => i), feedsWriter: false },
    () => sentenceChecker({ encode: (texts) => encoder.encode(texts), profile: encoder.profile, reference: TEXTS }),
  );
  return point;
}

test('what states a point supports it; what joined without stating it, or is near it, is related, most similar first', async () => {
  const { supports, related } = await selected([
    { item: 1, similarity: 1, joins: false },
    { item: 2, similarity: 0.8, joins: true },
    { item: 3, similarity: 0.9, joins: false },
    { item: 4, similarity: 1, joins: true },
  ]);
  expect(supports.map(({ keyPoint }) => keyPoint)).toEqual(['kp1', 'kp4']);
  expect(related).toEqual(['kp3', 'kp2']);
});

const CLOSE = { similarity: 0.95, joins: true };

test('what a model worded supports where its quote states the quote, whatever the wordings say', async () => {
  const lie = 'The council closed the bridge on Monday.';
  const { supports, related } = await selected(
    [
      { item: 1, ...CLOSE },
      { item: 2, ...CLOSE },
    ],
    [
      ['The council closed the bridge on Monday.', 'The council closed the bridge.'],
      [lie, 'The council did not close the bridge.'],
      ['Nobody may cross the river at present.', 'The council closed the bridge.'],
    ],
  );
  expect(supports.map(({ keyPoint, text }) => [keyPoint, text])).toEqual([['kp2', 'The council closed the bridge.']]);
  expect(related).toEqual(['kp1']);
});

test('quotes that are lost alone say the same only where their wordings do', async () => {
  const quote = 'It rose by a tenth.';
  const { supports } = await selected(
    [
      { item: 1, ...CLOSE },
      { item: 2, ...CLOSE },
    ],
    [
      ['Rent in Leeds rose by a tenth.', quote],
      ['Traffic in Paris rose by a tenth.', quote],
      ['Rent in Leeds rose by a tenth.', quote],
    ],
  );
  expect(supports.map(({ keyPoint }) => keyPoint)).toEqual(['kp2']);
});
