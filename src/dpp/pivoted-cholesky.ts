/**
 * The pivoted Cholesky decomposition of a symmetric matrix, one pivot at a time: reads only the rows it pivots on. Greedy MAP,
 * sampling, likelihoods and low-rank factors are this decomposition with different pivots.
 *
 * Lazy: an item is brought up to date when it is asked for, so that items nobody asks for cost nothing. The order of the
 * arithmetic for one item does not depend on when that is.
 */
export interface PivotedCholesky {
  readonly n: number;
  readonly pivots: readonly number[];
  /** K_ii less what the pivots explain of it: the squared distance of item i from their span. Only falls. */
  residual(i: number): number;
  /** Whether item i is numerically independent of the pivots: residual > max(n, 4) eps |K_ii|. */
  eligible(i: number): boolean;
  /** Coordinates of item i along the pivots, at least pivots.length long; a view until the next pivot. */
  coordinates(i: number): Float64Array;
  /**
   * Pivots on item i.
   *
   * @param row row i of K, n long; kept, so it must not change
   * @throws RangeError where item i is not eligible
   */
  pivot(i: number, row: ArrayLike<number>): void;
}

const FIRST_CAPACITY = 16;

/** @param diagonal K_ii; n long */
export function pivotedCholesky(diagonal: ArrayLike<number>): PivotedCholesky {
  const n = diagonal.length;
  const residuals = Float64Array.from(diagonal);
  const floors = residuals.map((k) => Math.max(n, 4) * Number.EPSILON * Math.abs(k));
  const done = new Int32Array(n); // coordinates that item i has
  const pivots: number[] = [];
  const rows: ArrayLike<number>[] = [];
  const scales: number[] = []; // 1 / sqrt(residual) of each pivot when it was picked
  let capacity = Math.min(FIRST_CAPACITY, Math.max(1, n));
  let c = new Float64Array(n * capacity); // item-major

  function update(i: number): void {
    const start = i * capacity;
    let residual = residuals[i];
    for (let t = done[i]; t < pivots.length; t++) {
      const pivotStart = pivots[t] * capacity;
      let rest = rows[t][i];
      for (let u = 0; u < t; u++) rest -= c[pivotStart + u] * c[start + u];
      const coordinate = rest * scales[t];
      c[start + t] = coordinate;
      residual -= coordinate * coordinate;
    }
    residuals[i] = residual;
    done[i] = pivots.length;
  }

  function residual(i: number): number {
    if (done[i] < pivots.length) update(i);
    return residuals[i];
  }

  function grow(): void {
    const wider = Math.min(2 * capacity, n);
    const moved = new Float64Array(n * wider);
    for (let i = 0; i < n; i++) moved.set(c.subarray(i * capacity, i * capacity + done[i]), i * wider);
    capacity = wider;
    c = moved;
  }

  return {
    n,
    pivots,
    residual,
    eligible: (i) => residual(i) > floors[i],
    coordinates(i) {
      if (done[i] < pivots.length) update(i);
      return c.subarray(i * capacity, (i + 1) * capacity);
    },
    pivot(i, row) {
      if (!(residual(i) > floors[i])) throw new RangeError(`item ${i} depends on the pivots`);
      if (pivots.length === capacity) grow();
      pivots.push(i);
      rows.push(row);
      scales.push(1 / Math.sqrt(residuals[i]));
      // What rounding leaves of a pivot is nothing: it is in the span now.
      update(i);
      residuals[i] = 0;
    },
  };
}
