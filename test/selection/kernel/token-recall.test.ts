import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantizeRows } from '../../../src/models/linear-algebra/matrix-product.ts';
import { inverseTokenFrequency, inverseWordFrequency, tokenSupport, wordRecall } from '../../../src/selection/index.ts';
import { dot, type Random, seeded, unitRows } from './random.ts';

const D = 16;

interface Item {
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

function item(random: Random, length: number): Item {
  return {
    tokens: quantizeRows(unitRows(random, length, D), length, D),
    tokenIds: Int32Array.from({ length }, () => random.below(30)),
  };
}

/** Zhang et al. 2020, equation 1 with their idf, in double precision, from the definition. */
function slowRecall(x: Item, premises: readonly Item[], reference: readonly Item[]): number {
  const rows = ({ tokens, tokenIds }: Item) =>
    Array.from(tokenIds, (_, t) => {
      const row = Array.from(tokens.subarray(t * D, (t + 1) * D));
      const length = Math.sqrt(dot(row, row));
      return row.map((value) => value / length);
    });
  const idf = (id: number) => {
    const holding = reference.filter(({ tokenIds }) => tokenIds.includes(id)).length;
    return -Math.log((holding + 1) / (reference.length + 1));
  };
  const others = premises.flatMap(rows);
  if (others.length === 0 || x.tokenIds.length === 0) return 0;
  let weights = Array.from(x.tokenIds, idf);
  if (weights.every((weight) => weight === 0)) weights = weights.map(() => 1);
  const sum = rows(x).reduce((total, row, t) => total + weights[t] * Math.max(...others.map((o) => dot(row, o))), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 5 });

describe('token recall', () => {
  test('is what the definition says', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 20 }), sizes, sizes, (seed, length, premises, reference) => {
        const random = seeded(seed);
        const x = item(random, length);
        const others = premises.map((size) => item(random, size));
        const all = reference.map((size) => item(random, size));
        const found = tokenSupport(x, others, D, inverseTokenFrequency(all)).recall;
        expect(found).toBeCloseTo(slowRecall(x, others, all), 5);
        expect(Math.abs(found)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('is never lower with more premises, and does not depend on their order', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 20 }), sizes, (seed, length, premises) => {
        const random = seeded(seed);
        const x = item(random, length);
        const [last, ...others] = premises.map((size) => item(random, size + 1));
        const weight = inverseTokenFrequency([x, ...others]);
        const few = tokenSupport(x, others, D, weight);
        const more = tokenSupport(x, [...others, last], D, weight);
        if (others.length > 0) expect(more.recall).toBeGreaterThanOrEqual(few.recall);
        if (others.length > 0) expect(more.weakest).toBeGreaterThanOrEqual(few.weakest);
        expect(tokenSupport(x, [last, ...others.toReversed()], D, weight)).toEqual(more);
      }),
    );
  });

  test('the worst stretch shows what a mean hides', () => {
    const random = seeded(7);
    const [known, added] = [item(random, 24), item(random, 8)];
    const both = {
      tokens: Int8Array.from([...known.tokens, ...added.tokens]),
      tokenIds: Int32Array.from([...known.tokenIds, ...added.tokenIds]),
    };
    const { recall, weakest } = tokenSupport(both, [known], D, () => 1);
    const alone = tokenSupport(added, [known], D, () => 1).recall;
    expect(weakest).toBeCloseTo(alone, 5);
    expect(recall).toBeCloseTo((24 + 8 * alone) / 32, 2);
    expect(tokenSupport(known, [both], D, () => 1).weakest).toBeCloseTo(1, 5);
  });
});

describe('word recall', () => {
  const weight = inverseWordFrequency(['the tax rises', 'the tax falls', 'the river']);

  test('weighs by rarity, forgives case and endings', () => {
    expect(wordRecall('The RIVERS', ['a river'], weight)).toBe(1);
    const [tax, snow] = [Math.log(4 / 3), Math.log(4)];
    expect(wordRecall('the tax, snow', ['the tax'], weight)).toBeCloseTo(tax / (tax + snow), 12);
    expect(wordRecall('the', ['a river'], weight)).toBe(0);
    expect(wordRecall('…', ['a river'], weight)).toBe(0);
    expect(wordRecall('新税很重', ['这个新税很重。'], weight)).toBe(1);
  });
});
