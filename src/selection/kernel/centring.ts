import type { Reference } from './reference.ts';

/** Means of S over the references, which take the hubs (vague items that resemble everything) out of similarities. */
export interface Centring {
  /** Mean similarity of each item to the references. */
  readonly means: Float64Array;
  readonly grandMean: number;
}

/** The means that C = S - row means - column means + grand mean needs. */
export function centring({ n, indices, similarities }: Reference): Centring {
  const means = new Float64Array(n);
  for (let r = 0; r < indices.length; r++) {
    for (let i = 0; i < n; i++) means[i] += similarities[r * n + i];
  }
  let grandMean = 0;
  for (let i = 0; i < n; i++) means[i] /= Math.max(1, indices.length);
  for (const index of indices) grandMean += means[index] / indices.length;
  return { means, grandMean };
}

/** C for one pair. */
export function centred(similarity: number, { means, grandMean }: Centring, i: number, j: number): number {
  return similarity - means[i] - means[j] + grandMean;
}
