import { combineColumns, eliminatePivot } from './eliminate-pivot.ts';
import { ELIMINATE_PIVOT } from './eliminate-pivot-wasm.ts';
import { type Compiled, compiling, instance, reserve } from './wasm.ts';

/** Doubles of one growing factor, laid out as eliminate-pivot.wat says. */
export interface FactorMemory {
  /** Another array once the memory has grown. */
  readonly values: Float64Array;
  /** Makes room for so many doubles, and keeps what is there. */
  reserve(length: number): void;
  /** Makes the row that stands in column `count` the column of a pivot. */
  eliminate(n: number, count: number, item: number, scale: number): void;
  /** Makes column `count` what is left of it less the columns before it, each times its coefficient. */
  combine(n: number, count: number, scale: number): void;
  /** Leaves the memory to the next factor. */
  release(): void;
}

/** Items below which a call into WebAssembly takes longer than it saves. */
const FEW = 128;
/** Memories that wait for the next factor, and doubles that one may hold: to make one takes 0.3 ms. */
const MAX_WAITING = 4;
const MAX_LENGTH = 8e6;
const waiting: FactorMemory[] = [];
const module = compiling(ELIMINATE_PIVOT);

/** The next multiple of 64. */
export function paddedItems(n: number): number {
  return Math.ceil(n / 64) * 64;
}

/** A memory for so many items, a multiple of 64, whose doubles are whatever the last factor left. */
export function factorMemory(n: number, compiled: Compiled | null = n < FEW ? null : module()): FactorMemory {
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
    eliminate: (n, count, item, scale) => eliminatePivot(values, n, count, item, scale),
    combine: (n, count, scale) => combineColumns(values, n, count, scale),
    release() {},
  };
}

type Exports = Pick<FactorMemory, 'eliminate' | 'combine'>;

function wasmMemory(compiled: Compiled): FactorMemory {
  const { memory, exports } = instance<Exports>(compiled, 0);
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
