import { type MatrixProduct, type PreparedMatrix, transpose } from './matrix-product.ts';
import { loadTensorFlow } from './tensor-flow.node.ts';

/** Matrix products by TensorFlow.js' WASM backend with SIMD, which ships inside @energetic-ai/core. */
export async function wasm(): Promise<MatrixProduct> {
  const tf = await loadTensorFlow();
  return {
    name: 'wasm',
    async prepare(vectors, rows, inner): Promise<PreparedMatrix> {
      // Transposed here: the backend has a fast path only for products of matrices as they lie.
      const right = tf.tensor2d(transpose(vectors, rows, inner), [inner, rows], 'float32');
      return {
        rows,
        async multiply(left, leftRows) {
          const a = tf.tensor2d(left.slice(0, leftRows * inner), [leftRows, inner], 'float32');
          const product = tf.matMul(a, right);
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
