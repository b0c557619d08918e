import type { Reference } from './reference.ts';

/** From similarity to distance: |u_i - u_j| for cosine, 1 - S for BERTScore (the paper does not spell it out). */
export type Distance = (similarity: number) => number;

export const euclideanDistance: Distance = (s) => Math.sqrt(Math.max(0, 2 - 2 * s));
export const complementDistance: Distance = (s) => 1 - s;

/** K_ij = exp(-distance^2 / (2 sigma^2)). */
export function gaussian(distance: Distance, sigma: number): (similarity: number) => number {
  const scale = -1 / (2 * sigma * sigma);
  return (similarity) => {
    const d = distance(similarity);
    return Math.exp(scale * d * d);
  };
}

/** The median distance between different items, at least 1e-3; 1 where there is no pair. */
export function medianSigma({ n, indices, similarities }: Reference, distance: Distance): number {
  if (n < 2) return 1;
  const distances = new Float64Array(indices.length * (n - 1));
  let at = 0;
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) if (i !== index) distances[at++] = distance(similarities[r * n + i]);
  });
  distances.sort();
  const middle = distances.length >> 1;
  const median = distances.length % 2 ? distances[middle] : (distances[middle - 1] + distances[middle]) / 2;
  return Math.max(1e-3, median);
}
