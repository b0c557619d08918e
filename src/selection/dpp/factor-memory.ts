import { type Compiled, compiling, instance, reserve } from './wasm.ts';
import { ELIMINATE_PIVOT } from './wasm-code.ts';

export interface FactorMemory {
  readonly values: Float64Array;
  reserve(length: number): void;
  eliminate(n: number, count: number, item: number, scale: number): void;
  combine(n: number, count: number, scale: number): void;
  release(): void;
}

/** Max pooled memories, and max doubles of each: creating one takes 0.3 ms. */
const MAX_WAITING = 4;
const MAX_LENGTH = 8e6;
const waiting: FactorMemory[] = [];
const module = compiling(ELIMINATE_PIVOT);

/** Items a memory is laid out for: the next multiple of 64. */
export function paddedItems(n: number): number {
  return Math.ceil(n / 64) * 64;
}

/** A memory with leftover contents, on WebAssembly or, if it cannot be compiled, JavaScript: the same bits. */
export function factorMemory(compiled: Compiled | null = module()): FactorMemory {
  if (compiled === null) return plainMemory();
  return waiting.pop() ?? wasmMemory(compiled);
}

function plainMemory(): FactorMemory {
  let values = new Float64Array(0);
  return {
    get values() {
      return values;
    },
    reserve(length) {
      if (length <= values.length) return;
      const longer = new Float64Array(Math.max(length, 2 * values.length));
      longer.set(values);
      values = longer;
    },
    eliminate(n, count, item, scale) {
      for (let p = 0; p < count; p++) values[3 * n + p] = values[(5 + p) * n + item];
      combineColumns(values, n, count, scale);
    },
    combine: (n, count, scale) => combineColumns(values, n, count, scale),
    release() {},
  };
}

function wasmMemory(compiled: Compiled): FactorMemory {
  const { memory, exports } = instance<Pick<FactorMemory, 'eliminate' | 'combine'>>(compiled, 0);
  let values = new Float64Array(memory.buffer);
  const made: FactorMemory = {
    get values() {
      return values;
    },
    reserve(length) {
      if (length <= values.length) return;
      reserve(memory, Math.max(length, 2 * values.length));
      values = new Float64Array(memory.buffer);
    },
    ...exports,
    release() {
      if (values.length <= MAX_LENGTH && waiting.length < MAX_WAITING) waiting.push(made);
    },
  };
  return made;
}

function combineColumns(values: Float64Array, n: number, count: number, scale: number): void {
  const own = values.subarray((5 + count) * n, (6 + count) * n);
  subtractColumns(values, n, count, own);
  for (let from = 0; from < n; from += 64) {
    let largest = 0;
    for (let j = from; j < from + 64; j++) {
      own[j] *= scale;
      values[j] -= own[j] * own[j];
      if (values[j] > values[n + j]) largest = Math.max(largest, values[j] * values[2 * n + j]);
    }
    values[4 * n + from / 64] = largest;
  }
}

function subtractColumns(values: Float64Array, n: number, count: number, own: Float64Array): void {
  const coefficients = values.subarray(3 * n, 4 * n);
  const columns = Array.from({ length: count }, (_, p) => values.subarray((5 + p) * n, (6 + p) * n));
  let p = 0;
  for (; p + 8 <= count; p += 8) {
    const [c0, c1, c2, c3, c4, c5, c6, c7] = columns.slice(p, p + 8);
    const [f0, f1, f2, f3, f4, f5, f6, f7] = coefficients.subarray(p, p + 8);
    for (let j = 0; j < n; j++) {
      const first = f0 * c0[j] + f1 * c1[j] + (f2 * c2[j] + f3 * c3[j]);
      const second = f4 * c4[j] + f5 * c5[j] + (f6 * c6[j] + f7 * c7[j]);
      own[j] -= first + second;
    }
  }
  for (; p < count; p++) {
    const column = columns[p];
    const factor = coefficients[p];
    for (let j = 0; j < n; j++) own[j] -= factor * column[j];
  }
}
