import { type Calls, type Listing, path, query } from './calls.ts';
import { pause, startDeadline } from './deadline.ts';
import {
  ConnectionError,
  DigestCancelledError,
  DigestFailedError,
  TesseraClientError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { RawEvent } from './parse-events.ts';
import { PATIENCE } from './settings.ts';
import { readEvents, STREAM } from './stream-events.ts';
import { type Call, parseJson, readJson, retryDelay, type Transport } from './transport.ts';
import {
  type CallOptions,
  type CancelledDigest,
  type DigestEntry,
  type DigestEvent,
  type DigestInput,
  type DigestPart,
  type DigestState,
  type DigestWith,
  isFinished,
  type KeptRequest,
  type ListOptions,
  type PartsOptions,
  type PendingDigest,
  type PostOptions,
  type SourceText,
  type UnfinishedDigest,
} from './types.ts';

/** Known events; others, of later versions of the service, are skipped. */
const TOLD: readonly string[] = ['accepted', 'progress', 'sentence', 'digest'] satisfies DigestEvent['event'][];

/**
 * Reads an event of a stream; null for an unknown kind.
 *
 * @throws DigestFailedError, DigestCancelledError for a digest that ended without an answer
 * @throws UnexpectedAnswerError for invalid JSON
 */
function digestEvent({ event, data: text }: RawEvent, id: number | null, digest: string | null): DigestEvent | null {
  if (event === 'cancelled') throw new DigestCancelledError(digest);
  if (event !== 'error' && !TOLD.includes(event)) return null;
  const data = parseJson(text);
  if (data === undefined) throw new UnexpectedAnswerError(`The data of an event "${event}" is not JSON`);
  if (event === 'error') throw new DigestFailedError(digest, data);
  return { event, id, data } as DigestEvent;
}

/**
 * The digest of an answer; null if it is under way.
 *
 * @throws DigestFailedError, DigestCancelledError if there will be none
 */
function finishedDigest<Finished extends DigestWith<never>>(state: Finished | UnfinishedDigest): Finished | null {
  if (isFinished(state)) return state;
  if (state.status === 'failed') throw new DigestFailedError(state.id, state.error ?? null);
  if (state.status === 'cancelled') throw new DigestCancelledError(state.id);
  return null;
}

/** A connection that lasted so many milliseconds resets the count of attempts, even without an event. */
const GOOD = 10_000;

/**
 * The events of a digest, each once and in order, until it is finished. A broken connection is resumed after the last event,
 * until as many attempts in a row as a call has brought none.
 *
 * @param start the digest's id, or the call that makes it
 * @throws DigestFailedError, DigestCancelledError if the digest ends without an answer
 * @throws ConnectionError if the attempts are used up; other errors like any call
 */
async function* followDigest(
  { open, maxRetries }: Transport,
  start: string | Call,
  signal: AbortSignal | undefined,
  parts: PartsOptions<DigestPart> = {},
): AsyncGenerator<DigestEvent, void, undefined> {
  let digest = typeof start === 'string' ? start : null;
  let next = typeof start === 'string' ? resume(start, 0, parts) : start;
  let last = 0;
  let failures = 0;
  for (;;) {
    const response = await open({ ...next, headers: { ...next.headers, accept: STREAM }, signal });
    const began = Date.now();
    digest ??= idOf(response);
    try {
      for await (const raw of isStream(response) ? readEvents(response, signal) : stateEvents(response, signal)) {
        const id = raw.id !== null && /^\d+$/.test(raw.id) ? Number(raw.id) : null;
        if (id !== null && id <= last) continue;
        last = id ?? last;
        failures = 0;
        const event = digestEvent(raw, id, digest);
        if (event === null) continue;
        if (event.event === 'accepted') digest = event.data.id;
        yield event;
        if (event.event === 'digest') return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    failures = Date.now() - began < GOOD ? failures + 1 : 1;
    if (failures > maxRetries) {
      throw new ConnectionError(
        `The events of ${digest ?? 'a digest'} broke off ${failures === 1 ? 'once' : `${failures} times`} without a new one`,
      );
    }
    // Without an id the same call is repeated; its idempotency key makes it the same digest.
    if (digest !== null) next = resume(digest, last, parts);
    await pause(retryDelay(failures), signal);
  }
}

function resume(digest: string, last: number, parts: PartsOptions<DigestPart>): Call {
  const headers = last > 0 ? { 'last-event-id': String(last) } : {};
  return { method: 'GET', path: path`/v1/digests/${digest}` + partsQuery(parts), headers };
}

function partsQuery({ include, receipts = false }: PartsOptions<DigestPart>): string {
  return query({ include: receipts ? [...(include ?? []), 'receipts'].join(',') : include?.join(',') });
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith(STREAM) === true;
}

function idOf({ headers }: Response): string | null {
  const segment = headers.get('location')?.match(/\/v1\/digests\/([^/?#]+)$/)?.[1];
  return segment === undefined ? null : decodeURIComponent(segment);
}

/** The last event of a digest that the service answers without a stream, because it stores no events of it. */
async function* stateEvents(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawEvent, void, undefined> {
  const answer = await readJson<DigestState>(response, signal).catch((error: unknown) => {
    if (signal?.aborted || error instanceof TesseraClientError) throw error;
    throw new ConnectionError('The connection broke within a digest');
  });
  const digest = finishedDigest(answer.body);
  if (digest !== null) yield { event: 'digest', id: null, data: JSON.stringify(digest) };
}

/** Milliseconds between polls, growing from the first to the longest. */
const POLL = { first: 500, longest: 8_000 };

export interface WaitOptions extends CallOptions {
  /** Default: until the digest ends. */
  readonly timeoutMilliseconds?: number | undefined;
}

export interface ListDigestsOptions extends ListOptions {
  readonly status?: DigestEntry['status'] | undefined;
}

export type DigestsClient = ReturnType<typeof digestsClient>;

export function digestsClient(transport: Transport, { get: read, post, list }: Calls) {
  const { send, timeoutMilliseconds } = transport;

  /** A digest in any state. */
  async function get<Part extends DigestPart = DigestPart>(
    id: string,
    options: CallOptions & PartsOptions<Part> = {},
  ): Promise<DigestWith<Part> | UnfinishedDigest> {
    return read(path`/v1/digests/${id}` + partsQuery(options), { signal: options.signal });
  }

  /**
   * Waits until a digest is finished.
   *
   * @throws DigestFailedError, DigestCancelledError if it ends without an answer, TimeoutError if it takes too long
   */
  async function wait<Part extends DigestPart = DigestPart>(
    id: string,
    { signal, timeoutMilliseconds: most, ...parts }: WaitOptions & PartsOptions<Part> = {},
  ): Promise<DigestWith<Part>> {
    const late = (): Error => new TimeoutError(`The digest ${id} took longer than ${most} ms`);
    const limit = startDeadline(most, late, signal);
    try {
      return await watch(id, parts, limit.signal);
    } finally {
      limit.end();
    }
  }

  /** By the stream of events, or by polling if a proxy lets no stream through. */
  async function watch<Part extends DigestPart>(
    id: string,
    parts: PartsOptions<Part>,
    signal: AbortSignal,
  ): Promise<DigestWith<Part>> {
    try {
      for await (const { event, data } of followDigest(transport, id, signal, parts))
        if (event === 'digest') return data;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    for (let milliseconds = POLL.first; ; milliseconds = Math.min(milliseconds * 1.5, POLL.longest)) {
      const digest = finishedDigest(await get(id, { ...parts, signal }));
      if (digest !== null) return digest;
      await pause(milliseconds, signal);
    }
  }

  return {
    /**
     * Makes a digest and waits for it, even longer than the service lets a request wait.
     *
     * @throws DigestFailedError, DigestCancelledError if it ends without an answer
     */
    async create<Part extends DigestPart = DigestPart>(
      request: DigestInput,
      options: PostOptions & PartsOptions<Part> = {},
    ): Promise<DigestWith<Part>> {
      const { include, receipts, signal } = options;
      const at = `/v1/digests${partsQuery(options)}`;
      const headers = waitWithin(timeoutMilliseconds);
      const state = await post<DigestWith<Part> | UnfinishedDigest>(at, request, options, headers);
      return finishedDigest(state) ?? (await wait(state.id, { include, receipts, signal }));
    },
    /** Requests a digest without waiting for it. */
    submit: async (request: DigestInput, options?: PostOptions): Promise<PendingDigest> =>
      post('/v1/digests', request, options, { prefer: 'respond-async' }),
    /**
     * Makes a digest and streams its events; `digest` is the last. The request is sent when the first event is read. A broken
     * connection is resumed without losing or repeating an event. Leaving the loop does not cancel the digest.
     *
     * @throws DigestFailedError, DigestCancelledError if it ends without an answer
     */
    stream(
      body: DigestInput,
      { signal, idempotencyKey = crypto.randomUUID() }: PostOptions = {},
    ): AsyncIterable<DigestEvent> {
      const create: Call = { method: 'POST', path: '/v1/digests', body, signal, idempotencyKey };
      return followDigest(transport, create, signal);
    },
    /** Streams the events of an earlier request from its beginning. */
    follow: (id: string, { signal }: CallOptions = {}): AsyncIterable<DigestEvent> =>
      followDigest(transport, id, signal),
    get,
    wait,
    /** Cancels a digest that is under way; one that has ended is unchanged. Returns its state. */
    async cancel(id: string, options: CallOptions = {}): Promise<DigestState> {
      const state = await get(id, options);
      if (isFinished(state) || state.status === 'failed' || state.status === 'cancelled') return state;
      const { status, body } = await send<CancelledDigest>(remove(id, options));
      // The answer was lost, and a retry deleted the cancelled digest.
      return status === 200 ? body : { ...state, status: 'cancelled', progress: null };
    },
    /** Retries a failed digest under its id, without waiting for it. */
    retry: async (id: string, options?: PostOptions): Promise<PendingDigest> =>
      post(path`/v1/digests/${id}/retry`, {}, options),
    /** Deletes a digest, cancelling it first if it is under way. */
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      const { status } = await send(remove(id, options));
      if (status === 200) await send(remove(id, options));
    },
    list: ({ status, ...options }: ListDigestsOptions = {}): Listing<DigestEntry> =>
      list(() => '/v1/digests', 'digests', options, { status }),
    /** Every key point of a digest, selected or not. */
    keyPoints: (id: string, options: ListOptions = {}): Listing<DigestWith<'keyPoints'>['keyPoints'][number]> =>
      list(() => path`/v1/digests/${id}/key-points`, 'keyPoints', options),
    /** The request of a digest, with its documents without their texts. */
    request: async (id: string, options?: CallOptions): Promise<KeptRequest> =>
      read(path`/v1/digests/${id}/request`, options),
    /** A document with the text that the offsets of the digest refer to. */
    document: async (id: string, document: string, options?: CallOptions): Promise<SourceText> =>
      read(path`/v1/digests/${id}/documents/${document}`, options),
  };
}

/** Headers that ask the service to answer before the attempt times out, if that is earlier than its own limit. */
function waitWithin(milliseconds: number): Call['headers'] {
  if (milliseconds >= PATIENCE) return undefined;
  const seconds = Math.floor((milliseconds / 1000) * 0.8);
  return { prefer: seconds < 1 ? 'respond-async' : `wait=${seconds}` };
}

const remove = (id: string, { signal }: CallOptions): Call => ({
  method: 'DELETE',
  path: path`/v1/digests/${id}`,
  signal,
});
