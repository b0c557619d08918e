import { seeded } from '../selection/kernel/random.ts';

/** A named family of seeded positive definite kernels. */
export interface KernelFamily {
  readonly name: string;
  readonly what: string;
  readonly kernel: (distance: number) => number;
}

/** Points in the unit cube; distances in units of their median. */
export const FAMILIES: readonly KernelFamily[] = [
  { name: 'gaussian', what: 'exp(-d^2 / 2): eigenvalues fall fast', kernel: (d) => Math.exp((-d * d) / 2) },
  { name: 'exponential', what: 'exp(-d): eigenvalues fall slowly', kernel: (d) => Math.exp(-d) },
];

export const SIZES = [300, 1000, 3000];
const DIMENSIONS = 3;

/** The kernel of n points of a family, row-major. */
export function familyKernel({ kernel }: KernelFamily, n: number): Float64Array {
  const random = seeded(n);
  const points = Array.from({ length: n }, () => Array.from({ length: DIMENSIONS }, () => random.next()));
  const distances = new Float64Array(n * n);
  const some: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.hypot(...points[i].map((value, c) => value - points[j][c]));
      distances[i * n + j] = d;
      distances[j * n + i] = d;
      if (i < 300) some.push(d);
    }
  }
  some.sort((a, b) => a - b);
  const median = some[some.length >> 1];
  return distances.map((d) => kernel(d / median));
}
