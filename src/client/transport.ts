import { pause, startDeadline, unlessAborted } from './deadline.ts';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OverloadedError,
  PermissionError,
  RateLimitError,
  ServerError,
  TesseraClientError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.ts';
import type { Settings } from './settings.ts';
import type { Problem } from './types.ts';

/** Max characters of an answer in a message. */
const MAX_DETAIL = 500;

const ERRORS: Readonly<Record<number, typeof TesseraClientError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitError,
  503: OverloadedError,
};

function answerError(call: string, { status, headers }: Response, text: string): TesseraClientError {
  const problem = readProblem(text);
  const retryAfterSeconds = retryAfter(headers);
  const words = (problem?.detail || problem?.title || 'it gave no reason').slice(0, MAX_DETAIL);
  const Kind = errorOf(status);
  const facts = { status, problem, requestId: headers.get('x-request-id'), retryAfterSeconds };
  return new Kind(`${call} was answered with ${status}: ${words}`, facts);
}

export function errorOf(status: number): typeof TesseraClientError {
  return ERRORS[status] ?? (status >= 500 ? ServerError : UnexpectedAnswerError);
}

/** The problem in a body; null if there is none, as in the page of a proxy. */
function readProblem(text: string): Problem | null {
  const value = parseJson(text);
  if (typeof value?.type !== 'string') return null;
  const areWords = [value.title, value.detail].every((words) => words === undefined || typeof words === 'string');
  return areWords && (value.errors === undefined || Array.isArray(value.errors)) ? value : null;
}

/** A shorter key occurs in any text and is no secret. */
const SHORTEST = 6;

/** A text with the API key removed. */
function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < SHORTEST) return text;
  return text.replaceAll(key, '[hidden]').replaceAll(JSON.stringify(key).slice(1, -1), '[hidden]');
}

/** Name and messages of a runtime error with the codes beneath, such as ECONNREFUSED. */
function safeCause(error: unknown, key: string | undefined): Error {
  const words: string[] = [];
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    words.push('code' in cause && typeof cause.code === 'string' ? cause.code : cause.message);
  }
  const safe = new Error(withoutKey(words.join(': '), key));
  if (error instanceof Error) safe.name = error.name;
  return safe;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base, with a query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of a POST. Default: a random one; null sends none, for calls that create nothing. */
  readonly idempotencyKey?: string | null | undefined;
}

/** Both methods reject with a TesseraClientError, or with the reason of the caller's signal. */
export interface Transport {
  readonly maxRetries: number;
  readonly timeoutMilliseconds: number;
  /** Calls and reads JSON; the caller states its type. */
  send<Body>(call: Call): Promise<Answer<Body>>;
  /** Calls and resolves as soon as a successful answer begins. */
  open(call: Call): Promise<Response>;
}

type Read<T> = (response: Response, signal: AbortSignal) => Promise<T>;

const IN_FLIGHT = 'urn:tessera:problem:idempotency-key-in-flight';
/** Min milliseconds counted per wait, so that waits of zero come to an end. */
const MIN_WAITED = 100;

/** Retries keep the idempotency key of a POST, so that nothing is done twice. */
export function createTransport(settings: Settings): Transport {
  const { base, apiKey, fetch, maxRetries, timeoutMilliseconds } = settings;

  async function call<T>(asked: Call, read: Read<T>): Promise<T> {
    const { signal } = asked;
    const init = initOf(asked, apiKey);
    /** Milliseconds spent waiting for the first call with this idempotency key. */
    let waited = 0;
    let failures = 0;
    let mayBeDone = false;
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await attempt(asked, init, read, mayBeDone);
      } catch (error) {
        if (!(error instanceof TesseraClientError)) throw error;
        const { status, problem, retryAfterSeconds } = error;
        // The work is under way: this does not count as a failure.
        const isInFlight = problem?.type === IN_FLIGHT && waited < timeoutMilliseconds;
        if (!isInFlight && (!isTransient(error) || ++failures > maxRetries)) throw error;
        // With these the service certainly did nothing.
        mayBeDone ||= status !== 429 && status !== 503;
        const delay = retryDelay(isInFlight ? 1 : failures, retryAfterSeconds);
        if (isInFlight) waited += Math.max(delay, MIN_WAITED);
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
      // An earlier attempt, whose answer was lost, may have deleted it.
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

function isTransient(error: TesseraClientError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  return [408, 429, 500, 502, 503, 504].includes(error.status ?? 0);
}

/** @throws TypeError for an invalid idempotency key */
function initOf({ method, body, headers, idempotencyKey }: Call, apiKey: string | undefined): RequestInit {
  if (typeof idempotencyKey === 'string' && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters');
  }
  return {
    method,
    // The service never redirects, and the key must not go elsewhere.
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

interface Answer<Body> {
  readonly status: number;
  /** Undefined in fact if there is none: callers know which answers have one. */
  readonly body: Body;
}

/**
 * Reads an answer's JSON, of a type that the caller states.
 *
 * @throws UnexpectedAnswerError if it is no JSON object
 */
export async function readJson<Body>(response: Response, signal: AbortSignal | undefined): Promise<Answer<Body>> {
  const { status, headers } = response;
  const text = await unlessAborted(response.text(), signal);
  const body = parseJson(text);
  if (status !== 204 && (typeof body !== 'object' || body === null)) {
    const facts = { status, requestId: headers.get('x-request-id') };
    throw new UnexpectedAnswerError(`The body of an answer with ${status} is not a JSON object`, facts);
  }
  return { status, body };
}

/** The value of a JSON text, or undefined. */
export function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds before the first retry, before jitter. */
const FIRST_DELAY = 500;
/** Max milliseconds between attempts, before jitter. */
const MAX_DELAY = 8_000;
/** Max milliseconds of a Retry-After. */
const MAX_ASKED_LENGTH = 60_000;

/**
 * Milliseconds to wait after so many failures: as long as the service asks and up to a quarter more, else exponential with
 * jitter, so that clients that failed together do not return together.
 *
 * @param asked seconds
 */
export function retryDelay(failures: number, asked: number | null = null): number {
  if (asked !== null) return Math.min(1000 * asked, MAX_ASKED_LENGTH) * (1 + Math.random() / 4);
  return Math.min(FIRST_DELAY * 2 ** (failures - 1), MAX_DELAY) * (0.5 + Math.random() / 2);
}

/** Seconds of a Retry-After in seconds or as a date, or null. */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now) / 1000;
}
