/** Cosine of two vectors of the same length; 0 where one of them is zero. */
export function vectorCosine(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let c = 0; c < a.length; c++) {
    product += a[c] * b[c];
    ofA += a[c] * a[c];
    ofB += b[c] * b[c];
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0;
}

// Loops of a function of its own: V8 makes them several times as fast as callbacks, and as loops inside of long functions.

/** Inner product of two vectors of the same length. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

/** Adds a vector, times a number, to a sum of the same length. */
export function addTo(sum: Float32Array | Float64Array, vector: ArrayLike<number>, times = 1): void {
  for (let c = 0; c < sum.length; c++) sum[c] += times * vector[c];
}

/** Writes the difference of two vectors of the same length. */
export function subtract(out: Float32Array, a: ArrayLike<number>, b: ArrayLike<number>): Float32Array {
  for (let c = 0; c < out.length; c++) out[c] = a[c] - b[c];
  return out;
}
