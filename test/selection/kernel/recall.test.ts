import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { quantizeRows } from '../../../src/models/linear-algebra/matrix-product.ts';
import { type RecallTask, windowRecalls } from '../../../src/selection/index.ts';
import { dot, type Random, seeded, unitRows } from './random.ts';

const D = 16;
type Item = RecallTask['reference'];

function item(random: Random, length: number): Item {
  return {
    tokens: quantizeRows(unitRows(random, length, D), length, D),
    tokenIds: Int32Array.from({ length }, () => random.below(30)),
  };
}

function rowsOf({ tokens, tokenIds }: Item): number[][] {
  return Array.from(tokenIds, (_, t) => {
    const row = Array.from(tokens.subarray(t * D, (t + 1) * D));
    const length = Math.sqrt(dot(row, row));
    return row.map((value) => value / length);
  });
}

/** Zhang et al. 2020, equation 1, in double precision, from the definition. */
function slowRecall(x: Item, premises: readonly Item[], weights: ArrayLike<number>): number {
  const others = premises.flatMap(rowsOf);
  if (others.length === 0 || x.tokenIds.length === 0) return 0;
  const even = Array.from(weights).every((weight) => weight === 0);
  let [sum, total] = [0, 0];
  rowsOf(x).forEach((row, t) => {
    const weight = even ? 1 : weights[t];
    sum += weight * Math.max(...others.map((other) => dot(row, other)));
    total += weight;
  });
  return sum / total;
}

const tasks = fc
  .record({
    seed: fc.integer(),
    length: fc.integer({ min: 0, max: 12 }),
    sizes: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 }),
    weights: fc.array(fc.constantFrom(0, 0.5, 1, 7), { minLength: 12, maxLength: 12 }),
  })
  .chain(({ seed, length, sizes, weights }) =>
    fc
      .array(fc.array(fc.nat({ max: sizes.length - 1 }), { maxLength: 4 }), { maxLength: 6 })
      .map((windows): RecallTask => {
        const random = seeded(seed);
        return {
          dimensions: D,
          reference: item(random, length),
          weights: Float64Array.from(weights.slice(0, length)),
          texts: sizes.map((size) => item(random, size)),
          windows,
        };
      }),
  );

describe('window recalls', () => {
  test('are the token recall of each window by itself', async () => {
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const found = await windowRecalls({ ...task, weights: Float64Array.from(task.reference.tokenIds) }, portable);
        task.windows.forEach((window, w) => {
          const premises = window.map((text) => task.texts[text]);
          expect(found[w]).toBeCloseTo(slowRecall(task.reference, premises, task.reference.tokenIds), 5);
        });
      }),
    );
  });

  test('do not change by a bit with the order of texts, of windows and inside them, or with texts beside', async () => {
    await fc.assert(
      fc.asyncProperty(tasks, async (task) => {
        const last = task.texts.length - 1;
        const found = await windowRecalls(task, portable);
        const turned = await windowRecalls(
          {
            ...task,
            texts: [...task.texts.toReversed(), task.reference],
            windows: task.windows.toReversed().map((window) => window.toReversed().map((text) => last - text)),
          },
          portable,
        );
        expect([...turned].reverse()).toEqual([...found]);
      }),
    );
  });

  test('hold across the blocks in which products are made', async () => {
    const random = seeded(3);
    const texts = Array.from({ length: 700 }, (_, i) => item(random, i % 7));
    const reference = item(random, 5);
    const windows = texts.map((_, i) => [i, (i + 1) % texts.length]);
    const task = { dimensions: D, reference, weights: Float64Array.of(1, 2, 0, 4, 5), texts, windows };
    const found = await windowRecalls(task, portable);
    expect(texts.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0)).toBeGreaterThan(2048);
    found.forEach((value, w) => {
      expect(value).toBeCloseTo(
        slowRecall(
          reference,
          windows[w].map((text) => texts[text]),
          task.weights,
        ),
        5,
      );
    });
  });
});
