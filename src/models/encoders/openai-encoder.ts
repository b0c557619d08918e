import { z } from 'zod';
import { MalformedAnswer } from '../language/answer-failures.ts';
import { CAUTIOUS, calibrated } from './calibrated.ts';
import type { Encoder, EncoderProfile } from './encoder.ts';
import { type EncoderTransport, encoderEndpoint, type Send } from './encoder-endpoint.ts';
import type { OpenAiSpec } from './encoder-specs.ts';
import { processingId } from './processing-id.ts';
import { direction, sentenceEncoder } from './sentence-encoder.ts';

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
    wholeBytes: maxCharacters,
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
  const { model, dimensions, shortened, queryPrefix, textPrefix, maxCharacters } = spec;
  return sentenceEncoder({
    ...{ profile: openAiProfile(spec), model, queryPrefix, textPrefix, maxCharacters, batch: BATCH },
    ask(texts, spend) {
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
      return endpoint.call(texts, request, spend);
    },
  });
}

function missing(): never {
  throw new MalformedAnswer('a text has no vector');
}
