import type { MatrixProduct } from './matrix-product.ts';
import { onnxruntime } from './onnxruntime.node.ts';
import { portable } from './portable.ts';
import { wasm } from './wasm.node.ts';

export type MatrixChoice = 'auto' | MatrixProduct['name'];

/**
 * The matrix products to use: the named backend, or with `auto` the fastest that loads here (onnxruntime, WASM, plain
 * JavaScript, in this order; about 150, 20 and 1 GFLOPS on two cores).
 *
 * @throws where a backend was named and cannot be loaded
 */
export async function chooseMatrixProduct(choice: MatrixChoice): Promise<MatrixProduct> {
  if (choice === 'portable') return portable;
  if (choice === 'wasm') return wasm();
  if (choice === 'onnxruntime') return onnxruntime();
  // An optional dependency that is not there is what `auto` is for: the next backend serves.
  return onnxruntime().catch(() => wasm());
}
