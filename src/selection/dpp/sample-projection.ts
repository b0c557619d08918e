import { factorMemory, paddedItems } from './factor-memory.ts';
import type { Random } from './random.ts';

/**
 * As many items as vectors, from the projection P = W W^T onto their span: each with a probability that is its squared distance
 * from the span of those before it, which is the pivoted Cholesky decomposition of P with random pivots. Item i is row w of W;
 * the column of its pivot is W g, g = (w - sum_t (g_t . w) g_t) / sqrt(residual), so that a pick costs n k multiplications.
 *
 * @param vectors the columns of W, n long each, orthonormal up to rounding
 * @returns the items, ascending
 */
export function sampleProjection(vectors: readonly Float64Array[], n: number, random: Random): number[] {
  const k = vectors.length;
  const width = paddedItems(n);
  const memory = factorMemory(width);
  const [floors, coefficients, columns] = [width, 3 * width, 5 * width];
  memory.reserve(columns + (k + 1) * width);
  const { values } = memory;
  values.fill(0, 0, columns);
  for (const [j, vector] of vectors.entries()) {
    values.set(vector, columns + j * width);
    values.fill(0, columns + j * width + n, columns + (j + 1) * width);
    for (let i = 0; i < n; i++) values[i] += vector[i] * vector[i];
  }
  for (let i = 0; i < n; i++) values[floors + i] = Math.max(n, 4) * Number.EPSILON * values[i];
  const items: number[] = [];
  const directions: Float64Array[] = [];
  while (items.length < k) {
    const item = pickByResidual(values, floors, n, random());
    const direction = Float64Array.from(vectors, (vector) => vector[item]);
    const own = direction.slice();
    for (const before of directions) {
      let along = 0;
      for (let j = 0; j < k; j++) along += before[j] * own[j];
      for (let j = 0; j < k; j++) direction[j] -= along * before[j];
    }
    const scale = 1 / Math.sqrt(values[item]);
    for (let j = 0; j < k; j++) {
      direction[j] *= scale;
      values[coefficients + j] = -direction[j];
    }
    values.fill(0, columns + k * width, columns + (k + 1) * width);
    values[floors + item] = Number.POSITIVE_INFINITY;
    memory.combine(width, k, 1);
    directions.push(direction);
    items.push(item);
  }
  memory.release();
  return items.sort((a, b) => a - b);
}

/** An item with a probability in proportion to its residual, where that is above its floor. */
function pickByResidual(values: Float64Array, floors: number, n: number, share: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) if (values[i] > values[floors + i]) total += values[i];
  const target = share * total;
  let sum = 0;
  let last = -1;
  for (let i = 0; i < n && sum <= target; i++) {
    if (!(values[i] > values[floors + i])) continue;
    sum += values[i];
    last = i;
  }
  return last;
}
