/** A vector scaled to unit length, whatever its size; all zero for the zero vector. */
export function unitVector(vector: readonly number[]): Float32Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return new Float32Array(vector.length);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + (value / largest) ** 2, 0));
  return Float32Array.from(vector, (value) => value / largest / length);
}
