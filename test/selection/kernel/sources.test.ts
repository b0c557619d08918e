import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sources } from '../../../src/selection/kernel/coverage.ts';

/** Points of a few documents, and an order in which all of them are taken. */
const cases = fc
  .array(fc.record({ document: fc.nat(5), quality: fc.double({ min: 1e-6, max: 1e3, noNaN: true }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .chain((points) =>
    fc.record({
      documents: fc.constant(Int32Array.from(points, ({ document }) => document)),
      quality: fc.constant(Float64Array.from(points, ({ quality }) => quality)),
      order: fc.shuffledSubarray([...points.keys()], { minLength: points.length }),
    }),
  );

/** sum over documents of the root of the quality taken from each, document by document. */
function worthOf(documents: Int32Array, quality: Float64Array, taken: readonly number[]): number {
  let value = 0;
  for (const document of new Set(documents)) {
    let sum = 0;
    for (const i of taken) if (documents[i] === document) sum += quality[i];
    value += Math.sqrt(sum);
  }
  return value;
}

/** Rounding of a sum of some size. */
const slack = (value: number) => 1e-9 * Math.max(1, value);

describe('sources', () => {
  test('the value is the sum of the gains, and that of the formula', () => {
    fc.assert(
      fc.property(cases, ({ documents, quality, order }) => {
        const state = sources(documents, quality);
        let sum = 0;
        expect(state.value).toBe(0);
        order.forEach((i, place) => {
          sum += state.gain(i);
          state.add(i);
          const expected = worthOf(documents, quality, order.slice(0, place + 1));
          expect(Math.abs(state.value - expected)).toBeLessThan(slack(expected));
          expect(Math.abs(sum - expected)).toBeLessThan(slack(expected));
        });
      }),
    );
  });

  test('monotone and submodular: no point takes anything away, nor adds more to more', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), ({ documents, quality, order }, a, b) => {
        const [less, more] = [a % order.length, b % order.length].sort((x, y) => x - y);
        const small = sources(documents, quality);
        for (const i of order.slice(0, less)) small.add(i);
        const large = sources(documents, quality);
        for (const i of order.slice(0, more)) large.add(i);
        expect(large.value).toBeGreaterThanOrEqual(small.value);
        for (const i of order.slice(more)) {
          expect(large.gain(i)).toBeGreaterThan(0);
          expect(large.gain(i)).toBeLessThanOrEqual(small.gain(i) + slack(small.gain(i)));
        }
      }),
    );
  });
});
