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

/** The error for an answer that is no success; `call` names the call in its message. */
function answerError(call: string, { status, headers }: Response, text: string): TesseraClientError {
  const problem = readProblem(text);
  const facts = { status, problem, requestId: headers.get('x-request-id'), retryAfterSeconds: secondsOf(headers) };
  const words = (problem?.detail || problem?.title || 'it gave no reason').slice(0, MAX_DETAIL);
  const message = `${call} was answered with ${status}: ${words}`;
  if (status === 401) return new AuthenticationError(message, facts);
  if (status === 403) return new PermissionError(message, facts);
  if (status === 404) return new NotFoundError(message, facts);
  if (status === 409) return new ConflictError(message, facts);
  if (status === 429) return new RateLimitError(message, facts);
  if (status === 503) return new OverloadedError(message, facts);
  if ([400, 413, 415, 422].includes(status)) return new ValidationError(message, facts);
  if (status >= 500) return new ServerError(message, facts);
  return new UnexpectedAnswerError(message, facts);
}

function secondsOf(headers: Headers): number | null {
  const milliseconds = retryAfter(headers);
  return milliseconds === null ? null : milliseconds / 1000;
}

/** The problem that a body holds; null where it holds none, as the page of a proxy. */
function readProblem(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : null;
  } catch {
    return null;
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  return (
    typeof fields.type === 'string' &&
    [fields.title, fields.detail].every((words) => words === undefined || typeof words === 'string') &&
    (fields.errors === undefined || Array.isArray(fields.errors))
  );
}

/** A shorter key is found in any text, and no secret. */
const SHORTEST = 6;

/** A text with the key hidden, should somebody have repeated it. */
function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < SHORTEST) return text;
  return text.replaceAll(key, '[hidden]').replaceAll(JSON.stringify(key).slice(1, -1), '[hidden]');
}

/** What may be shown of an error of the runtime: its name and words, and the code beneath, such as ECONNREFUSED. */
function safeCause(error: unknown, key: string | undefined): Error {
  const words: string[] = [];
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    words.push('code' in cause && typeof cause.code === 'string' ? cause.code : cause.message);
  }
  const safe = new Error(withoutKey(words.join(': '), key));
  if (error instanceof Error) safe.name = error.name;
  return safe;
}

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
const MIN_WAITED = 100;

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
        if (!isInFlight && (!isTransient(error) || ++failures > maxRetries)) throw error;
        mayBeDone ||= !isRefused(error);
        const { retryAfterSeconds: seconds } = error;
        const delay = retryDelay(isInFlight ? 1 : failures, seconds === null ? null : seconds * 1000);
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
function isTransient(error: TesseraClientError): boolean {
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

/** An answer whose body was read. */
interface Answer<Body> {
  readonly status: number;
  /** Undefined in fact where there is none: whoever calls knows which answers have one. */
  readonly body: Body;
}

/**
 * Reads an answer's JSON; whoever calls says what the service answers with. It is rejected as the body is where that breaks.
 *
 * @throws UnexpectedAnswerError where it is no JSON object
 */
export async function readJson<Body>(response: Response, signal: AbortSignal | undefined): Promise<Answer<Body>> {
  const { status, headers } = response;
  const text = await unlessAborted(response.text(), signal);
  const body = parse(text);
  if (status !== 204 && (typeof body !== 'object' || body === null)) {
    const facts = { status, requestId: headers.get('x-request-id') };
    throw new UnexpectedAnswerError(`The body of an answer with ${status} is not a JSON object`, facts);
  }
  return { status, body };
}

/** The value of a text; undefined where it is not JSON. */
function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds before the second attempt, before jitter. */
const FIRST_DELAY = 500;
/** Max milliseconds between attempts, before jitter. */
const MAX_DELAY = 8_000;
/** Most milliseconds that the service may ask to wait. */
const MAX_ASKED_LENGTH = 60_000;

/**
 * Milliseconds to wait after so many failures: as long as the service asks and up to a quarter more, else exponentially
 * more with jitter, so that clients that failed together do not come back together.
 */
export function retryDelay(failures: number, asked: number | null = null): number {
  if (asked !== null) return Math.min(asked, MAX_ASKED_LENGTH) * (1 + Math.random() / 4);
  return Math.min(FIRST_DELAY * 2 ** (failures - 1), MAX_DELAY) * (0.5 + Math.random() / 2);
}

/** Milliseconds that an answer asks to wait, told in seconds or as a date; null for none. */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
