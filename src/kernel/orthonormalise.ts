/**
 * Makes rows orthogonal to those before them, and of unit length, in place: by Gram-Schmidt twice, which is enough (Giraud et
 * al. 2005). A row that is a combination of those before it becomes any direction, or stays zero.
 *
 * @param rows row-major, rows x length
 */
export function orthonormalise(rows: Float64Array, length: number): void {
  for (let own = 0; own < rows.length; own += length) {
    for (let pass = 0; pass < 2; pass++) {
      for (let other = 0; other < own; other += length) {
        let along = 0;
        for (let k = 0; k < length; k++) along += rows[own + k] * rows[other + k];
        for (let k = 0; k < length; k++) rows[own + k] -= along * rows[other + k];
      }
      let squares = 0;
      for (let k = 0; k < length; k++) squares += rows[own + k] ** 2;
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
      for (let k = 0; k < length; k++) rows[own + k] *= scale;
    }
  }
}
