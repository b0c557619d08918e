import { answerError } from './answer-error.ts';
import { pause, startDeadline, unlessAborted } from './deadline.ts';
import { ConnectionError, TesseraClientError, TimeoutError } from './errors.ts';
import { type Answer, readJson } from './read-json.ts';
import { retryDelay } from './retry-delay.ts';
import type { Settings } from './settings.ts';
import { safeCause, withoutKey } from './without-key.ts';

/** What is asked of the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the base on, with a query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of a POST; one is made up where it is absent, and none is sent where it is null: for calls that make nothing. */
  readonly idempotencyKey?: string | null | undefined;
}

/** Calls the service. Both are rejected with a TesseraClientError, or with the reason of the caller's signal. */
export interface Transport {
  readonly maxRetries: number;
  /** How long one attempt may take. */
  readonly timeoutMilliseconds: number;
  /** Calls and reads JSON; undefined where there is no body. Whoever calls says what the service answers with. */
  send<Body>(call: Call): Promise<Answer<Body>>;
  /** Calls and answers as soon as a successful answer begins. */
  open(call: Call): Promise<Response>;
}

/** Takes what is wanted of a successful answer. */
type Read<T> = (response: Response, signal: AbortSignal) => Promise<T>;

/** What a wait counts for at least, so that waits without length come to an end. */
const LEAST_WAITED = 100;

/** Calls the service with retries: a POST keeps its idempotency key over them, so that nothing is done twice. */
export function createTransport(settings: Settings): Transport {
  const { base, apiKey, fetch, maxRetries, timeoutMilliseconds } = settings;

  async function call<T>(asked: Call, read: Read<T>): Promise<T> {
    const { signal } = asked;
    const init = initOf(asked, apiKey);
    /** Milliseconds that were spent on waiting for the first call with this idempotency key. */
    let waited = 0;
    let failures = 0;
    let mayBeDone = false;
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await attempt(asked, init, read, mayBeDone);
      } catch (error) {
        if (!(error instanceof TesseraClientError)) throw error;
        // The work is being done: that is no attempt lost.
        const isInFlight = isOfCode(error, 'idempotency-key-in-flight') && waited < timeoutMilliseconds;
        if (!isInFlight && (!mayPass(error) || ++failures > maxRetries)) throw error;
        mayBeDone ||= !isRefused(error);
        const { retryAfterSeconds: seconds } = error;
        const delay = retryDelay(isInFlight ? 1 : failures, seconds === null ? null : seconds * 1000);
        if (isInFlight) waited += Math.max(delay, LEAST_WAITED);
        await pause(delay, signal);
      }
    }
  }

  async function attempt<T>(
    { method, path, signal }: Call,
    init: RequestInit,
    read: Read<T>,
    mayBeDone: boolean,
  ): Promise<T> {
    const name = `${method} ${path.replace(/\?.*$/, '')}`;
    const late = (): Error => new TimeoutError(`${name} took longer than ${timeoutMilliseconds} ms`);
    const limit = startDeadline(timeoutMilliseconds, late, signal);
    try {
      const response = await unlessAborted(fetch(base + path, { ...init, signal: limit.signal }), limit.signal);
      // What was deleted by an attempt whose answer was lost is gone now.
      const isGone = method === 'DELETE' && mayBeDone && response.status === 404;
      if (isGone) return await read(new Response(null, { status: 204 }), limit.signal);
      if (response.ok) return await read(response, limit.signal);
      const text = await unlessAborted(response.text(), limit.signal);
      throw answerError(name, response, withoutKey(text, apiKey));
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason;
      if (error instanceof TesseraClientError) throw error;
      const cause = safeCause(error, apiKey);
      throw new ConnectionError(`${name} failed: the connection could not be made, or broke`, { cause });
    } finally {
      limit.end();
    }
  }

  return {
    maxRetries,
    timeoutMilliseconds,
    send: <Body>(asked: Call) => call<Answer<Body>>(asked, readJson),
    open: (asked) => call(asked, async (response) => response),
  };
}

/** Whether another attempt may succeed. */
function mayPass(error: TesseraClientError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  return [408, 429, 500, 502, 503, 504].includes(error.status ?? 0);
}

/** Whether the service surely did nothing. */
function isRefused({ status }: TesseraClientError): boolean {
  return status === 429 || status === 503;
}

function isOfCode({ problem }: TesseraClientError, code: string): boolean {
  return problem?.type === `urn:tessera:problem:${code}`;
}

/** @throws TypeError for an idempotency key that the service does not take */
function initOf({ method, body, headers, idempotencyKey }: Call, apiKey: string | undefined): RequestInit {
  if (typeof idempotencyKey === 'string' && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
  }
  return {
    method,
    // The service does not redirect; the key goes nowhere else.
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
