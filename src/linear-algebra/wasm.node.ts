import type { MatrixProduct, PreparedMatrix } from './matrix-product.ts';
import { loadTensorFlow } from './tensor-flow.node.ts';

/** Matrix products by TensorFlow.js' WASM backend with SIMD, which ships inside @energetic-ai/core. */
export async function wasm(): Promise<MatrixProduct> {
  const tf = await loadTensorFlow();
  return {
    name: 'wasm',
    async prepare(vectors, rows, inner): Promise<PreparedMatrix> {
      const right = tf.tensor2d(vectors.slice(0, rows * inner), [rows, inner], 'float32');
      return {
        rows,
        async multiply(left, leftRows) {
          const a = tf.tensor2d(left.slice(0, leftRows * inner), [leftRows, inner], 'float32');
          const product = tf.matMul(a, right, false, true);
          const data = await product.data();
          a.dispose();
          product.dispose();
          return data;
        },
        dispose: () => right.dispose(),
      };
    },
  };
}
