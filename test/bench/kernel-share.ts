import type { Digest } from '../../src/contract/index.ts';
import { type DigestDeps, encodedText } from '../../src/digest/index.ts';
import { chooseMatrixProduct } from '../../src/models/index.node.ts';
import { encodedTokens, type MatrixProduct } from '../../src/models/index.ts';
import { bertScores, tokenMatrix, tokenWeights } from '../../src/selection/index.ts';
import { medianTime } from './median.ts';

/** The kernel stage over the gated points of a digest, beside nothing but the matrix products that it asked for. */
export async function kernelShare(
  { engine, cache }: Pick<DigestDeps, 'engine' | 'cache'>,
  digest: Digest,
): Promise<string> {
  const encoder = engine.encoders.get(engine.defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const gated = digest.keyPoints.filter(({ reason }) => reason !== 'gate');
  const texts = gated.map(({ text, speaker }) => encodedText({ text, speaker: speaker ?? undefined }));
  const items = tokenMatrix(await encodedTokens(encoder, cache, texts), encoder.profile.tokenDimensions);
  const weights = [tokenWeights(items, 2), tokenWeights(items, 0)];

  const product = await chooseMatrixProduct(engine.matrix);
  const calls: { right: Float32Array; rows: number; inner: number; lefts: { left: Float32Array; rows: number }[] }[] =
    [];
  const recording: MatrixProduct = {
    name: product.name,
    async prepare(right, rows, inner) {
      const call: (typeof calls)[number] = { right, rows, inner, lefts: [] };
      calls.push(call);
      const prepared = await product.prepare(right, rows, inner);
      return {
        ...prepared,
        multiply(left, leftRows) {
          call.lefts.push({ left, rows: leftRows });
          return prepared.multiply(left, leftRows);
        },
      };
    },
  };
  await bertScores(items, weights, recording)[0].matrix();
  const kernel = await medianTime(() => bertScores(items, weights, product)[0].matrix());
  const bare = await medianTime(async () => {
    for (const { right, rows, inner, lefts } of calls) {
      const prepared = await product.prepare(right, rows, inner);
      for (const { left, rows: leftRows } of lefts) await prepared.multiply(left, leftRows);
    }
  });
  return `kernel of ${items.n} points, ${items.tokenIds.length} tokens: ${kernel.toFixed(0)} ms; bare products ${bare.toFixed(0)} ms (${((100 * bare) / kernel).toFixed(0)}% of it)`;
}
