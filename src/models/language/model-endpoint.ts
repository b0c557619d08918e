import { APIError, OpenAI } from 'openai';
import pLimit from 'p-limit';
import { ListenerFailure } from './answer-failures.ts';
import { classifyFailure, type RequestFailure } from './classify-failure.ts';
import { explainedErrors } from './explained-errors.ts';
import { failureMessage } from './failure-message.ts';
import { ModelCallError } from './model-call-error.ts';
import { retryDelay } from './retry-delay.ts';
import { safeCause } from './safe-cause.ts';
import type { Tally } from './tally.ts';
import { type Wait, waitByTimer } from './wait.ts';
import { withDeadline } from './with-deadline.ts';
import { withSlot } from './with-slot.ts';

export interface EndpointOptions {
  /** Null for servers that want none. */
  readonly apiKey: string | null;
  /** Up to and with `/v1`; OpenAI's own where there is none. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds for a whole call, with retries and waits but without the time in the queue; an attempt takes half of it
   * at most. */
  readonly callMilliseconds: number;
  /** Attempts in all, at least one. */
  readonly attempts: number;
  /** Most requests under way at once. */
  readonly concurrency: number;
  /** From [0, 1), for the jitter. */
  readonly random?: (() => number) | undefined;
  readonly wait?: Wait | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** A call of an endpoint: one request, and again where that may help. */
export interface EndpointCall<T> {
  /** Makes one HTTP request; an aborted signal ends it. */
  readonly send: (client: OpenAI, signal: AbortSignal) => Promise<T>;
  /** Counts the requests. */
  readonly tally: Tally;
  /** Texts of the request, which no error may repeat. */
  readonly sent: readonly string[];
  /** Told why the server did not accept the request (400, 422): whether the next `send` makes one that it may accept. */
  readonly concede?: ((refusal: APIError) => boolean) | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** A server that speaks OpenAI's API: calls of it persist through failures that pass, a bounded number at once. */
export interface ModelEndpoint {
  /** @throws ModelCallError with the tally's usage; what a `ListenerFailure` was caused by as it is */
  call<T>(call: EndpointCall<T>): Promise<T>;
}

/** Most requests of one call that make a concession. */
const MOST_CONCESSIONS = 6;
/** The SDK does not go without. */
const NO_KEY = 'none';
const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

const TIMED_OUT = { failure: 'timeout', isPassing: true, isFatal: false, status: null, retryAfter: null } as const;
const CANCELLED = { failure: 'cancelled', isPassing: false, isFatal: true, status: null, retryAfter: null } as const;

export function modelEndpoint(options: EndpointOptions): ModelEndpoint {
  const { apiKey, callMilliseconds, attempts, random = Math.random, wait = waitByTimer } = options;
  const limit = pLimit(options.concurrency);
  const client = new OpenAI({
    apiKey: apiKey ?? NO_KEY,
    baseURL: options.baseUrl ?? DEFAULT_BASE_URL,
    // What the environment says of another account is not for this server.
    organization: null,
    project: null,
    adminAPIKey: null,
    maxRetries: 0,
    // The signal of each attempt ends it, and its body, sooner.
    timeout: callMilliseconds + 60_000,
    // Its logger would write what models answer to the console.
    logLevel: 'off',
    fetch: explainedErrors(options.fetch ?? fetch),
  });

  return {
    async call({ send, tally, sent, concede, signal }) {
      let spent = 0;
      let failures = 0;
      let concessions = 0;
      const failed = (failure: RequestFailure, error: unknown): ModelCallError => {
        const cause = safeCause(error, apiKey ?? '', sent);
        const message = failureMessage(failure, tally.requests, error);
        return new ModelCallError(failure.failure, message, tally.usage(), { cause, isFatal: failure.isFatal });
      };
      for (;;) {
        const attempt = await withSlot(limit, signal, async () => {
          const started = performance.now();
          tally.requests++;
          const most = Math.min(callMilliseconds / 2, callMilliseconds - spent);
          const outcome = await withDeadline(most, signal, (ended) => send(client, ended));
          spent += performance.now() - started;
          return outcome;
        }).catch((reason: unknown) => {
          throw failed(CANCELLED, reason);
        });
        if ('value' in attempt) return attempt.value;
        const { error, isLate } = attempt;
        if (error instanceof ListenerFailure) throw error.cause;
        if (signal?.aborted) throw failed(CANCELLED, error);
        const failure = isLate ? TIMED_OUT : classifyFailure(error);

        const isRefusal = error instanceof APIError && (error.status === 400 || error.status === 422) && !isLate;
        if (isRefusal && failure.failure === 'refused' && concessions < MOST_CONCESSIONS && spent < callMilliseconds) {
          concessions++;
          if (concede?.(error)) continue;
        }
        failures++;
        if (!failure.isPassing || failures >= attempts) throw failed(failure, error);
        const delay = retryDelay(failures, failure.retryAfter, random);
        if (spent + delay >= callMilliseconds) throw failed(failure, error);
        const waited = performance.now();
        await wait(delay, signal).catch((reason: unknown) => {
          throw failed(signal?.aborted ? CANCELLED : failure, reason);
        });
        spent += performance.now() - waited;
      }
    },
  };
}
