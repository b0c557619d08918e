import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quotedOnce } from '../../src/summary/index.ts';
import { citePoint } from '../../src/summary/outline.ts';
import { inputOf, pointsOf, similarityOf } from './points.ts';

const DOCUMENT = 'Rents rose. Wages fell by a third, and prices doubled. Nobody left the town. Rents rose.';

/** A point of a document that is told by its quote. */
const quoted = (document: string, from: number, to: number, speaker?: string) => ({
  text: DOCUMENT.slice(from, to),
  document,
  start: from,
  ...(speaker !== undefined && { speaker }),
});
const WHOLE = quoted('d1', 12, 54);
const PART = quoted('d1', 39, 54);

describe('points told by their quotes', () => {
  it('are one where they would print the same', () => {
    const also = [['d2', 'Prices doubled']] as const;
    const { points, similarity } = quotedOnce(inputOf([PART, { ...PART, also }]));
    expect(points).toMatchObject([{ id: 'kp1', rank: 1 }]);
    expect(similarity).toHaveLength(1);
    expect(citePoint(points[0]).keyPoints).toEqual(['kp1', 'kp2', 'kp2-1']);
    expect(citePoint(points[0]).citations.map(({ document }) => document)).toEqual(['d1', 'd2']);
  });

  it.each([
    ['of other documents', [WHOLE, quoted('d2', 39, 54)]],
    ['of other places', [quoted('d1', 0, 11), quoted('d1', 77, 88)]],
    ['of other speakers', [quoted('d1', 12, 54, 'Ana'), quoted('d1', 12, 54, 'Bo')]],
    ['of other words', [PART, { ...PART, text: 'Everything costs twice' }]],
  ])('stay two %s', (_, written) => {
    const input = inputOf(written);
    expect(quotedOnce(input)).toBe(input);
  });

  it('are all still cited, once', () => {
    const span = fc
      .tuple(fc.nat(6), fc.integer({ min: 1, max: 3 }), fc.constantFrom('d1', 'd2'))
      .map(([from, length, document]) => quoted(document, 9 * from, 9 * (from + length)));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (written) => {
        const points = pointsOf(written);
        const given = { ...inputOf([]), points, similarity: similarityOf(points) };
        const { points: told, similarity } = quotedOnce(given);
        expect(told.flatMap((point) => citePoint(point).keyPoints).sort()).toEqual(points.map(({ id }) => id).sort());
        expect(new Set(told.map(({ document, quote }) => `${document} ${quote.start} ${quote.text}`)).size).toBe(
          told.length,
        );
        expect(similarity).toEqual(similarityOf(told));
      }),
    );
  });
});
