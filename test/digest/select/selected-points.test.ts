import { expect, test } from 'vitest';
import type { Point } from '../../../src/digest/extract/points.ts';
import type { ReadDocument } from '../../../src/digest/extract/read-documents.ts';
import type { Plan } from '../../../src/digest/plan.ts';
import { selectedPoints } from '../../../src/digest/select/selected-points.ts';
import type { Selection } from '../../../src/selection/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';

interface Given {
  readonly text: string;
  /** What a model worded of the quote. */
  readonly wording?: string;
  readonly title?: string;
  readonly similarity?: number;
  readonly joins?: boolean;
}

/** What is cited beside a pick, the first, and what is related to it. */
function selected([first, ...near]: readonly Given[], cites: 'states' | 'related' = 'states') {
  const given = [first, ...near];
  const points = given.map(({ text, wording = text }, i) => ({
    id: `kp${i}`,
    text: wording,
    document: `d${i}`,
    documentIndex: i,
    quote: { text, start: 0, end: text.length, status: 'exact' },
    moreQuotes: [],
    under: [],
    selfContained: 1,
  })) as unknown as Point[];
  const documents = given.map(({ text, title }, i) => ({
    document: { id: `d${i}`, text, title },
    extraction: { language: 'eng' },
  })) as unknown as ReadDocument[];
  const nearest = {
    near: [near.map(({ similarity = 0.9, joins = true }, i) => ({ item: i + 1, similarity, joins }))],
  } as unknown as Selection['nearest'];
  const selection = { picks: [{ item: 0, gain: 1 }], nearest, salience: null } as unknown as Selection;
  const { profile } = new HashedWordsEncoder();
  const isModel = given.some(({ wording }) => wording !== undefined);
  const options = { kernel: { similarity: 'bertscore' }, support: { cites } };
  const [{ supports, related }] = selectedPoints(
    { options: { kernelEncoder: { profile } }, extractor: { isModel } } as unknown as Plan,
    { points, documents },
    { values: Float64Array.from(given, () => 1), eligible: new Uint8Array(0), facets: new Int32Array(0), intent: null },
    { selection, candidates: [...given.keys()], feedsWriter: false, options } as unknown as Parameters<
      typeof selectedPoints
    >[3],
  );
  return { cited: supports.map(({ keyPoint }) => keyPoint), related };
}

const FLIGHTS = 'Spending on flights fell by 4 percent in 2025.';

test('what repeats a point is cited beside it; the rest is related, most similar first', () => {
  expect(
    selected([
      { text: FLIGHTS },
      { text: 'Spending on flights fell by 4 percent in 2025', joins: false },
      { text: 'Spending on flights fell by 1.5 percent in 2025.', similarity: 0.8 },
      { text: 'Spending on flights fell.', similarity: 0.95, joins: false },
      { text: 'SPENDING ON FLIGHTS FELL BY 4 PERCENT IN 2025.' },
    ]),
  ).toEqual({ cited: ['kp1', 'kp4'], related: ['kp3', 'kp2'] });
});

test.each([
  ['the council did not cut spending on flights in 2025', 'the council cut spending on flights in 2025'],
  ['the council may cut spending on flights in 2025', 'the council cut spending on flights in 2025'],
  ['all councils cut spending on flights by a third', 'most councils cut spending on flights by a third'],
  ['the council cut spending on flights in Leeds', 'the council cut spending on flights in York'],
  ['the mayor sued the council over flights', 'the council sued the mayor over flights'],
  ['it fell by four percent in spring', 'it fell by four percent in spring'],
  ['flights fell', 'flights fell'],
])('“%s” is not cited for “%s”', (source, claim) => {
  expect(selected([{ text: claim }, { text: source }])).toEqual({ cited: [], related: ['kp1'] });
});

test('reports of a series say the same of different events', () => {
  const twin = (day: number) => ({ text: FLIGHTS, title: `Report of ${day} March` });
  expect(selected([twin(3), twin(9), twin(17)]).cited).toEqual([]);
  const other = (title: string) => ({ text: FLIGHTS, title });
  expect(selected([twin(3), other('The year in figures'), other('Minutes of May')]).cited).toEqual(['kp1', 'kp2']);
});

test('where a measure counts what argues the same, what joined a point and is near enough is cited too', () => {
  const near = [
    { text: 'Money for flights went down.', similarity: 0.8 },
    { text: 'Fewer flights were paid for.', similarity: 0.1 },
    { text: 'Trains cost more.', joins: false },
  ];
  expect(selected([{ text: FLIGHTS }, ...near], 'related')).toEqual({ cited: ['kp1'], related: ['kp3', 'kp2'] });
  expect(selected([{ text: FLIGHTS }, ...near]).cited).toEqual([]);
});

test('what a model worded is cited by what its quote says, whatever the wordings say', () => {
  const lie = 'The council closed the bridge on Monday.';
  expect(
    selected([
      { text: 'The council closed the bridge.', wording: lie },
      { text: 'The council did not close the bridge.', wording: lie },
      { text: 'The council closed the bridge.', wording: 'Nobody may cross the river at present.' },
    ]),
  ).toEqual({ cited: ['kp2'], related: ['kp1'] });
});
