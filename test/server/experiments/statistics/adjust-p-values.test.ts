import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjustPValues } from '../../../../src/server/index.ts';

test('the example of Benjamini & Hochberg 1995: at 0.05 theirs finds four of fifteen, and Holm three', () => {
  // The p-values of their example, Neuhaus et al. 1992.
  const p = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  const found = (correction: 'holm' | 'benjamini-hochberg') =>
    adjustPValues(p, correction).filter((each) => (each ?? 1) < 0.05).length;
  expect(found('benjamini-hochberg')).toBe(4);
  expect(found('holm')).toBe(3);
  expect(adjustPValues(p, 'holm')[2]).toBeCloseTo(0.0019 * 13, 12);
  expect(adjustPValues(p, 'benjamini-hochberg')[3]).toBeCloseTo((0.0095 * 15) / 4, 12);
});

const family = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 12 });

test('as the definitions have it, with what is not known yet counting as 1', () => {
  fc.assert(
    fc.property(family, (values) => {
      const m = values.length;
      const sorted = values.map((p) => p ?? 1).toSorted((a, b) => a - b);
      const holm = (p: number) => Math.min(1, Math.max(...sorted.map((each, i) => (each <= p ? (m - i) * each : 0))));
      const bh = (p: number) => Math.min(1, ...sorted.map((each, i) => (each >= p ? (m / (i + 1)) * each : 1)));
      const [byHolm, byBh] = [adjustPValues(values, 'holm'), adjustPValues(values, 'benjamini-hochberg')];
      values.forEach((p, i) => {
        if (p === null) {
          expect(byHolm[i]).toBeNull();
          expect(byBh[i]).toBeNull();
          return;
        }
        expect(byHolm[i]).toBeCloseTo(holm(p), 12);
        expect(byBh[i]).toBeCloseTo(bh(p), 12);
      });
    }),
  );
});

test('one is left alone, none is none', () => {
  expect(adjustPValues([0.03], 'holm')).toEqual([0.03]);
  expect(adjustPValues([], 'holm')).toEqual([]);
  expect(adjustPValues([null, null], 'benjamini-hochberg')).toEqual([null, null]);
});
