import { join } from 'node:path';
import { BYTES_PER_TOKEN } from '../language/usage.ts';
import { normalizeRows, quantizeRows } from '../linear-algebra/matrix-product.ts';
import type { Calibration, Encoder, EncoderProfile, Encoding } from './encoder.ts';
import { CAUTIOUS, withoutTokens } from './encoder.ts';
import type { Pooling, TransformersSpec } from './encoder-specs.ts';
import { processingId } from './endpoint-encoder.ts';
import { loadModel, readModelConfig, SHIPPED_MODELS } from './model-folder.node.ts';

const MAX_TOKENS = 512;

/** Version of the 8-bit arithmetic: the first depended on the processor. */
const EIGHT_BITS = 'q8/2';

const MINILM = 'all-MiniLM-L6-v2';

/** Of all-MiniLM-L6-v2 in any precision, which orders pairs equally well in 8 and 32 bits. */
const MINILM_CALIBRATION: Calibration = {
  support: 0.15,
  paraphrase: 0.9,
  familiar: 0.6,
  unlike: 0.55,
  same: 0.68,
  unrelated: { mean: 0.05, deviation: 0.102 },
  relevance: { mean: 0.234, deviation: 0.12 },
};

export interface LocalModel {
  readonly models: string;
  readonly spec: TransformersSpec;
}

export const EMBEDDED: LocalModel = {
  models: SHIPPED_MODELS,
  spec: {
    kind: 'transformers',
    model: MINILM,
    dtype: 'q8',
    pooling: 'mean',
    maxTokens: MAX_TOKENS,
    queryPrefix: '',
    textPrefix: '',
    languages: ['eng'],
  },
};

export function transformersProfile({ models, spec }: LocalModel): EncoderProfile {
  const { model, dtype, pooling, languages, maxTokens } = spec;
  const { dimensions } = readModelConfig(models, model);
  const limit = maxTokens === MAX_TOKENS ? '' : maxTokens;
  const changes = [spec.queryPrefix, spec.textPrefix, limit];
  const id = `transformers/${model}/${dtype === 'q8' ? EIGHT_BITS : dtype}${pooling === 'mean' ? '' : `/${pooling}`}${processingId(changes)}`;
  const isMeasured = model === MINILM && pooling === 'mean' && spec.queryPrefix + spec.textPrefix === '';
  return {
    id,
    sentenceDimensions: dimensions,
    tokenDimensions: dimensions,
    languages: languages ?? (model === MINILM ? EMBEDDED.spec.languages : null),
    // Models of 512 tokens are trained on sentences, larger ones on documents.
    ...(maxTokens > MAX_TOKENS && { wholeBytes: BYTES_PER_TOKEN * maxTokens }),
    calibration: isMeasured ? MINILM_CALIBRATION : CAUTIOUS,
  };
}

/**
 * A local token-level model. One text per call: int8 scales span a batch, so neighbours would change the vectors.
 * @throws if the model's files are missing, or onnxruntime has no binary for this machine
 */
export async function transformersEncoder(local: LocalModel = EMBEDDED): Promise<Encoder> {
  const { models, spec } = local;
  const profile = transformersProfile(local);
  const maxTokens = Math.min(spec.maxTokens, readModelConfig(models, spec.model).maxTokens);
  const { model, tokenizer } = await loadModel('AutoModel', join(models, spec.model), spec.dtype);
  const special = new Set<number>(tokenizer.all_special_ids);
  // The library does not type its tensors: ids are 64-bit integers, vectors 32-bit floats.
  const idsOf = (input: { input_ids: { data: unknown } }) => Array.from(input.input_ids.data as BigInt64Array, Number);

  async function encodeAll(texts: readonly string[], prefix: string): Promise<Encoding[]> {
    const before = prefix === '' ? [] : idsOf(tokenizer(prefix.trimEnd(), { add_special_tokens: false }));
    const encodings: Encoding[] = [];
    for (const text of texts) {
      const input = tokenizer(prefix + text, { truncation: true, max_length: maxTokens });
      const ids = idsOf(input);
      if (ids.length === 0) {
        encodings.push(withoutTokens(profile.sentenceDimensions));
        continue;
      }
      const output = await model(input);
      const hidden = output.last_hidden_state ?? output.token_embeddings;
      if (hidden?.dims.at(-1) !== profile.tokenDimensions) {
        throw new Error(`${spec.model} gives no token vectors of ${profile.tokenDimensions} dimensions`);
      }
      const { data } = hidden.type === 'float32' ? hidden : hidden.to('float32');
      encodings.push(pool(data as Float32Array, ids, { special, before, pooling: spec.pooling }));
    }
    return encodings;
  }

  return {
    profile,
    encode: (texts) => encodeAll(texts, spec.textPrefix),
    encodeQueries: (texts) => encodeAll(texts, spec.queryPrefix),
  };
}

interface PoolOptions {
  readonly special: ReadonlySet<number>;
  readonly before: readonly number[];
  readonly pooling: Pooling;
}

/** Sentence vectors are pooled over all tokens, as in training; token vectors are only those of the text. */
function pool(hidden: Float32Array, ids: readonly number[], { special, before, pooling }: PoolOptions): Encoding {
  const d = hidden.length / ids.length;
  const own = ids.flatMap((id, position) => (special.has(id) ? [] : [position]));
  const different = own.findIndex((position, t) => ids[position] !== before[t]);
  const kept = different === -1 ? [] : own.slice(different);
  const tokens = new Float32Array(kept.length * d);
  kept.forEach((position, row) => {
    tokens.set(hidden.subarray(position * d, (position + 1) * d), row * d);
  });
  return {
    sentence: normalizeRows(sentenceVector(hidden, d, pooling), 1, d),
    tokens: quantizeRows(tokens, kept.length, d),
    tokenIds: Int32Array.from(kept, (position) => ids[position]),
  };
}

/** A single text is never padded, so the last token is its own. */
function sentenceVector(hidden: Float32Array, d: number, pooling: Pooling): Float32Array {
  if (pooling === 'cls') return hidden.slice(0, d);
  if (pooling === 'last') return hidden.slice(-d);
  const sum = new Float32Array(d);
  for (let start = 0; start < hidden.length; start += d) {
    for (let c = 0; c < d; c++) sum[c] += hidden[start + c];
  }
  return sum;
}
