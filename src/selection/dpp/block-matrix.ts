import { subtractProducts } from './subtract-products.ts';
import { SUBTRACT_PRODUCTS } from './subtract-products-wasm.ts';
import { type Compiled, compiling, instance } from './wasm.ts';

/** A row-major matrix of doubles for factorisations by blocks. */
export interface BlockMatrix {
  readonly values: Float64Array;
  /** Columns, a multiple of 4. */
  readonly stride: number;
  /**
   * A_ij -= sum_k A_ik A_jk for rows i in [row, rows), columns j in [from, to) and k in [k0, k1); all multiples of 4.
   */
  subtract(row: number, rows: number, from: number, to: number, k0: number, k1: number): void;
}

type Subtract = (
  address: number,
  stride: number,
  row: number,
  rows: number,
  from: number,
  to: number,
  k0: number,
  k1: number,
) => void;

const module = compiling(SUBTRACT_PRODUCTS);

/** A matrix of zeros whose blocks WebAssembly multiplies, two doubles at a time, or JavaScript where it may not be compiled. */
export function blockMatrix(rows: number, columns: number, compiled: Compiled | null = module()): BlockMatrix {
  const stride = padded(columns);
  return shaped(buffer(padded(rows) * stride, compiled), stride);
}

/** Bytes that stay allocated for the next matrix: to be given new pages takes longer than many a factorisation. */
const MAX_KEPT = 160 * 1024 * 1024;
let scratch: Buffer | undefined;

/**
 * A matrix whose entries are whatever the last one left. It is the only one: it is done with before the next is asked for.
 */
export function scratchMatrix(rows: number, columns: number): BlockMatrix {
  const stride = padded(columns);
  const length = padded(rows) * stride;
  const enough = scratch !== undefined && scratch.values.length >= length ? scratch : buffer(length, module());
  scratch = 8 * enough.values.length <= MAX_KEPT ? enough : undefined;
  return shaped(enough, stride);
}

/** Doubles, and what multiplies blocks of them. */
interface Buffer {
  readonly values: Float64Array;
  readonly subtract: Subtract;
}

function shaped({ values, subtract }: Buffer, stride: number): BlockMatrix {
  return { values, stride, subtract: (...block) => subtract(0, stride, ...block) };
}

function buffer(length: number, compiled: Compiled | null): Buffer {
  if (compiled === null) {
    const values = new Float64Array(length);
    return { values, subtract: (_, stride, ...block) => subtractProducts(values, stride, ...block) };
  }
  const { memory, exports } = instance<{ readonly subtract: Subtract }>(compiled, length);
  return { values: new Float64Array(memory.buffer, 0, length), subtract: exports.subtract };
}

/** The next multiple of 4. */
export function padded(size: number): number {
  return (size + 3) & ~3;
}
