import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import type { Encoder, EncoderProfile, Encoding } from './encoder.ts';
import { quantizeRows } from './quantize-rows.ts';

export const MINILM = 'all-MiniLM-L6-v2';

/** More tokens than any key point has; the model's own limit. */
const MAX_TOKENS = 512;

export const transformersProfile: EncoderProfile = {
  id: `transformers/${MINILM}/q8`,
  sentenceDimensions: 384,
  tokenDimensions: 384,
  languages: ['eng'],
  calibration: {
    support: 0.15,
    paraphrase: 0.9,
    unlike: 0.55,
    same: 0.68,
    unrelated: { mean: 0.05, deviation: 0.102 },
  },
};

/**
 * all-MiniLM-L6-v2 (int8) by @xenova/transformers, from a local folder only.
 *
 * Texts are encoded one per call: the int8 scales are taken over a whole batch, so neighbours would move the vectors.
 *
 * @param models folder that holds the model's folder
 * @throws where the optional dependency or the weights are missing
 */
export async function transformersEncoder(models: string): Promise<Encoder> {
  const { AutoModel, AutoTokenizer, env } = await import('@xenova/transformers');
  env.localModelPath = models;
  env.allowRemoteModels = false;
  const [model, tokenizer] = await Promise.all([
    AutoModel.from_pretrained(MINILM, { dtype: 'q8', session_options: { intraOpNumThreads: 1 } }),
    AutoTokenizer.from_pretrained(MINILM),
  ]);
  const special = new Set<number>(tokenizer.all_special_ids);

  async function encodeOne(text: string): Promise<Encoding> {
    const input = tokenizer(text, { truncation: true, max_length: MAX_TOKENS });
    const ids = Array.from(input.input_ids.data as BigInt64Array, Number);
    const { last_hidden_state: hidden } = await model(input);
    return pool(hidden.data as Float32Array, ids, special);
  }

  return {
    profile: transformersProfile,
    async encode(texts) {
      const encodings: Encoding[] = [];
      for (const text of texts) encodings.push(await encodeOne(text));
      return encodings;
    },
  };
}

/** Mean pooling over all tokens (as the model was trained); token vectors without the special ones. */
function pool(hidden: Float32Array, ids: number[], special: ReadonlySet<number>): Encoding {
  const d = transformersProfile.tokenDimensions;
  const kept = ids.flatMap((id, position) => (special.has(id) ? [] : [position]));
  const sentence = new Float32Array(d);
  for (let t = 0; t < ids.length; t++) {
    for (let c = 0; c < d; c++) sentence[c] += hidden[t * d + c];
  }
  const tokens = new Float32Array(kept.length * d);
  kept.forEach((position, row) => {
    tokens.set(hidden.subarray(position * d, (position + 1) * d), row * d);
  });
  return {
    sentence: normalizeRows(sentence, 1, d),
    tokens: quantizeRows(tokens, kept.length, d),
    tokenIds: Int32Array.from(kept, (position) => ids[position]),
  };
}
