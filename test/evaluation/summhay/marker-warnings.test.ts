import { expect, test } from 'vitest';
import { markerWarnings } from '../../../src/evaluation/metrics/summhay.ts';

const warningsOf = (bullet: string, documents: string[] | undefined = ['1', '2']) =>
  markerWarnings({ metric: 'summhay', bullets: [bullet], insights: [{ id: 'i', text: 'Fares rose.', documents }] });

test.each(['Fares rose [1, p. 5].', 'Fares rose [^1].', 'Fares rose [Doc 1].', 'Fares rose [3-1].'])(
  'a bracket that looks like a marker and is none is told: %s',
  (bullet) => {
    expect(warningsOf(bullet)).toEqual([expect.stringContaining('One bullet has a bracket')]);
  },
);

test('a marker of a document that nobody names is told', () => {
  expect(warningsOf('Fares rose [1][99].')).toEqual([expect.stringContaining('One bullet has a marker')]);
});

test.each(['Fares rose [1, 2].', 'Fares rose [sic].', 'Fares rose.'])('nothing is told of %s', (bullet) => {
  expect(warningsOf(bullet)).toEqual([]);
});

test('without any documents markers are nobody else’s', () => {
  expect(
    markerWarnings({ metric: 'summhay', bullets: ['Fares rose [7].'], insights: [{ id: 'i', text: 'x' }] }),
  ).toEqual([]);
});
