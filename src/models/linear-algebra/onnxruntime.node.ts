import { join } from 'node:path';
import { packageFile } from '../../text/index.node.ts';
import { lazy } from '../../text/index.ts';
import {
  type EightBitRows,
  type MatrixProduct,
  type PreparedMatches,
  type PreparedMatrix,
  portable,
  transpose,
  ZERO,
} from './matrix-product.ts';

/** Matrix products by onnxruntime (`matmul` of @xenova/transformers). @throws if it has no binary for this machine */
async function onnxruntime(): Promise<MatrixProduct> {
  const { matmul, Tensor } = await import('@xenova/transformers');
  const one = new Tensor('float32', new Float32Array(1), [1, 1]);
  await matmul(one, one); // fails here, not in the middle of a request, where the native part is missing
  return {
    name: 'onnxruntime',
    prepareMatches: await bestMatches(await eightBitSession()),
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

const GRAPH = join(packageFile('models'), 'best-matches');

type EightBitSession = { readonly x64quantprecision?: '1' };

/** Rows and columns of a trial product, large enough for every way in which onnxruntime multiplies. */
const TRIAL = { rows: 64, inner: 384 };

/**
 * `x64quantprecision` where a trial product overflows, as without VNNI (docs/decisions/encoders.md). Elsewhere it
 * only slows onnxruntime 1.30 down, to a third of its speed on processors with AMX. @throws as `bestMatches`
 */
export const eightBitSession = lazy(async (): Promise<EightBitSession> => {
  const { rows, inner } = TRIAL;
  const largest = {
    values: new Uint8Array(rows * inner).fill(255),
    scales: new Float32Array(rows).fill(1),
    perItem: 1,
  };
  const { there } = await (await bestMatches({}))(largest, inner)(largest);
  return there.every((product) => product === inner * (255 - ZERO) ** 2) ? {} : { x64quantprecision: '1' };
});

/** Best matches in integer sums, equal on every processor. @throws if onnxruntime has no binary, or the graph is missing */
async function bestMatches(session: EightBitSession): Promise<(right: EightBitRows, inner: number) => PreparedMatches> {
  // All cores, sleeping when idle. Unoptimised: a fused graph rounds by sides.
  const session_options = {
    graphOptimizationLevel: 'disabled' as const,
    extra: { session: { ...session, intra_op: { allow_spinning: '0' } } },
  };
  const { AutoModel, env, Tensor } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  const model = await AutoModel.from_pretrained(GRAPH, { dtype: 'fp32', session_options });
  const shape = (...dimensions: number[]) => new Tensor('int64', BigInt64Array.from(dimensions, BigInt), [3]);

  return (right, inner) => {
    const rows = right.scales.length;
    const turned = new Tensor('int8', turnedOf(right.values, rows, inner), [inner, rows]);
    const scales = new Tensor('float32', right.scales, [1, rows]);
    return async (left) => {
      const leftRows = left.scales.length;
      const { there, back } = await model({
        left: new Tensor('uint8', left.values, [leftRows, inner]),
        right: turned,
        left_scales: new Tensor('float32', left.scales, [leftRows, 1]),
        right_scales: scales,
        by_right_items: shape(leftRows, rows / right.perItem, right.perItem),
        by_left_items: shape(leftRows / left.perItem, left.perItem, rows),
      });
      return { there: there.data as Float32Array, back: back.data as Float32Array };
    };
  };
}

function turnedOf(values: Uint8Array, rows: number, inner: number): Int8Array {
  const turned = new Int8Array(values.length);
  for (let r = 0; r < rows; r++) {
    const from = r * inner;
    for (let c = 0; c < inner; c++) turned[c * rows + r] = values[from + c] - ZERO;
  }
  return turned;
}

export type MatrixChoice = 'auto' | MatrixProduct['name'];

/** `auto` is onnxruntime if available, else JavaScript (about 150 and 1 GFLOPS on two cores). @throws if a named backend cannot load */
export async function chooseMatrixProduct(choice: MatrixChoice): Promise<MatrixProduct> {
  if (choice === 'portable') return portable;
  return choice === 'onnxruntime' ? onnxruntime() : onnxruntime().catch(() => portable);
}
