import { z } from '@hono/zod-openapi';

/** Rows of a kernel: what a thread holds whole. */
export const MOST_KERNEL_ROWS = 3000;
/** Largest entry: sums of some thousands are still numbers. */
const LARGEST = 1e300;
/** Problems named in one answer. */
const MOST_PROBLEMS = 20;
/** Difference of L_ij and L_ji that still counts as rounding, relative to max(sqrt(L_ii L_jj), |L_ij|). */
const ASYMMETRY = 1e-5;

interface Fault {
  readonly path: (string | number)[];
  readonly message: string;
}

/**
 * A kernel in JSON, read in one pass: square, finite, no negative diagonal entry, symmetric up to rounding. JSON has no
 * infinities, but 1e999 reads as one.
 */
export const kernelSchema = z
  .custom<number[][]>((value) => Array.isArray(value), 'is not an array of rows')
  .superRefine((kernel, context) => {
    for (const { path, message } of faultsOf(kernel)) context.addIssue({ code: 'custom', path, message });
  })
  .openapi({
    type: 'array',
    items: { type: 'array', items: { type: 'number' } },
    maxItems: MOST_KERNEL_ROWS,
    description:
      'L, used as it stands: square, finite, symmetric to 1e-5 max(sqrt(L_ii L_jj), |L_ij|), no negative diagonal entry.',
  });

function faultsOf(kernel: readonly unknown[]): Fault[] {
  const n = kernel.length;
  if (n === 0) return [{ path: [], message: 'has no rows' }];
  if (n > MOST_KERNEL_ROWS) return [{ path: [], message: `has ${n} rows; at most ${MOST_KERNEL_ROWS} are taken` }];
  const faults = kernel.flatMap((row, i) => shapeFaults(row, i, n)).slice(0, MOST_PROBLEMS);
  // Rows are arrays of n numbers from here on: shapeFaults has looked at each.
  return faults.length > 0 ? faults : valueFaults(kernel as readonly number[][]);
}

function shapeFaults(row: unknown, i: number, n: number): Fault[] {
  if (!Array.isArray(row)) return [{ path: [i], message: 'is not a row of numbers' }];
  if (row.length !== n) return [{ path: [i], message: `has ${row.length} entries; the kernel has ${n} rows` }];
  const j = row.findIndex((value) => typeof value !== 'number' || !(Math.abs(value) <= LARGEST));
  return j < 0 ? [] : [{ path: [i, j], message: `is not a finite number of at most ${LARGEST}` }];
}

function valueFaults(kernel: readonly (readonly number[])[]): Fault[] {
  const faults: Fault[] = [];
  const scales = kernel.map((row, i) => Math.sqrt(Math.abs(row[i])));
  for (let i = 0; i < kernel.length && faults.length < MOST_PROBLEMS; i++) {
    if (kernel[i][i] < 0) faults.push({ path: [i, i], message: 'is negative, on the diagonal' });
    for (let j = 0; j < i; j++) {
      const most = ASYMMETRY * Math.max(scales[i] * scales[j], Math.abs(kernel[i][j]));
      if (Math.abs(kernel[i][j] - kernel[j][i]) > most) {
        faults.push({ path: [i, j], message: `is ${kernel[i][j]}, but /${j}/${i} is ${kernel[j][i]}: not symmetric` });
        break;
      }
    }
  }
  return faults.slice(0, MOST_PROBLEMS);
}
