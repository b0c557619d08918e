import type { OpenAI } from 'openai';
import { z } from 'zod';
import { beginning, contentHash, counted, groups } from '../../text/index.ts';
import { MalformedAnswer, ModelCallError } from '../errors.ts';
import { type EndpointOptions, modelEndpoint } from '../language/model-endpoint.ts';
import { type Price, Tally } from '../language/usage.ts';
import { normalizeRows } from '../linear-algebra/matrix-product.ts';
import {
  CAUTIOUS,
  type Encoder,
  type EncoderCaller,
  type EncoderProfile,
  type Encoding,
  withoutTokens,
} from './encoder.ts';
import type { Endpoint, OpenAiSpec } from './encoder-specs.ts';

export type EncoderTransport = Pick<EndpointOptions, 'callMilliseconds' | 'attempts' | 'random' | 'wait' | 'fetch'> & {
  readonly prices?: ReadonlyMap<string, Price> | undefined;
};

export const NOBODY: EncoderCaller = { spend() {} };

/** Max concurrent requests of all users of an encoder. */
const CONCURRENCY = 4;

export function encoderEndpoint({ baseUrl, apiKey }: Endpoint, model: string, transport: EncoderTransport) {
  const endpoint = modelEndpoint({ ...transport, baseUrl, apiKey, concurrency: CONCURRENCY });
  return {
    /** @param sent texts of the request, which no error may repeat @throws ModelCallError that names the model */
    async call<T>(
      sent: readonly string[],
      caller: EncoderCaller,
      send: (client: OpenAI, signal: AbortSignal, tally: Tally) => Promise<T>,
    ): Promise<T> {
      const tally = new Tally(transport.prices?.get(model));
      try {
        return await endpoint.call({
          send: (client, ended) => send(client, ended, tally),
          tally,
          sent,
          signal: caller.signal,
        });
      } catch (error) {
        if (!(error instanceof ModelCallError)) throw error;
        const { failure, message, usage, cause, isFatal } = error;
        throw new ModelCallError(failure, `The model "${model}" cannot be used: ${message}`, usage, { cause, isFatal });
      } finally {
        caller.spend(tally.usage());
      }
    },
  };
}

interface SentenceModel {
  readonly id: string;
  readonly spec: Pick<OpenAiSpec, 'model' | 'dimensions' | 'maxCharacters' | 'queryPrefix' | 'textPrefix'> & {
    readonly languages: readonly string[] | null;
  };
  readonly batch: { readonly texts: number; readonly characters: number };
  /** @param texts none blank @returns one unit vector per text, in order @throws ModelCallError */
  ask(texts: readonly string[], caller: EncoderCaller): Promise<Float32Array[]>;
}

/** An encoder of a remote model, without tokens; zero vectors for blank texts. P6 is up to the server. Methods throw ModelCallError. */
export function sentenceEncoder({ id, spec, batch, ask }: SentenceModel): Encoder {
  const { model, dimensions, maxCharacters } = spec;
  const profile: EncoderProfile = {
    id,
    sentenceDimensions: dimensions,
    tokenDimensions: 0,
    languages: spec.languages,
    wholeBytes: maxCharacters,
    calibration: CAUTIOUS,
  };

  async function encodeAll(texts: readonly string[], prefix: string, caller: EncoderCaller): Promise<Encoding[]> {
    const encodings = texts.map(() => withoutTokens(dimensions));
    const filled = [...texts.keys()].filter((i) => /\S/.test(texts[i]));
    const sent = filled.map((i) => prefix + beginning(texts[i], maxCharacters));
    const asked = inBatches(sent, batch.texts, batch.characters).map((each) => ask(each, caller));
    for (const [k, vector] of (await Promise.all(asked)).flat().entries()) {
      if (vector.length !== dimensions) {
        const detail = `makes vectors of ${counted(vector.length, 'dimension')}, not of the ${dimensions} it is configured with`;
        throw new ModelCallError('malformed', `The model "${model}" ${detail}.`);
      }
      encodings[filled[k]] = { ...withoutTokens(0), sentence: normalizeRows(vector, 1, dimensions) };
    }
    return encodings;
  }

  const metered = (caller: EncoderCaller): Encoder => ({
    profile,
    metered,
    encode: (texts) => encodeAll(texts, spec.textPrefix, caller),
    encodeQueries: (texts) => encodeAll(texts, spec.queryPrefix, caller),
  });
  return metered(NOBODY);
}

/** Scales a vector to unit length. @throws MalformedAnswer if it has no direction, since it would be stored */
export function direction(numbers: readonly number[]): Float32Array {
  const vector = Float32Array.from(numbers);
  const norm = Math.sqrt(vector.reduce((sum, v) => sum + v * v, 0));
  if (!Number.isFinite(norm) || norm === 0) throw new MalformedAnswer('a vector is of zeros, or not of finite numbers');
  return vector;
}

export function inBatches(texts: readonly string[], maxTexts: number, maxCharacters: number): string[][] {
  const batches = groups(texts, maxCharacters, (text, batch) =>
    batch.length === maxTexts ? Number.POSITIVE_INFINITY : text.length,
  );
  return [...batches];
}

/** Suffix of a profile's id for the processing of texts. @param changes prefixes and limits that differ from the default */
export function processingId(changes: readonly (string | number)[]): string {
  return changes.every((change) => change === '') ? '' : `/${contentHash(JSON.stringify(changes)).slice(0, 12)}`;
}

const BATCH = { texts: 64, characters: 100_000 };
const DEFAULT_CHARACTERS = 8000;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
});

export function openAiEncoder(spec: OpenAiSpec, transport: EncoderTransport): Encoder {
  const endpoint = encoderEndpoint(spec.endpoint, spec.model, transport);
  const { model, dimensions, shortened, maxCharacters } = spec;
  const limit = maxCharacters === DEFAULT_CHARACTERS ? '' : maxCharacters;
  const processing = processingId([spec.queryPrefix, spec.textPrefix, limit]);
  return sentenceEncoder({
    id: `openai/${new URL(spec.endpoint.baseUrl).host}/${model}/${dimensions}${processing}`,
    spec,
    batch: BATCH,
    ask: (texts, caller) =>
      endpoint.call(texts, caller, async (client, signal, tally) => {
        const answer = await client.embeddings.create(
          { model, input: [...texts], encoding_format: 'float', ...(shortened && { dimensions }) },
          { signal },
        );
        const read = answerSchema.safeParse(answer);
        if (!read.success) throw new MalformedAnswer('the answer holds no vectors');
        tally.add(read.data.usage?.prompt_tokens ?? 0, 0);
        const byIndex = new Map(read.data.data.map(({ index, embedding }) => [index, embedding]));
        return texts.map((_, index) => direction(byIndex.get(index) ?? missing()));
      }),
  });
}

function missing(): never {
  throw new MalformedAnswer('a text has no vector');
}
