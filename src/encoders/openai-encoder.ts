import { z } from 'zod';
import { beginning } from '../documents/characters.ts';
import { MalformedAnswer } from '../language-models/answer-failures.ts';
import { ModelCallError } from '../language-models/model-call-error.ts';
import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import { CAUTIOUS, calibrated } from './calibrated.ts';
import type { Encoder, EncoderProfile, Encoding } from './encoder.ts';
import { type EncoderTransport, encoderEndpoint, type Send, type Spend } from './encoder-endpoint.ts';
import type { OpenAiSpec } from './encoder-specs.ts';
import { inBatches } from './in-batches.ts';
import { processingId } from './processing-id.ts';
import { withoutTokens } from './without-tokens.ts';

/** Texts and characters of one request at most; OpenAI takes 2,048 texts of 300,000 tokens together. */
const BATCH = { texts: 64, characters: 100_000 };
const DEFAULT_CHARACTERS = 8000;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
});

/** The facts about an encoder behind an endpoint. */
export function openAiProfile(spec: OpenAiSpec): EncoderProfile {
  const { model, dimensions, endpoint, maxCharacters } = spec;
  const limit = maxCharacters === DEFAULT_CHARACTERS ? '' : maxCharacters;
  const processing = processingId([spec.queryPrefix, spec.textPrefix, limit]);
  return {
    id: `openai/${new URL(endpoint.baseUrl).host}/${model}/${dimensions}${processing}`,
    sentenceDimensions: dimensions,
    tokenDimensions: 0,
    languages: spec.languages,
    calibration: calibrated(CAUTIOUS, spec.calibration),
  };
}

/**
 * Sentence vectors of an endpoint of OpenAI's form (`/embeddings`). Texts share requests: that a text's vector does not
 * depend on its neighbours there (promise P6) is the server's promise.
 *
 * Its methods throw ModelCallError where the endpoint fails for good.
 */
export function openAiEncoder(spec: OpenAiSpec, transport: EncoderTransport): Encoder {
  const endpoint = encoderEndpoint(spec.endpoint, spec.model, transport);
  const { model, dimensions, shortened, maxCharacters } = spec;

  async function encodeBatch(texts: readonly string[], spend: Spend): Promise<Encoding[]> {
    const request: Send<Float32Array[]> = async (client, signal, tally) => {
      const answer = await client.embeddings.create(
        { model, input: [...texts], encoding_format: 'float', ...(shortened && { dimensions }) },
        { signal },
      );
      const read = answerSchema.safeParse(answer);
      if (!read.success) throw new MalformedAnswer('the answer holds no vectors');
      tally.add(read.data.usage?.prompt_tokens ?? 0, 0);
      const byIndex = new Map(read.data.data.map(({ index, embedding }) => [index, embedding]));
      return texts.map((_, index) => direction(byIndex.get(index) ?? missing()));
    };
    const vectors = await endpoint.call(texts, request, spend);
    return vectors.map((vector) => {
      if (vector.length === dimensions) {
        return { ...withoutTokens(0), sentence: normalizeRows(vector, 1, dimensions) };
      }
      const detail = `makes vectors of ${vector.length} dimensions, not of the ${dimensions} it is configured with`;
      throw new ModelCallError('malformed', `The model "${model}" ${detail}.`);
    });
  }

  async function encodeAll(texts: readonly string[], prefix: string, spend: Spend): Promise<Encoding[]> {
    const encodings = texts.map(() => withoutTokens(dimensions));
    // Endpoints refuse texts of nothing.
    const filled = [...texts.keys()].filter((i) => /\S/.test(texts[i]));
    const sent = filled.map((i) => prefix + beginning(texts[i], maxCharacters));
    const found = await Promise.all(
      inBatches(sent, BATCH.texts, BATCH.characters).map((batch) => encodeBatch(batch, spend)),
    );
    found.flat().forEach((encoding, k) => {
      encodings[filled[k]] = encoding;
    });
    return encodings;
  }

  const profile = openAiProfile(spec);
  const metered = (spend: Spend): Encoder => ({
    profile,
    metered,
    encode: (texts) => encodeAll(texts, spec.textPrefix, spend),
    encodeQueries: (texts) => encodeAll(texts, spec.queryPrefix, spend),
  });
  return metered(() => {});
}

/** A vector as it is reckoned with. @throws MalformedAnswer where it points nowhere: it would be kept, and like nothing */
function direction(numbers: readonly number[]): Float32Array {
  const vector = Float32Array.from(numbers);
  const norm = Math.sqrt(vector.reduce((sum, v) => sum + v * v, 0));
  if (!Number.isFinite(norm) || norm === 0) throw new MalformedAnswer('a vector is of zeros, or not of finite numbers');
  return vector;
}

function missing(): never {
  throw new MalformedAnswer('a text has no vector');
}
