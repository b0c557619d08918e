import { APIError } from 'openai';
import { z } from 'zod';
import { MalformedAnswer } from '../errors.ts';
import type { Encoder, EncoderProfile } from './encoder.ts';
import { CAUTIOUS } from './encoder.ts';
import type { WorkersAiSpec } from './encoder-specs.ts';
import {
  direction,
  type EncoderTransport,
  encoderEndpoint,
  processingId,
  type Send,
  sentenceEncoder,
} from './endpoint-encoder.ts';

/** What an error of the AI binding says in terms of HTTP. */
interface WorkersAiStatus {
  /** Undefined where it is not told. */
  readonly http: number | undefined;
  /** Whether what the account may use for now is used up. */
  readonly isQuota: boolean;
}

const ALLOCATION_USED = 3036;

/**
 * HTTP status by the code that an error begins with (https://developers.cloudflare.com/workers-ai/platform/errors/), but for
 * a model that is not known, which there is 400: no other request for it will do better.
 */
const STATUS: ReadonlyMap<number, number> = new Map([
  [3003, 400],
  [3006, 413],
  [3007, 408],
  [3008, 408],
  [3023, 403],
  [ALLOCATION_USED, 429],
  [3039, 400],
  [3040, 429],
  [3041, 403],
  [3042, 404],
  [5004, 400],
  [5005, 405],
  [5007, 404],
  [5016, 403],
  [5018, 403],
  [5019, 405],
  // Of Cloudflare's API, which local development goes through: no login.
  [10_000, 401],
]);

/** Reads an error that the AI binding threw; null where it is not one that Workers AI told. */
function workersAiStatus({ name, message }: Error): WorkersAiStatus | null {
  const code = /^(\d{4,5}): /.exec(message)?.[1];
  if (code === undefined) return name === 'InferenceUpstreamError' ? { http: undefined, isQuota: false } : null;
  const number = Number(code);
  return { http: STATUS.get(number) ?? classOf(number), isQuota: number === ALLOCATION_USED };
}

/** Codes from 5000 to 5999 are about the request, as far as they are published; of others nothing is known. */
function classOf(code: number): number | undefined {
  return code >= 5000 && code < 6000 ? 400 : undefined;
}

/** `run` of the AI binding, as far as it is used here; an aborted signal ends the call. */
export type RunModel = (
  model: string,
  inputs: { text: string[]; pooling?: 'mean' | 'cls' },
  options: { signal: AbortSignal },
) => Promise<unknown>;

/** Texts and characters of one request at most: Workers AI takes 100 texts, and bge-m3 60,000 tokens together. */
const BATCH = { texts: 100, characters: 50_000 };
const TRANSPORT: EncoderTransport = { callMilliseconds: 60_000, attempts: 3 };
/** Nothing is sent there: requests go through the binding. */
const NOWHERE = { baseUrl: 'https://workers-ai.invalid', apiKey: null };

const answerSchema = z.object({ data: z.array(z.array(z.number())), pooling: z.string().optional().catch(undefined) });

/** The facts about an encoder of Workers AI. */
function workersAiProfile(spec: WorkersAiSpec): EncoderProfile {
  const { model, dimensions, pooling } = spec;
  const processing = processingId([spec.queryPrefix, spec.textPrefix, spec.maxCharacters]);
  return {
    // Vectors of one pooling say nothing beside those of another.
    id: `workers-ai/${model}/${dimensions}${pooling === null ? '' : `/${pooling}`}${processing}`,
    sentenceDimensions: dimensions,
    tokenDimensions: 0,
    languages: spec.languages,
    wholeBytes: spec.maxCharacters,
    calibration: CAUTIOUS,
  };
}

/**
 * Sentence vectors of a model of Workers AI, through the AI binding of a Worker: at most four calls at once, each again
 * where a failure may pass, as with the endpoints of other encoders.
 *
 * Texts share requests: that a text's vector does not depend on its neighbours there (promise P6) is the server's promise.
 * It is not published: on a GPU the last bits may move with the batch. What is kept in the store is not asked for again, so
 * that a text keeps the vector that it had first.
 *
 * Workers AI does not say how many tokens it read: usage counts requests, no tokens, and the cost is not known.
 *
 * Its methods throw ModelCallError where the model fails for good.
 */
export function workersAiEncoder(spec: WorkersAiSpec, run: RunModel, transport: EncoderTransport = TRANSPORT): Encoder {
  const { model, pooling, queryPrefix, textPrefix, maxCharacters } = spec;
  // A price by tokens would make calls free, as none are counted.
  const endpoint = encoderEndpoint(NOWHERE, model, { ...transport, prices: undefined });
  return sentenceEncoder({
    ...{ profile: workersAiProfile(spec), model, queryPrefix, textPrefix, maxCharacters, batch: BATCH },
    ask(texts, spend) {
      const request: Send<Float32Array[]> = async (_, signal) => {
        const inputs = { text: [...texts], ...(pooling !== null && { pooling }) };
        const answer = await orEnded(signal, run(model, inputs, { signal })).catch((error: unknown) => {
          throw asApiError(error);
        });
        const { success, data: read } = answerSchema.safeParse(answer);
        if (!success || read.data.length !== texts.length) throw new MalformedAnswer('the answer holds no vectors');
        if (pooling !== null && read.pooling !== undefined && read.pooling !== pooling) {
          throw new MalformedAnswer('the vectors are of another pooling');
        }
        return read.data.map(direction);
      };
      return endpoint.call(texts, request, spend);
    },
  });
}

/** The promise, or a rejection once the signal is aborted, for a binding that does not heed it. */
function orEnded<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** An error of the binding in the form that failures of endpoints are told apart by; others as they are. */
function asApiError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const status = workersAiStatus(error);
  if (status === null) return error;
  const { message } = error;
  return new APIError(status.http, { message, code: status.isQuota ? 'insufficient_quota' : null }, message, undefined);
}
