import {
  type Client,
  ConnectionError,
  type DigestEvent,
  type DigestInput,
  OverloadedError,
  ServerError,
  TimeoutError,
} from '../../client/index.ts';

/** Milliseconds between two attempts, each of which the client makes several times. */
const BETWEEN = 3_000;
/** How many milliseconds a service may be away. */
const PATIENCE = 10 * 60_000;

export interface FollowOnOptions {
  readonly signal: AbortSignal;
  /** Told when the connection breaks, and when events come again. */
  readonly onConnection: (isBroken: boolean) => void;
  /** Milliseconds between two attempts. */
  readonly between?: number;
  /** Milliseconds without any event after which it is given up. */
  readonly patience?: number;
}

/**
 * The events of a digest, each once and in order, over restarts of the service: where the id is known, a connection that breaks
 * is tried again for minutes.
 *
 * @param beginning what the digest is made of, or the id of one that was asked for before
 * @throws DigestFailedError, DigestCancelledError where the digest ends without being one
 * @throws ConnectionError and its like where there is no id, or the service stays away; other errors as any call's; the reason of the signal
 */
export async function* followOn(
  { stream, follow }: Pick<Client['digests'], 'stream' | 'follow'>,
  beginning: { readonly request: DigestInput } | { readonly id: string },
  { signal, onConnection, between = BETWEEN, patience = PATIENCE }: FollowOnOptions,
): AsyncGenerator<DigestEvent, void, undefined> {
  let id = 'id' in beginning ? beginning.id : null;
  let events = 'id' in beginning ? follow(beginning.id, { signal }) : stream(beginning.request, { signal });
  let last = 0;
  let brokenSince: number | null = null;
  for (;;) {
    try {
      for await (const event of events) {
        if (brokenSince !== null) onConnection(false);
        brokenSince = null;
        if (event.event === 'accepted' || event.event === 'digest') id = event.data.id;
        // Followed once more, it is told from its beginning.
        if (event.id !== null && event.id <= last && event.event !== 'digest') continue;
        last = event.id ?? last;
        yield event;
      }
      return;
    } catch (failure) {
      if (signal.aborted || id === null || !isTransient(failure)) throw failure;
      if (brokenSince === null) onConnection(true);
      brokenSince ??= Date.now();
      if (Date.now() - brokenSince >= patience) throw failure;
    }
    await pause(between, signal);
    events = follow(id, { signal });
  }
}

/** Whether a service that is started again may do better: what stands before it answers with 502 and 503 meanwhile. */
function isTransient(failure: unknown): boolean {
  return [ConnectionError, TimeoutError, OverloadedError, ServerError].some((kind) => failure instanceof kind);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
