import type { OpenAI } from 'openai';
import { ModelCallError } from '../language/model-call-error.ts';
import { type EndpointOptions, modelEndpoint } from '../language/model-endpoint.ts';
import { Tally } from '../language/tally.ts';
import type { CallUsage, Price } from '../language/usage.ts';
import type { Endpoint } from './encoder-specs.ts';

/** How endpoints are called: deadline of a call, attempts, and what tests put in place of network and time. */
export type EncoderTransport = Pick<EndpointOptions, 'callMilliseconds' | 'attempts' | 'random' | 'wait' | 'fetch'> & {
  /** By model. */
  readonly prices?: ReadonlyMap<string, Price> | undefined;
};

/** Told what calls took, failed ones with them. */
export type Spend = (usage: CallUsage) => void;

/** Most requests under way at once, of all who use an encoder. */
const CONCURRENCY = 4;

/** Makes one request and reads its answer. */
export type Send<T> = (client: OpenAI, signal: AbortSignal, tally: Tally) => Promise<T>;

/** Calls of one endpoint of an encoder or reranker, under the same policy as those of language models. */
interface EncoderEndpoint {
  /**
   * @param sent the texts of the request, which no error may repeat
   * @param spend told what the call took
   * @throws ModelCallError that names the model
   */
  call<T>(sent: readonly string[], send: Send<T>, spend: Spend): Promise<T>;
}

/** @param model the name that failures are told by */
export function encoderEndpoint(
  { baseUrl, apiKey }: Endpoint,
  model: string,
  transport: EncoderTransport,
): EncoderEndpoint {
  const endpoint = modelEndpoint({ ...transport, baseUrl, apiKey, concurrency: CONCURRENCY });
  return {
    async call(sent, send, spend) {
      const tally = new Tally(transport.prices?.get(model));
      try {
        return await endpoint.call({ send: (client, signal) => send(client, signal, tally), tally, sent });
      } catch (error) {
        if (!(error instanceof ModelCallError)) throw error;
        const { failure, message, usage, cause, isFatal } = error;
        throw new ModelCallError(failure, `The model "${model}" cannot be used: ${message}`, usage, { cause, isFatal });
      } finally {
        spend(tally.usage());
      }
    },
  };
}
