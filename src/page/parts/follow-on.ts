import {
  type Client,
  ConnectionError,
  type DigestEvent,
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
 * The events of a digest, each once and in order, over restarts of the service: a connection that breaks is tried again for minutes.
 *
 * @throws DigestFailedError, DigestCancelledError where the digest ends without being one
 * @throws ConnectionError and its like where the service stays away; other errors as any call's; the reason of the signal
 */
export async function* followOn(
  { follow }: Pick<Client['digests'], 'follow'>,
  id: string,
  { signal, onConnection, between = BETWEEN, patience = PATIENCE }: FollowOnOptions,
): AsyncGenerator<DigestEvent, void, undefined> {
  let last = 0;
  let brokenSince: number | null = null;
  for (;;) {
    try {
      for await (const event of follow(id, { signal })) {
        if (brokenSince !== null) onConnection(false);
        brokenSince = null;
        // Followed once more, it is told from its beginning.
        if (event.id !== null && event.id <= last && event.event !== 'digest') continue;
        last = event.id ?? last;
        yield event;
      }
      return;
    } catch (failure) {
      if (signal.aborted || !isTransient(failure)) throw failure;
      if (brokenSince === null) onConnection(true);
      brokenSince ??= Date.now();
      if (Date.now() - brokenSince >= patience) throw failure;
    }
    await pause(between, signal);
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
