import { APIError } from 'openai';
import { z } from 'zod';
import { MalformedAnswer } from '../errors.ts';
import type { Encoder } from './encoder.ts';
import type { WorkersAiSpec } from './encoder-specs.ts';
import {
  direction,
  type EncoderTransport,
  encoderEndpoint,
  processingId,
  sentenceEncoder,
} from './endpoint-encoder.ts';

const ALLOCATION_USED = 3036;

/** Error codes by HTTP status (https://developers.cloudflare.com/workers-ai/platform/errors/); unknown models are final. */
const CODES: Readonly<Record<number, readonly number[]>> = {
  400: [3003, 3039],
  // Login missing: from Cloudflare's API, used in local development.
  401: [10_000],
  403: [3023, 3041, 5016, 5018],
  404: [3042, 5007],
  405: [5005, 5019],
  408: [3007, 3008],
  413: [3006],
  429: [ALLOCATION_USED, 3040],
};

export type RunModel = (
  model: string,
  inputs: { text: string[]; pooling?: 'mean' | 'cls' },
  options: { signal: AbortSignal },
) => Promise<unknown>;

/** Workers AI takes 100 texts, and bge-m3 60,000 tokens together. */
const BATCH = { texts: 100, characters: 50_000 };
const TRANSPORT: EncoderTransport = { callMilliseconds: 60_000, attempts: 3 };
const NOWHERE = { baseUrl: 'https://workers-ai.invalid', apiKey: null };

const answerSchema = z.object({ data: z.array(z.array(z.number())), pooling: z.string().optional().catch(undefined) });

/**
 * Sentence vectors of Workers AI, with the retry policy of other endpoints. Promise P6 is up to the server. Cost is unknown, since tokens
 * are not reported. Methods throw ModelCallError.
 */
export function workersAiEncoder(spec: WorkersAiSpec, run: RunModel, transport: EncoderTransport = TRANSPORT): Encoder {
  const { model, dimensions, pooling, queryPrefix, textPrefix, maxCharacters } = spec;
  // Without token counts, a price would make calls look free.
  const endpoint = encoderEndpoint(NOWHERE, model, { ...transport, prices: undefined });
  // Vectors of different poolings are not comparable.
  const kind = `${dimensions}${pooling === null ? '' : `/${pooling}`}`;
  return sentenceEncoder({
    id: `workers-ai/${model}/${kind}${processingId([queryPrefix, textPrefix, maxCharacters])}`,
    spec,
    batch: BATCH,
    ask: (texts, caller) =>
      endpoint.call(texts, caller, async (_, signal) => {
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
      }),
  });
}

/** Rejects once the signal is aborted, for a binding that ignores it. */
function orEnded<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

function asApiError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const code = Number(/^(\d{4,5}): /.exec(message)?.[1]);
  if (Number.isNaN(code) && name !== 'InferenceUpstreamError') return error;
  // Codes 5000 to 5999 concern the request, as far as published; others are unknown.
  const known = Object.keys(CODES)
    .map(Number)
    .find((status) => CODES[status].includes(code));
  const status = known ?? (code >= 5000 && code < 6000 ? 400 : undefined);
  const reason = { message, code: code === ALLOCATION_USED ? 'insufficient_quota' : null };
  return new APIError(status, reason, message, undefined);
}
