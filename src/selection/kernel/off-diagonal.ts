import { nthSmallest } from './nth-smallest.ts';
import type { Reference } from './reference.ts';

/** The values between different items, in no order; empty where there is no pair. */
export function offDiagonal({ n, indices, similarities }: Reference): Float32Array {
  const apart = new Float32Array(indices.length * Math.max(0, n - 1));
  let at = 0;
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) if (i !== index) apart[at++] = similarities[r * n + i];
  });
  return apart;
}

/** A percentile (0 to 100) of the values between different items, by the nearest rank; 0 where there is no pair. */
export function offDiagonalPercentile(reference: Reference, percentile: number): number {
  const values = offDiagonal(reference);
  if (values.length === 0) return 0;
  const rank = Math.ceil((percentile / 100) * values.length) - 1;
  return nthSmallest(values, Math.min(values.length - 1, Math.max(0, rank)));
}

/** Mean and deviation of the values between different items; 0 where there is no pair. */
export function offDiagonalMoments(reference: Reference): { mean: number; deviation: number } {
  const values = offDiagonal(reference);
  if (values.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / values.length) };
}
