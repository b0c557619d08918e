/**
 * log det of a growing principal submatrix of L = diag(q) K diag(q), item by item: the pivoted Cholesky decomposition of
 * K that reads only the rows it pivots on (Chen, Zhang & Zhou 2018, algorithm 1). It factors K and adds 2 log q, so that
 * qualities from 1e-150 to 1e150 are safe.
 */
export interface IncrementalLogDet {
  readonly n: number;
  /** log det(L_S) of the items picked so far. */
  readonly value: number;
  /** What item i would add: log of its residual plus 2 log q_i; -Infinity where `eligible(i)` is false. */
  gain(i: number): number;
  /** Whether item i is not picked and numerically independent of what is: residual > max(n, 4) eps K_ii. */
  eligible(i: number): boolean;
  /**
   * Picks item i.
   *
   * @param row row i of K, n long
   * @throws RangeError where item i is not eligible
   */
  pick(i: number, row: ArrayLike<number>): void;
}

/**
 * @param diagonal K_ii; n long
 * @param logQuality log q_i; n long
 */
export function incrementalLogDet(diagonal: Float64Array, logQuality: Float64Array): IncrementalLogDet {
  const n = diagonal.length;
  const residual = Float64Array.from(diagonal);
  const floor = diagonal.map((k) => Math.max(n, 4) * Number.EPSILON * Math.abs(k));
  const picked = new Uint8Array(n);
  const columns: Float64Array[] = []; // one per pick: columns[p][i] is c_i's p-th coordinate
  let value = 0;

  const eligible = (i: number): boolean => picked[i] === 0 && residual[i] > floor[i];
  const gain = (i: number): number => (eligible(i) ? Math.log(residual[i]) + 2 * logQuality[i] : -Infinity);

  return {
    n,
    get value() {
      return value;
    },
    gain,
    eligible,
    pick(i, row) {
      if (!eligible(i)) throw new RangeError(`item ${i} is picked already or depends on what is`);
      value += gain(i);
      picked[i] = 1;
      const scale = 1 / Math.sqrt(residual[i]);
      const column = new Float64Array(n);
      for (let j = 0; j < n; j++) column[j] = row[j];
      for (const previous of columns) {
        const factor = previous[i];
        for (let j = 0; j < n; j++) column[j] -= factor * previous[j];
      }
      for (let j = 0; j < n; j++) {
        column[j] *= scale;
        residual[j] -= column[j] * column[j];
      }
      columns.push(column);
    },
  };
}
