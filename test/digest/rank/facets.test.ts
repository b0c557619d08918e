import { expect, test } from 'vitest';
import { splitFacets } from '../../../src/digest/rank/query.ts';

test.each([
  ['What did it cost?', ['What did it cost?']],
  [
    'What will the toll do to sales? How heavy are neutron stars?',
    ['What will the toll do to sales?', 'How heavy are neutron stars?'],
  ],
  [
    'I am resigning. What gets paid out to me when I leave and what do I lose?',
    [
      'I am resigning. What gets paid out to me when I leave',
      'I am resigning. What do I lose? (What gets paid out to me when I leave)',
    ],
  ],
  [
    'How long do I have to claim expenses, what do I need a receipt for, and what can I not claim?',
    [
      'How long do I have to claim expenses',
      'What do I need a receipt for? (How long do I have to claim expenses)',
      'What can I not claim? (How long do I have to claim expenses)',
    ],
  ],
  ['Why do nodes fail, and how was it fixed?', ['Why do nodes fail', 'How was it fixed? (Why do nodes fail)']],
  ['Which outage, which began in May, cost most?', ['Which outage, which began in May, cost most?']],
  ['I am resigning. What gets paid out to me?', ['I am resigning. What gets paid out to me?']],
  [
    'Sales in the old town fell. What does the toll cost drivers? I drive a van.',
    ['Sales in the old town fell. What does the toll cost drivers?', 'Sales in the old town fell. I drive a van.'],
  ],
  ['The toll raises rents. Trams need wider streets.', ['The toll raises rents.', 'Trams need wider streets.']],
])('the parts of "%s"', (intent, facets) => {
  expect(splitFacets(intent).map(({ asked }) => asked)).toEqual(facets);
});

test('a part is named as the reader put it', () => {
  const texts = splitFacets('I am resigning. What gets paid out and what do I lose by it?').map(({ text }) => text);
  expect(texts).toEqual(['What gets paid out', 'what do I lose by it?']);
});
