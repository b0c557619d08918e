import { type FactorMemory, factorMemory, paddedItems } from './factor-memory.ts';

/**
 * The pivoted Cholesky decomposition of a symmetric matrix, one pivot at a time: reads only the rows it pivots on. Greedy MAP,
 * likelihoods and low-rank factors are this decomposition with different pivots. Pivot k costs O(n k).
 */
export interface PivotedCholesky {
  readonly n: number;
  readonly pivots: readonly number[];
  /** K_ii less what the pivots explain of it: the squared distance of item i from their span. Only falls. */
  residual(i: number): number;
  /** The residual where item i is numerically independent of the pivots, residual > max(n, 4) eps |K_ii|; else 0. */
  independent(i: number): number;
  /** Coordinates of item i along the pivots. */
  coordinates(i: number): Float64Array;
  /**
   * Pivots on item i.
   *
   * @param row row i of K, n long
   * @throws RangeError where item i is not independent
   */
  pivot(i: number, row: ArrayLike<number>): void;
  /** Scores each item from now on: its weight, at least 0, times `independent`. */
  score(weights: Float64Array): Scores;
  /** Leaves the memory to the next decomposition; nothing may be asked of this one any more. */
  release(): void;
}

/** A number for each item, which falls as pivots are added. */
export interface Scores {
  of(i: number): number;
  /** The first item of the largest score, and that score; item -1 where no score is above 0. */
  largest(): { readonly item: number; readonly score: number };
  /** The items of at least this score, which is above 0, ascending. */
  from(least: number): number[];
  /** Gives item i another weight. */
  weigh(i: number, weight: number): void;
}

/** Items in a row of which the largest score is known: it finds the largest of all. */
const RUN = 64;

/**
 * @param diagonal K_ii; n long
 * @param given residuals up to which an item depends on others, where they are not to be those of `independent`
 * @param memory where the factor grows
 */
export function pivotedCholesky(
  diagonal: ArrayLike<number>,
  given?: Float64Array,
  memory = factorMemory(paddedItems(diagonal.length)),
): PivotedCholesky {
  const n = diagonal.length;
  const width = paddedItems(n);
  const [floors, weighing, maxima, columns] = [width, 2 * width, 4 * width, 5 * width];
  const pivots: number[] = [];
  let held: FactorMemory | null = memory;
  const present = (): FactorMemory => held ?? released();
  start(memory, diagonal, given, width);

  const residual = (i: number): number => present().values[i];
  const independent = (i: number): number => {
    const { values } = present();
    return values[i] > values[floors + i] ? values[i] : 0;
  };
  const scoreOf = (i: number): number => independent(i) * present().values[weighing + i];
  function findLargest(run: number): void {
    const { values } = present();
    let largest = 0;
    for (let i = RUN * run; i < RUN * (run + 1); i++) {
      if (values[i] > values[floors + i]) largest = Math.max(largest, values[i] * values[weighing + i]);
    }
    values[maxima + run] = largest;
  }
  const runs = width / RUN;
  const scores: Scores = {
    of: scoreOf,
    largest() {
      const { values } = present();
      let first = 0;
      for (let run = 1; run < runs; run++) if (values[maxima + run] > values[maxima + first]) first = run;
      const score = runs === 0 ? 0 : values[maxima + first];
      if (!(score > 0)) return { item: -1, score: 0 };
      let item = RUN * first;
      while (!(values[item] > values[floors + item] && values[item] * values[weighing + item] === score)) item++;
      return { item, score };
    },
    from(least) {
      const { values } = present();
      const items: number[] = [];
      for (let run = 0; run < runs; run++) {
        if (values[maxima + run] < least) continue;
        for (let i = RUN * run; i < RUN * (run + 1); i++) {
          if (values[i] > values[floors + i] && values[i] * values[weighing + i] >= least) items.push(i);
        }
      }
      return items;
    },
    weigh(i, weight) {
      present().values[weighing + i] = weight;
      findLargest(Math.floor(i / RUN));
    },
  };

  return {
    n,
    pivots,
    residual,
    independent,
    coordinates: (i) => Float64Array.from(pivots, (_, p) => present().values[columns + p * width + i]),
    pivot(i, row) {
      const pivot = independent(i);
      if (pivot === 0) throw new RangeError(`item ${i} depends on the pivots`);
      const own = columns + pivots.length * width;
      memory.reserve(own + width);
      const { values } = memory;
      values.set(row, own);
      values.fill(0, own + n, own + width);
      values[floors + i] = Number.POSITIVE_INFINITY; // what rounding leaves of a pivot is nothing: it is in the span now
      memory.eliminate(width, pivots.length, i, 1 / Math.sqrt(pivot));
      values[i] = 0;
      pivots.push(i);
    },
    score(weights) {
      present().values.set(weights, weighing);
      for (let run = 0; run < runs; run++) findLargest(run);
      return scores;
    },
    release() {
      held?.release();
      held = null;
    },
  };
}

function released(): never {
  throw new TypeError('this decomposition has left its memory to another');
}

/** Residuals and floors before the first pivot; what pads them is never independent. */
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
