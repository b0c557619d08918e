import { type Compiled, compiling, instance } from './wasm.ts';
import { SUBTRACT_PRODUCTS } from './wasm-code.ts';

export interface BlockMatrix {
  readonly values: Float64Array;
  readonly stride: number;
  /** A_ij -= sum_k A_ik A_jk for i in [row, rows), j in [from, to), k in [k0, k1); all bounds are multiples of 4. */
  subtract(row: number, rows: number, from: number, to: number, k0: number, k1: number): void;
}

type Block = Parameters<BlockMatrix['subtract']>;

interface Buffer {
  readonly values: Float64Array;
  readonly subtract: (address: number, stride: number, ...block: Block) => void;
}

const module = compiling(SUBTRACT_PRODUCTS);

/** A zero matrix. WebAssembly and its JavaScript fallback give the same bits. */
export function blockMatrix(rows: number, columns: number, compiled: Compiled | null = module()): BlockMatrix {
  const stride = padded(columns);
  return shaped(buffer(padded(rows) * stride, compiled), stride);
}

/** Max bytes kept for the next matrix: fresh pages take longer than many a factorisation. */
const MAX_KEPT = 160 * 1024 * 1024;
let scratch: Buffer | undefined;

export function scratchMatrix(rows: number, columns: number): BlockMatrix {
  const stride = padded(columns);
  const length = padded(rows) * stride;
  const enough = scratch !== undefined && scratch.values.length >= length ? scratch : buffer(length, module());
  scratch = 8 * enough.values.length <= MAX_KEPT ? enough : undefined;
  return shaped(enough, stride);
}

function shaped({ values, subtract }: Buffer, stride: number): BlockMatrix {
  return { values, stride, subtract: (...block) => subtract(0, stride, ...block) };
}

function buffer(length: number, compiled: Compiled | null): Buffer {
  if (compiled === null) {
    const values = new Float64Array(length);
    return { values, subtract: (_, stride, ...block) => subtractProducts(values, stride, ...block) };
  }
  const { memory, exports } = instance<Pick<Buffer, 'subtract'>>(compiled, length);
  return { values: new Float64Array(memory.buffer, 0, length), subtract: exports.subtract };
}

/** subtract-products.wat to the last bit: even and odd k are summed apart. */
function subtractProducts(a: Float64Array, stride: number, ...[row, rows, from, to, k0, k1]: Block): void {
  for (let i = row; i < rows; i++) {
    for (let j = from; j < to; j++) {
      let even = 0;
      let odd = 0;
      for (let x = i * stride + k0, y = j * stride + k0, end = i * stride + k1; x < end; x += 2, y += 2) {
        even += a[x] * a[y];
        odd += a[x + 1] * a[y + 1];
      }
      a[i * stride + j] -= even + odd;
    }
  }
}

export function padded(size: number): number {
  return (size + 3) & ~3;
}
