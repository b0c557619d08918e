import { expect, test } from 'vitest';
import { splitFacets } from '../../src/digest/facets.ts';

test.each([
  ['What did it cost?', ['What did it cost?']],
  [
    'What will the toll do to sales? How heavy are neutron stars?',
    ['What will the toll do to sales?', 'How heavy are neutron stars?'],
  ],
  [
    'I am resigning. What gets paid out to me when I leave and what do I lose?',
    ['I am resigning. What gets paid out to me when I leave', 'I am resigning. what do I lose?'],
  ],
  ['I am resigning. What gets paid out to me?', ['I am resigning. What gets paid out to me?']],
  [
    'Sales in the old town fell. What does the toll cost drivers? I drive a van.',
    ['Sales in the old town fell. What does the toll cost drivers?', 'Sales in the old town fell. I drive a van.'],
  ],
  ['The toll raises rents. Trams need wider streets.', ['The toll raises rents.', 'Trams need wider streets.']],
])('the parts of "%s"', (intent, facets) => {
  expect(splitFacets(intent)).toEqual(facets);
});

test('a long story before a question is no setting', () => {
  const story = 'Our council brought in a toll three years ago. '.repeat(4).trim();
  const parts = splitFacets(`${story} What does the toll cost drivers of small vans?`);
  expect(parts).toContain('What does the toll cost drivers of small vans?');
});
