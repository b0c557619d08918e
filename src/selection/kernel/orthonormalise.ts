/** Share of its length that a row keeps where little of it lay along others: what is left is no rounding then. */
const KEPT = 0.5;
/** A row that goes on to vanish is a combination of those before it. */
const MOST_PASSES = 5;

/**
 * Makes rows orthogonal to those before them, and of unit length, in place: by Gram-Schmidt, again where most of a row went, since
 * what is left then is rounding that points anywhere (Giraud et al. 2005, section 3). A row that is a combination of those before it
 * becomes another direction, or zero.
 *
 * @param rows row-major, rows x length
 */
export function orthonormalise(rows: Float64Array, length: number): void {
  for (let own = 0; own < rows.length; own += length) {
    normalise(rows, own, length);
    let left = 0;
    for (let pass = 0; pass < MOST_PASSES && left < KEPT; pass++) {
      for (let other = 0; other < own; other += length) {
        let along = 0;
        for (let k = 0; k < length; k++) along += rows[own + k] * rows[other + k];
        for (let k = 0; k < length; k++) rows[own + k] -= along * rows[other + k];
      }
      left = normalise(rows, own, length);
    }
    if (left < KEPT) rows.fill(0, own, own + length);
  }
}

/** Scales a row to unit length, unless it is zero. @returns the length that it had */
function normalise(rows: Float64Array, from: number, length: number): number {
  let squares = 0;
  for (let k = 0; k < length; k++) squares += rows[from + k] ** 2;
  const norm = Math.sqrt(squares);
  if (norm > 0) for (let k = 0; k < length; k++) rows[from + k] /= norm;
  return norm;
}
