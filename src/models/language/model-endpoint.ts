import { APIError, OpenAI } from 'openai';
import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { ListenerFailure, MalformedAnswer, ModelCallError, type ModelFailure, ModelRefusal } from '../errors.ts';
import { safeCause } from './safe-cause.ts';
import type { Tally } from './usage.ts';

interface RequestFailure {
  readonly failure: ModelFailure;
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean;
  /** Whether other requests would fail as well. */
  readonly isFatal: boolean;
  readonly status: number | null;
  readonly retryAfter: number | null;
}

const QUOTA = new Set(['insufficient_quota', 'billing_hard_limit_reached']);
const PASSING = { isPassing: true, isFatal: false, status: null, retryAfter: null };
const FINAL = { ...PASSING, isPassing: false };

function classifyFailure(error: unknown): RequestFailure {
  if (error instanceof ModelRefusal) return { ...FINAL, failure: 'refused' };
  if (error instanceof MalformedAnswer || error instanceof SyntaxError) return { ...PASSING, failure: 'malformed' };
  return (error instanceof APIError ? answeredFailure(error) : null) ?? { ...PASSING, failure: 'unreachable' };
}

function answeredFailure({ status, code, type, headers, error }: APIError): RequestFailure | null {
  const names = [code, type].map(String);
  if (status === 402 || names.some((name) => QUOTA.has(name))) {
    return { ...FINAL, failure: 'quota', status: status ?? null, isFatal: true };
  }
  const passing = { ...PASSING, status: status ?? null, retryAfter: retryAfter(headers) };
  if (status === undefined) {
    if (error === undefined) return null;
    return { ...passing, failure: names.some((name) => name.startsWith('rate_limit')) ? 'rate-limited' : 'server' };
  }
  if (status === 429) return { ...passing, failure: 'rate-limited' };
  if (status === 408) return { ...passing, failure: 'timeout' };
  if (status === 409 || status >= 500) return { ...passing, failure: 'server' };
  if (status < 400) return { ...passing, failure: 'malformed' };
  // Key, model and address stay wrong; another request may be accepted.
  return { ...FINAL, failure: 'refused', status, isFatal: [401, 403, 404].includes(status) };
}

/** Gives error answers OpenAI's form; of other forms the SDK would keep nothing. */
function explainedErrors(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.status < 400) return response;
    const text = await response.text().catch(() => '');
    const headers = new Headers(response.headers);
    headers.set('content-type', 'application/json');
    const body = /"error"\s*:\s*\{/.test(text) ? text : JSON.stringify({ error: { message: text } });
    return new Response(body, { status: response.status, headers });
  };
}

const WORDS: Readonly<Record<ModelFailure, string>> = {
  timeout: 'The language model did not answer in time',
  'rate-limited': 'The language model takes no more requests for now',
  quota: 'The quota at the language model is used up',
  refused: 'The language model did not accept the request',
  unreachable: 'The language model could not be reached, or the connection broke',
  server: 'The server of the language model failed',
  malformed: 'The language model answered in a form that could not be read',
  cancelled: 'The call of the language model was cancelled',
};

const WORDS_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'The language model did not accept the key',
  403: 'The language model did not accept the key, or not for this model',
  404: 'The model, or the address of the language model, is not known there',
};

/** A message for the caller of the API, without the server's words. */
function failureMessage({ failure, status }: RequestFailure, requests: number, error: unknown): string {
  const ofStatus = failure === 'refused' && status !== null ? WORDS_OF_STATUS[status] : undefined;
  const what = error instanceof ModelRefusal ? 'The language model refused to answer' : (ofStatus ?? WORDS[failure]);
  const http = status === null ? '' : ` (HTTP ${status})`;
  return `${what}${http}, after ${requests} ${requests === 1 ? 'request' : 'requests'}.`;
}

type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const waitByTimer: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) leave();
  });

export interface EndpointOptions {
  readonly apiKey: string | null;
  readonly baseUrl?: string | undefined;
  /** Milliseconds for a call with retries and waits, excluding the queue. An attempt may take half of it. */
  readonly callMilliseconds: number;
  readonly attempts: number;
  readonly concurrency: number;
  readonly random?: (() => number) | undefined;
  readonly wait?: Wait | undefined;
  readonly fetch?: typeof fetch | undefined;
}

interface EndpointCall<T> {
  readonly send: (client: OpenAI, signal: AbortSignal) => Promise<T>;
  readonly tally: Tally;
  /** Texts of the request, which no error may repeat. */
  readonly sent: readonly string[];
  /** Called if the server refuses the request (400, 422); returns whether the next `send` will differ. */
  readonly concede?: ((refusal: APIError) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const MAX_CONCESSIONS = 6;
const NO_KEY = 'none';
const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

const TIMED_OUT: RequestFailure = { ...PASSING, failure: 'timeout' };
const CANCELLED: RequestFailure = { ...FINAL, failure: 'cancelled', isFatal: true };

/** A server that speaks OpenAI's API: calls retry transient failures, with bounded concurrency. */
export function modelEndpoint(options: EndpointOptions) {
  const { apiKey, callMilliseconds, attempts, random = Math.random, wait = waitByTimer } = options;
  const limit = pLimit(options.concurrency);
  const client = new OpenAI({
    apiKey: apiKey ?? NO_KEY,
    baseURL: options.baseUrl ?? DEFAULT_BASE_URL,
    // Environment variables about another account do not apply to this server.
    organization: null,
    project: null,
    adminAPIKey: null,
    maxRetries: 0,
    // The signal of each attempt ends it, and its body, earlier.
    timeout: callMilliseconds + 60_000,
    // The SDK would log answers to the console.
    logLevel: 'off',
    fetch: explainedErrors(options.fetch ?? fetch),
  });

  return {
    /** @throws ModelCallError with the tally's usage; the cause of a `ListenerFailure` as it is */
    async call<T>({ send, tally, sent, concede, signal }: EndpointCall<T>): Promise<T> {
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
        if (isRefusal && failure.failure === 'refused' && concessions < MAX_CONCESSIONS && spent < callMilliseconds) {
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

/** Runs work in a free slot. An aborted signal ends the wait (rejecting with its reason) but not running work. */
function withSlot<T>(limit: LimitFunction, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return limit(work);
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    void limit(async () => {
      signal.removeEventListener('abort', leave);
      // An aborted caller has been rejected already; the slot is free.
      if (!signal.aborted) await work().then(resolve, reject);
    });
  });
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown; readonly isLate: boolean };

async function withDeadline<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  try {
    return { value: await work(signal === undefined ? late.signal : AbortSignal.any([late.signal, signal])) };
  } catch (error) {
    return { error, isLate: late.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds before the second attempt, before jitter. */
const FIRST = 500;
const LONGEST = 8_000;
const MAX_ASKED_LENGTH = 20_000;

function retryDelay(failures: number, asked: number | null, random: () => number): number {
  if (asked !== null) return Math.min(asked, MAX_ASKED_LENGTH);
  return Math.min(FIRST * 2 ** (failures - 1), LONGEST) * (0.5 + random() / 2);
}

/** Milliseconds an answer asks to wait (`retry-after-ms`, or `retry-after` in seconds or as a date); null for none. */
export function retryAfter(headers: Headers | undefined, now: number = Date.now()): number | null {
  const numberIn = (header: string): number => {
    const value = headers?.get(header) ?? '';
    return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : Number.NaN;
  };
  const date = Date.parse(headers?.get('retry-after') ?? '');
  const asked = [numberIn('retry-after-ms'), 1000 * numberIn('retry-after'), Math.max(0, date - now)];
  return asked.find((milliseconds) => !Number.isNaN(milliseconds)) ?? null;
}

/** An address for logs, without credentials and query, which may contain keys. */
export function shownAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
