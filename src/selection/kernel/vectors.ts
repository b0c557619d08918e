import { normalizeRows } from '../../models/index.ts';

export function vectorCosine(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let c = 0; c < a.length; c++) {
    product += a[c] * b[c];
    ofA += a[c] * a[c];
    ofB += b[c] * b[c];
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0;
}

// Plain loops in small functions: V8 runs them several times as fast as callbacks or loops within long functions.

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}

export function addTo(sum: Float32Array | Float64Array, vector: ArrayLike<number>, times = 1): void {
  for (let c = 0; c < sum.length; c++) sum[c] += times * vector[c];
}

export function subtract(out: Float32Array, a: ArrayLike<number>, b: ArrayLike<number>): Float32Array {
  for (let c = 0; c < out.length; c++) out[c] = a[c] - b[c];
  return out;
}

export function unit(vector: Float32Array): Float32Array {
  return normalizeRows(vector, 1, vector.length);
}

export function cosinesOf(vectors: readonly Float32Array[], query: Float32Array): Float64Array {
  return Float64Array.from(vectors, (vector) => dot(vector, query));
}
