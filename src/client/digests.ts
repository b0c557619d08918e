import { pause, startDeadline, unlessAborted } from './deadline.ts';
import {
  ConnectionError,
  DigestCancelledError,
  DigestFailedError,
  TesseraClientError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
import { eventParser, type RawEvent } from './parse-events.ts';
import { type Listing, listing, path, query } from './paths.ts';
import { PATIENCE } from './settings.ts';
import { type Call, readJson, retryDelay, type Transport } from './transport.ts';
import {
  type CallOptions,
  type CancelledDigest,
  type DigestEntry,
  type DigestEvent,
  type DigestInput,
  type DigestMap,
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

/** Events that are told; later versions of the service may tell others, which are passed over. */
const TOLD: readonly string[] = ['accepted', 'progress', 'sentence', 'digest'] satisfies DigestEvent['event'][];

/**
 * What an event of a stream tells; null for a kind that is not known here.
 *
 * @throws DigestFailedError, DigestCancelledError for the end of a digest that is none
 * @throws UnexpectedAnswerError for what is not JSON
 */
function digestEvent({ event, data: text }: RawEvent, id: number | null, digest: string | null): DigestEvent | null {
  const isEnd = event === 'error' || event === 'cancelled';
  if (!isEnd && !TOLD.includes(event)) return null;
  const data = readData(event, text);
  if (event === 'error') throw new DigestFailedError(digest, data);
  if (event === 'cancelled') throw new DigestCancelledError(digest);
  return { event, id, data } as DigestEvent;
}

/**
 * The digest of an answer; null while it is under way.
 *
 * @throws DigestFailedError, DigestCancelledError where there will be none
 */
function finishedDigest<Finished extends DigestWith<never>>(state: Finished | UnfinishedDigest): Finished | null {
  if (isFinished(state)) return state;
  if (state.status === 'failed') throw new DigestFailedError(state.id, state.error ?? null);
  if (state.status === 'cancelled') throw new DigestCancelledError(state.id);
  return null;
}

/** The JSON of an event, which is as its name says. */
function readData(event: string, text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(`The data of an event "${event}" is not JSON`);
  }
}

/** The service writes a comment every 15 seconds; a connection that tells nothing for so many milliseconds is dead. */
const SILENCE = 60_000;

/**
 * The events of an answer, as they come, until the connection ends. It is closed when the reader stops.
 *
 * @throws ConnectionError where the connection breaks or falls silent, and the reason of an aborted signal
 */
async function* readEvents(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawEvent, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const parse = eventParser();
  try {
    for (;;) {
      const chunk = await nextChunk(reader, signal);
      if (chunk === null) return;
      yield* parse(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    // Not waited for: a broken stream may never say that it is closed.
    reader.cancel().catch(() => {});
  }
}

async function nextChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  const silence = startDeadline(SILENCE, () => new ConnectionError('The stream of events fell silent'), signal);
  try {
    const { done, value } = await unlessAborted(reader.read(), silence.signal);
    return done ? null : value;
  } catch {
    if (silence.signal.aborted) throw silence.signal.reason;
    throw new ConnectionError('The stream of events broke');
  } finally {
    silence.end();
  }
}

const STREAM = 'text/event-stream';
/** A connection that stood so many milliseconds was a good one, even where there was nothing to tell. */
const GOOD = 10_000;

/** Where a stream of events begins: a call that makes a digest, or the id of one. */
type Beginning =
  | { readonly create: Call }
  | { readonly id: string; readonly include?: readonly DigestPart[] | undefined };

/**
 * The events of a digest, each once and in order, until it is finished. A connection that breaks is taken up again after
 * the last event that came, until as many attempts in a row as a call has brought none.
 *
 * @throws DigestFailedError, DigestCancelledError where the digest ends without being one
 * @throws ConnectionError where the attempts are used up; other errors as any call's
 */
async function* followDigest(
  { open, maxRetries }: Transport,
  beginning: Beginning,
  signal: AbortSignal | undefined,
): AsyncGenerator<DigestEvent, void, undefined> {
  const include = 'id' in beginning ? beginning.include : undefined;
  let next = 'id' in beginning ? resume(beginning.id, 0, include) : beginning.create;
  let digest = 'id' in beginning ? beginning.id : null;
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
      throw new ConnectionError(`The events of ${digest ?? 'a digest'} broke off ${failures} times without a new one`);
    }
    // Without an id the same call is made again: its idempotency key makes it the same digest.
    if (digest !== null) next = resume(digest, last, include);
    await pause(retryDelay(failures), signal);
  }
}

/** The call that tells what came after an event. */
function resume(digest: string, last: number, include?: readonly DigestPart[]): Call {
  const headers = last > 0 ? { 'last-event-id': String(last) } : {};
  return { method: 'GET', path: path`/v1/digests/${digest}` + partsQuery(include), headers };
}

/** Which parts of a digest are wanted, as a query. */
function partsQuery(include: readonly DigestPart[] | undefined): string {
  return query({ include: include?.join(',') });
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith(STREAM) === true;
}

/** The id that an answer's address ends with. */
function idOf({ headers }: Response): string | null {
  const segment = headers.get('location')?.match(/\/v1\/digests\/([^/?#]+)$/)?.[1];
  return segment === undefined ? null : decodeURIComponent(segment);
}

/** The end of a digest as an event, from an answer that is no stream: the service may have the digest, and no events. */
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

/** Milliseconds between the first looks at a digest, and most between later ones. */
const POLL = { first: 500, longest: 8_000 };

export interface WaitOptions extends CallOptions {
  /** How long to wait; until the digest ends where it is absent. */
  readonly timeoutMilliseconds?: number | undefined;
}

export interface ListDigestsOptions extends ListOptions {
  readonly status?: DigestEntry['status'] | undefined;
}

export interface MapOptions extends CallOptions {
  /** Directions at most, from 2 to 50; 32 where it is absent. */
  readonly dimensions?: number | undefined;
}

/** Digests of documents. */
export interface DigestsClient {
  /**
   * Makes a digest and waits for it, also when it takes longer than the service lets a request wait.
   *
   * @throws DigestFailedError, DigestCancelledError where it ends without being one
   */
  create<Part extends DigestPart = DigestPart>(
    request: DigestInput,
    options?: PostOptions & PartsOptions<Part>,
  ): Promise<DigestWith<Part>>;
  /** Has a digest made, and does not wait for it. */
  submit(request: DigestInput, options?: PostOptions): Promise<PendingDigest>;
  /**
   * Makes a digest and tells of it while it is made; `digest` is the last event. The request is sent when the first
   * event is asked for. A broken connection is taken up again without losing or repeating an event. Who stops listening
   * does not cancel the digest.
   *
   * @throws DigestFailedError, DigestCancelledError where it ends without being one
   */
  stream(request: DigestInput, options?: PostOptions): AsyncIterable<DigestEvent>;
  /** Tells of a digest that was asked for before as `stream` does, from its beginning. */
  follow(id: string, options?: CallOptions): AsyncIterable<DigestEvent>;
  get<Part extends DigestPart = DigestPart>(
    id: string,
    options?: CallOptions & PartsOptions<Part>,
  ): Promise<DigestWith<Part> | UnfinishedDigest>;
  /**
   * Waits until a digest is finished.
   *
   * @throws DigestFailedError, DigestCancelledError where it ends without being one, TimeoutError where it takes too long
   */
  wait<Part extends DigestPart = DigestPart>(
    id: string,
    options?: WaitOptions & PartsOptions<Part>,
  ): Promise<DigestWith<Part>>;
  /** Gives up a digest that is under way, and tells what became of it: one that has ended by then is left as it is. */
  cancel(id: string, options?: CallOptions): Promise<DigestState>;
  /** Has a digest that failed made again, under its id, and does not wait for it. */
  retry(id: string, options?: PostOptions): Promise<PendingDigest>;
  /** Removes a digest; one that is under way is cancelled before. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** The digests of this key's tenant. */
  list(options?: ListDigestsOptions): Listing<DigestEntry>;
  /** Where the key points of a finished digest lie, in the directions in which they differ most. */
  map(id: string, options?: MapOptions): Promise<DigestMap>;
  /** The request that a digest was made by, or is to be, with its documents but their texts. */
  request(id: string, options?: CallOptions): Promise<KeptRequest>;
  /** A document with its text as the digest read it: what all its offsets point into. */
  document(id: string, document: string, options?: CallOptions): Promise<SourceText>;
}

export function digestsClient(transport: Transport): DigestsClient {
  const { send, timeoutMilliseconds } = transport;

  const post = (request: DigestInput, options: PostOptions & PartsOptions<DigestPart>, prefer?: string): Call => ({
    method: 'POST',
    path: `/v1/digests${partsQuery(options.include)}`,
    body: request,
    ...(prefer !== undefined && { headers: { prefer } }),
    signal: options.signal,
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
  });

  const read = async <Body>(at: string, signal: AbortSignal | undefined): Promise<Body> =>
    (await send<Body>({ method: 'GET', path: at, signal })).body;

  async function get<Part extends DigestPart = DigestPart>(
    id: string,
    { include, signal }: CallOptions & PartsOptions<Part> = {},
  ): Promise<DigestWith<Part> | UnfinishedDigest> {
    return read(path`/v1/digests/${id}` + partsQuery(include), signal);
  }

  async function wait<Part extends DigestPart = DigestPart>(
    id: string,
    { include, signal, timeoutMilliseconds: most }: WaitOptions & PartsOptions<Part> = {},
  ): Promise<DigestWith<Part>> {
    const late = (): Error => new TimeoutError(`The digest ${id} took longer than ${most} ms`);
    const limit = startDeadline(most, late, signal);
    try {
      return await watch(id, include, limit.signal);
    } finally {
      limit.end();
    }
  }

  /** By the stream of events; by looking from time to time where something on the way lets no stream through. */
  async function watch<Part extends DigestPart>(
    id: string,
    include: readonly Part[] | undefined,
    signal: AbortSignal,
  ): Promise<DigestWith<Part>> {
    try {
      for await (const { event, data } of followDigest(transport, { id, include }, signal))
        if (event === 'digest') return data;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    for (let milliseconds = POLL.first; ; milliseconds = Math.min(milliseconds * 1.5, POLL.longest)) {
      const digest = finishedDigest(await get(id, { include, signal }));
      if (digest !== null) return digest;
      await pause(milliseconds, signal);
    }
  }

  return {
    async create<Part extends DigestPart = DigestPart>(
      request: DigestInput,
      options: PostOptions & PartsOptions<Part> = {},
    ) {
      const { body } = await send<DigestWith<Part> | UnfinishedDigest>(
        post(request, options, waitWithin(timeoutMilliseconds)),
      );
      return finishedDigest(body) ?? (await wait(body.id, { include: options.include, signal: options.signal }));
    },
    async submit(request, options = {}) {
      return (await send<PendingDigest>(post(request, options, 'respond-async'))).body;
    },
    stream: (request, options = {}) => followDigest(transport, { create: post(request, options) }, options.signal),
    follow: (id, { signal } = {}) => followDigest(transport, { id }, signal),
    get,
    wait,
    async cancel(id, options = {}) {
      const state = await get(id, options);
      if (isFinished(state) || state.status === 'failed' || state.status === 'cancelled') return state;
      const { status, body } = await send<CancelledDigest>(remove(id, options));
      // Its answer was lost, and the next attempt removed the cancelled digest.
      return status === 200 ? body : { ...state, status: 'cancelled', progress: null };
    },
    async retry(id, { signal, idempotencyKey } = {}) {
      const at = path`/v1/digests/${id}/retry`;
      return (await send<PendingDigest>({ method: 'POST', path: at, body: {}, signal, idempotencyKey })).body;
    },
    async delete(id, options = {}) {
      const { status } = await send(remove(id, options));
      if (status === 200) await send(remove(id, options));
    },
    list({ limit, cursor: first, status, signal } = {}) {
      return listing(async (cursor) => {
        const { body } = await send<{ readonly digests: readonly DigestEntry[]; readonly next: string | null }>({
          method: 'GET',
          path: `/v1/digests${query({ limit, cursor, status })}`,
          signal,
        });
        return { items: body.digests, next: body.next };
      }, first);
    },
    // Rejected, not thrown, for an id that cannot be one.
    async map(id, { dimensions, signal } = {}) {
      return read(path`/v1/digests/${id}/map` + query({ dimensions }), signal);
    },
    async request(id, { signal } = {}) {
      return read(path`/v1/digests/${id}/request`, signal);
    },
    async document(id, document, { signal } = {}) {
      return read(path`/v1/digests/${id}/documents/${document}`, signal);
    },
  };
}

/** Asks the service to answer before an attempt is given up, where that is earlier than it would of its own. */
function waitWithin(milliseconds: number): string | undefined {
  if (milliseconds >= PATIENCE) return undefined;
  const seconds = Math.floor((milliseconds / 1000) * 0.8);
  return seconds < 1 ? 'respond-async' : `wait=${seconds}`;
}

const remove = (id: string, { signal }: CallOptions): Call => ({
  method: 'DELETE',
  path: path`/v1/digests/${id}`,
  signal,
});
