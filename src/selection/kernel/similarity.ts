/** Similarity S between n items: symmetric, in [-1, 1], 1 on the diagonal. */
export interface Similarity {
  readonly n: number;

  /** The whole of S, row-major n x n. */
  matrix(): Promise<Float32Array>;

  /**
   * Some rows of S.
   *
   * @returns row-major, indices.length x n
   */
  rows(indices: readonly number[]): Promise<Float32Array>;
}

/** From here up a similarity counts as 1, so that Float32 rounding leaves no residual between duplicates. */
const ONE = 1 - 1e-6;

/** Clips to [-1, 1] and closes the last millionth to 1. */
export function clipSimilarity(value: number): number {
  return value >= ONE ? 1 : Math.max(value, -1);
}
