/**
 * The pivoted Cholesky decomposition of a symmetric matrix, one pivot at a time: reads only the rows it pivots on. Greedy MAP,
 * sampling, likelihoods and low-rank factors are this decomposition with different pivots. Pivot k costs O(n k).
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
}

/**
 * @param diagonal K_ii; n long
 * @param given residuals up to which an item depends on others, where they are not to be those of `independent`
 */
export function pivotedCholesky(diagonal: ArrayLike<number>, given?: Float64Array): PivotedCholesky {
  const n = diagonal.length;
  const residuals = Float64Array.from(diagonal);
  const floors = given ?? residuals.map((k) => Math.max(n, 4) * Number.EPSILON * Math.abs(k));
  const pivots: number[] = [];
  const columns: Float64Array[] = []; // columns[p][i] is the coordinate of item i along pivot p
  const independent = (i: number): number => (residuals[i] > floors[i] ? residuals[i] : 0);
  return {
    n,
    pivots,
    residual: (i) => residuals[i],
    independent,
    coordinates: (i) => Float64Array.from(columns, (column) => column[i]),
    pivot(i, row) {
      if (independent(i) === 0) throw new RangeError(`item ${i} depends on the pivots`);
      const column = new Float64Array(row);
      subtractColumns(column, columns, i);
      const scale = 1 / Math.sqrt(residuals[i]);
      for (let j = 0; j < n; j++) {
        const coordinate = column[j] * scale;
        column[j] = coordinate;
        residuals[j] -= coordinate * coordinate;
      }
      // What rounding leaves of a pivot is nothing: it is in the span now.
      residuals[i] = 0;
      pivots.push(i);
      columns.push(column);
    },
  };
}

/** column -= sum_p columns[p][i] columns[p], eight at a time: the column is written once for eight that are read. */
function subtractColumns(column: Float64Array, columns: readonly Float64Array[], i: number): void {
  const n = column.length;
  let p = 0;
  for (; p + 8 <= columns.length; p += 8) {
    const c0 = columns[p];
    const c1 = columns[p + 1];
    const c2 = columns[p + 2];
    const c3 = columns[p + 3];
    const c4 = columns[p + 4];
    const c5 = columns[p + 5];
    const c6 = columns[p + 6];
    const c7 = columns[p + 7];
    const f0 = c0[i];
    const f1 = c1[i];
    const f2 = c2[i];
    const f3 = c3[i];
    const f4 = c4[i];
    const f5 = c5[i];
    const f6 = c6[i];
    const f7 = c7[i];
    for (let j = 0; j < n; j++) {
      const first = f0 * c0[j] + f1 * c1[j] + (f2 * c2[j] + f3 * c3[j]);
      const second = f4 * c4[j] + f5 * c5[j] + (f6 * c6[j] + f7 * c7[j]);
      column[j] -= first + second;
    }
  }
  for (; p < columns.length; p++) {
    const c = columns[p];
    const f = c[i];
    for (let j = 0; j < n; j++) column[j] -= f * c[j];
  }
}
