import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quotedOnce } from '../../src/summary/index.ts';
import { citePoint } from '../../src/summary/outline.ts';
import { spelt } from '../../src/summary/sentence-text.ts';
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
  it.each([
    ['the longer first', [WHOLE, PART], 'kp1', 'kp2'],
    ['the shorter first', [PART, WHOLE], 'kp2', 'kp1'],
    ['the same quote', [PART, PART], 'kp1', 'kp2'],
  ])('are one where the words of one stand in the other, %s', (_, written, told, joined) => {
    const { points, similarity } = quotedOnce(inputOf(written));
    expect(points).toMatchObject([{ id: told, rank: 1 }]);
    expect(similarity).toHaveLength(1);
    expect(citePoint(points[0]).keyPoints).toEqual([told, joined]);
  });

  it.each([
    ['of other documents', [WHOLE, quoted('d2', 39, 54)]],
    ['of other places', [quoted('d1', 0, 11), quoted('d1', 77, 88)]],
    ['of other speakers', [quoted('d1', 12, 54, 'Ana'), quoted('d1', 39, 54, 'Bo')]],
    ['of other words', [WHOLE, { ...PART, text: 'Everything costs twice' }]],
    ['that only overlap', [quoted('d1', 0, 33), WHOLE]],
  ])('stay two %s', (_, written) => {
    const input = inputOf(written);
    expect(quotedOnce(input)).toBe(input);
  });

  it('are all still cited, once, and print no quote within another', () => {
    const span = fc
      .tuple(fc.nat(60), fc.integer({ min: 1, max: 28 }), fc.constantFrom('d1', 'd2'))
      .map(([from, length, document]) => quoted(document, from, from + length));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (written) => {
        const points = pointsOf(written);
        const given = { ...inputOf([]), points, similarity: similarityOf(points) };
        const { points: told, similarity } = quotedOnce(given);
        expect(told.flatMap((point) => citePoint(point).keyPoints).sort()).toEqual(points.map(({ id }) => id).sort());
        told.forEach((a, i) => {
          told.forEach((b, j) => {
            const row = points.findIndex(({ id }) => id === a.id);
            const column = points.findIndex(({ id }) => id === b.id);
            expect(similarity[i * told.length + j]).toBe(given.similarity[row * points.length + column]);
            const isWithin = a.document === b.document && b.quote.start <= a.quote.start && a.quote.end <= b.quote.end;
            if (i !== j && isWithin) expect(` ${spelt(b.text)} `).not.toContain(` ${spelt(a.text)} `);
          });
        });
      }),
    );
  });
});
