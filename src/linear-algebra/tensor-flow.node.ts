import { createRequire } from 'node:module';

/** The part of TensorFlow.js that Tessera uses; @energetic-ai/core carries the code but not its declarations. */
export interface TensorFlow {
  ready(): Promise<void>;
  tensor1d(values: ArrayLike<number>, type: 'int32' | 'float32'): Tensor;
  tensor2d(values: ArrayLike<number>, shape: [number, number], type: 'int32' | 'float32'): Tensor;
  matMul(a: Tensor, b: Tensor): Tensor;
}

export interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

/** TensorFlow.js on its WASM backend with SIMD. */
export async function loadTensorFlow(): Promise<TensorFlow> {
  // By require: the package is CommonJS whose re-exports an ESM import cannot see. The cast: its declarations
  // re-export a package that is bundled, not installed.
  const tf = createRequire(import.meta.url)('@energetic-ai/core') as TensorFlow;
  await tf.ready();
  return tf;
}
