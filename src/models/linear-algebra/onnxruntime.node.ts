import { bestMatches } from './best-matches.node.ts';
import { type MatrixProduct, type PreparedMatrix, transpose } from './matrix-product.ts';

/**
 * Matrix products by onnxruntime (the `matmul` operator that @xenova/transformers carries).
 *
 * @throws where it has no binary for this machine
 */
export async function onnxruntime(): Promise<MatrixProduct> {
  const { matmul, Tensor } = await import('@xenova/transformers');
  const one = new Tensor('float32', new Float32Array(1), [1, 1]);
  await matmul(one, one); // fails here, not in the middle of a request, where the native part is missing
  return {
    name: 'onnxruntime',
    prepareMatches: await bestMatches(),
    async prepare(vectors, rows, inner): Promise<PreparedMatrix> {
      const right = new Tensor('float32', transpose(vectors, rows, inner), [inner, rows]);
      return {
        rows,
        async multiply(left, leftRows) {
          const product = await matmul(
            new Tensor('float32', left.subarray(0, leftRows * inner), [leftRows, inner]),
            right,
          );
          return product.data as Float32Array; // a product of float32 tensors is one
        },
      };
    },
  };
}
