import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { bonusOf } from './bonus.ts';
import { type Objective, objective } from './objective.ts';
import type { StrategyInput } from './strategy.ts';

/**
 * What a strategy sees where it may pick only some of the items: these, numbered anew. What others say counts all the same:
 * coverage and references still run over all.
 *
 * @param items ascending
 */
export function restrict(input: StrategyInput, items: readonly number[]): StrategyInput {
  const kernel = kernelOf(input.kernel, items);
  const newBonus = (): ReturnType<StrategyInput['newBonus']> => {
    const bonus = input.newBonus();
    return bonus && bonusOf(bonus, items);
  };
  return {
    ...input,
    kernel,
    similarityRow: async (i) => pick(await input.similarityRow(items[i]), items),
    reference: () => {
      const { indices, similarities, landmarks, n } = input.reference();
      const own = indices.map((_, r) => pick(similarities.subarray(r * n, (r + 1) * n), items));
      const joined = new Float32Array(own.length * items.length);
      own.forEach((row, r) => {
        joined.set(row, r * items.length);
      });
      return { n: items.length, indices, similarities: joined, landmarks };
    },
    coverage: input.coverage && {
      ...input.coverage,
      start: () => bonusOf((input.coverage ?? unavailable()).start(), items),
    },
    newBonus,
    newObjective: () => objective(incrementalLogDet(kernel.diagonal, kernel.logQuality), kernel.row, newBonus()),
    relevance: Float64Array.from(items, (i) => input.relevance[i]),
    fits: (item, picked) =>
      input.fits(
        items[item],
        picked.map((i) => items[i]),
      ),
  };
}

/** An objective of these of n items by their numbers among all; the others add nothing. */
export function widen(target: Objective, items: readonly number[], n: number): Objective {
  const places = new Map(items.map((item, place) => [item, place]));
  return {
    n,
    get value() {
      return target.value;
    },
    get logDeterminant() {
      return target.logDeterminant;
    },
    gain(i) {
      const place = places.get(i);
      return place === undefined ? Number.NEGATIVE_INFINITY : target.gain(place);
    },
    async pick(i) {
      const place = places.get(i);
      if (place === undefined) throw new TypeError('this item may not be picked');
      await target.pick(place);
    },
    release: target.release,
  };
}

function kernelOf(kernel: Kernel, items: readonly number[]): Kernel {
  const n = items.length;
  const of = (values: Float64Array) => Float64Array.from(items, (i) => values[i]);
  return {
    n,
    diagonal: of(kernel.diagonal),
    logQuality: of(kernel.logQuality),
    isPositive: kernel.isPositive,
    sigma: kernel.sigma,
    row: async (i) => of(await kernel.row(items[i])),
    async matrix() {
      const whole = await kernel.matrix();
      const out = new Float64Array(n * n);
      items.forEach((i, a) => {
        items.forEach((j, b) => {
          out[a * n + b] = whole[i * kernel.n + j];
        });
      });
      return out;
    },
  };
}

function pick(row: Float32Array, items: readonly number[]): Float32Array {
  return Float32Array.from(items, (i) => row[i]);
}

function unavailable(): never {
  throw new TypeError('there is no coverage here');
}
