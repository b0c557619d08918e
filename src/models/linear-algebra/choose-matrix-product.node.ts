import type { MatrixProduct } from './matrix-product.ts';
import { onnxruntime } from './onnxruntime.node.ts';
import { portable } from './portable.ts';

export type MatrixChoice = 'auto' | MatrixProduct['name'];

/**
 * The matrix products to use: the named backend, or with `auto` onnxruntime where it has a binary for this machine, else plain
 * JavaScript (about 150 and 1 GFLOPS on two cores).
 *
 * @throws where onnxruntime was named and cannot be loaded
 */
export async function chooseMatrixProduct(choice: MatrixChoice): Promise<MatrixProduct> {
  if (choice === 'portable') return portable;
  return choice === 'onnxruntime' ? onnxruntime() : onnxruntime().catch(() => portable);
}
