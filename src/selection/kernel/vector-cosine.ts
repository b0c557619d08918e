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
