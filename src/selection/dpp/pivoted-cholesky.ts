import { type FactorMemory, factorMemory, paddedItems } from './factor-memory.ts';

export type PivotedCholesky = ReturnType<typeof pivotedCholesky>;
export type Scores = ReturnType<PivotedCholesky['score']>;

const RUN = 64;

/**
 * Pivoted Cholesky decomposition of a symmetric matrix; reads only the pivots' rows. Pivot k costs O(n k).
 *
 * @param given residuals up to which an item counts as dependent; by default those of `independent`
 */
export function pivotedCholesky(diagonal: ArrayLike<number>, given?: Float64Array, memory = factorMemory()) {
  const n = diagonal.length;
  const width = paddedItems(n);
  const [floors, weighing, maxima, columns] = [width, 2 * width, 4 * width, 5 * width];
  const pivots: number[] = [];
  start(memory, diagonal, given, width);
  let held: Float64Array | null = memory.values; // null once released
  const present = (): Float64Array => held ?? released();

  const independent = (i: number): number => {
    const values = present();
    return values[i] > values[floors + i] ? values[i] : 0;
  };
  const scoreOf = (i: number): number => independent(i) * present()[weighing + i];
  function findLargest(run: number): void {
    const values = present();
    let largest = 0;
    for (let i = RUN * run; i < Math.min(n, RUN * (run + 1)); i++) {
      // The weight of a picked item may be infinite.
      if (values[i] > values[floors + i]) largest = Math.max(largest, values[i] * values[weighing + i]);
    }
    values[maxima + run] = largest;
  }
  const runs = Math.ceil(n / RUN);
  const scores = {
    of: scoreOf,
    /** The first item with the largest score; item -1 if no score is above 0. */
    largest() {
      const values = present();
      let first = 0;
      for (let run = 1; run < runs; run++) if (values[maxima + run] > values[maxima + first]) first = run;
      const score = runs === 0 ? 0 : values[maxima + first];
      if (!(score > 0)) return { item: -1, score: 0 };
      let item = RUN * first;
      while (!(values[item] > values[floors + item] && values[item] * values[weighing + item] === score)) item++;
      return { item, score };
    },
    from(least: number): number[] {
      const values = present();
      const items: number[] = [];
      for (let run = 0; run < runs; run++) {
        if (values[maxima + run] < least) continue;
        for (let i = RUN * run; i < Math.min(n, RUN * (run + 1)); i++) {
          if (values[i] > values[floors + i] && values[i] * values[weighing + i] >= least) items.push(i);
        }
      }
      return items;
    },
    weigh(i: number, weight: number): void {
      present()[weighing + i] = weight;
      findLargest(Math.floor(i / RUN));
    },
  };

  return {
    n,
    pivots,
    /** K_ii minus the part that the pivots explain: the squared distance of item i from their span. Never rises. */
    residual: (i: number) => present()[i],
    /** The residual if item i is numerically independent of the pivots, residual > max(n, 4) eps |K_ii|; else 0. */
    independent,
    coordinates: (i: number) => Float64Array.from(pivots, (_, p) => present()[columns + p * width + i]),
    pivot(i: number, row: ArrayLike<number>): void {
      const pivot = independent(i);
      if (pivot === 0) throw new RangeError(`item ${i} depends on the pivots`);
      const own = columns + pivots.length * width;
      memory.reserve(own + width);
      const { values } = memory;
      held = values;
      values.set(row, own);
      values.fill(0, own + n, own + width);
      values[floors + i] = Number.POSITIVE_INFINITY; // a pivot's rounding residual counts as 0
      memory.eliminate(width, pivots.length, i, 1 / Math.sqrt(pivot));
      values[i] = 0;
      pivots.push(i);
    },
    score(weights: Float64Array) {
      present().set(weights, weighing);
      for (let run = 0; run < runs; run++) findLargest(run);
      return scores;
    },
    release(): void {
      if (held !== null) memory.release();
      held = null;
    },
  };
}

function released(): never {
  throw new TypeError('this decomposition has left its memory to another');
}

function start(
  memory: FactorMemory,
  diagonal: ArrayLike<number>,
  given: Float64Array | undefined,
  width: number,
): void {
  const n = diagonal.length;
  memory.reserve(5 * width);
  const { values } = memory;
  values.fill(0, 0, 5 * width);
  values.set(diagonal);
  if (given !== undefined) values.set(given, width);
  else for (let i = 0; i < n; i++) values[width + i] = Math.max(n, 4) * Number.EPSILON * Math.abs(values[i]);
  values.fill(Number.POSITIVE_INFINITY, width + n, 2 * width);
}
