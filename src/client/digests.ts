import { pause, startDeadline } from './deadline.ts';
import { finishedDigest } from './digest-event.ts';
import { ConnectionError, TimeoutError } from './errors.ts';
import { followDigest } from './follow-digest.ts';
import { type Listing, listing } from './listing.ts';
import { path, query } from './path.ts';
import { PATIENCE } from './settings.ts';
import type { Call, Transport } from './transport.ts';
import type {
  CallOptions,
  CancelledDigest,
  Digest,
  DigestEntry,
  DigestEvent,
  DigestInput,
  DigestMap,
  DigestState,
  KeptRequest,
  ListOptions,
  PendingDigest,
  PostOptions,
  SourceText,
} from './types.ts';
import { isFinished } from './types.ts';

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
  create(request: DigestInput, options?: PostOptions): Promise<Digest>;
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
  get(id: string, options?: CallOptions): Promise<DigestState>;
  /**
   * Waits until a digest is finished.
   *
   * @throws DigestFailedError, DigestCancelledError where it ends without being one, TimeoutError where it takes too long
   */
  wait(id: string, options?: WaitOptions): Promise<Digest>;
  /** Gives up a digest that is under way, and tells what became of it: one that has ended by then is left as it is. */
  cancel(id: string, options?: CallOptions): Promise<DigestState>;
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

  const post = (request: DigestInput, options: PostOptions, prefer?: string): Call => ({
    method: 'POST',
    path: '/v1/digests',
    body: request,
    ...(prefer !== undefined && { headers: { prefer } }),
    signal: options.signal,
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
  });

  const read = async <Body>(at: string, signal: AbortSignal | undefined): Promise<Body> =>
    (await send<Body>({ method: 'GET', path: at, signal })).body;

  async function get(id: string, { signal }: CallOptions = {}): Promise<DigestState> {
    return read(path`/v1/digests/${id}`, signal);
  }

  async function wait(id: string, { signal, timeoutMilliseconds: most }: WaitOptions = {}): Promise<Digest> {
    const late = (): Error => new TimeoutError(`The digest ${id} took longer than ${most} ms`);
    const limit = startDeadline(most, late, signal);
    try {
      return await watch(id, limit.signal);
    } finally {
      limit.end();
    }
  }

  /** By the stream of events; by looking from time to time where something on the way lets no stream through. */
  async function watch(id: string, signal: AbortSignal): Promise<Digest> {
    try {
      for await (const { event, data } of followDigest(transport, { id }, signal)) if (event === 'digest') return data;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    for (let milliseconds = POLL.first; ; milliseconds = Math.min(milliseconds * 1.5, POLL.longest)) {
      const digest = finishedDigest(await get(id, { signal }));
      if (digest !== null) return digest;
      await pause(milliseconds, signal);
    }
  }

  return {
    async create(request, options = {}) {
      const { body } = await send<DigestState>(post(request, options, waitWithin(timeoutMilliseconds)));
      return finishedDigest(body) ?? (await wait(body.id, { signal: options.signal }));
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
