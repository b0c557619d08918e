import { lazy } from '../../text/index.ts';

/** The part of WebAssembly used here, which neither the standard library nor Node's types declare. */
interface Wasm {
  readonly Memory: new (size: { initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => Compiled;
  readonly Instance: new (module: Compiled, imports: object) => { readonly exports: object };
  readonly CompileError: new () => Error;
}
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
export type Compiled = object;
const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;

const PAGE = 65536;

/** Compiles a module once, on first use; null if the runtime forbids compiling, as Workers do. */
export function compiling(base64: string): () => Compiled | null {
  return lazy(() => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    try {
      return new wasm.Module(bytes);
    } catch (failure) {
      if (!(failure instanceof wasm.CompileError)) throw failure;
      return null;
    }
  });
}

export function instance<Exports extends object>(
  module: Compiled,
  length: number,
): { readonly memory: Memory; readonly exports: Exports } {
  const memory = new wasm.Memory({ initial: pagesFor(length) });
  const { exports } = new wasm.Instance(module, { env: { memory } });
  return { memory, exports: exports as Exports }; // the .wat file declares them
}

export function reserve(memory: Memory, length: number): void {
  const missing = pagesFor(length) - memory.buffer.byteLength / PAGE;
  if (missing > 0) memory.grow(missing);
}

function pagesFor(length: number): number {
  return Math.ceil((8 * length) / PAGE) + 1;
}
