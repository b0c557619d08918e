import {
  type Client,
  ConnectionError,
  type DigestEvent,
  OverloadedError,
  ServerError,
  TimeoutError,
} from '../../client/index.ts';

export interface FollowOnOptions {
  readonly signal: AbortSignal;
  /** Called when the connection breaks, and when events resume. */
  readonly onConnection: (isBroken: boolean) => void;
  /** Milliseconds between attempts, each retried by the client. */
  readonly between?: number;
  /** Milliseconds without any event after which to give up. */
  readonly patience?: number;
}

/**
 * The events of a digest, each once and in order, across restarts of the service.
 *
 * @throws DigestFailedError, DigestCancelledError if the digest ends without a result
 * @throws ConnectionError and its like if the service stays away; other errors of any call; the reason of the signal
 */
export async function* followOn(
  { follow }: Pick<Client['digests'], 'follow'>,
  id: string,
  { signal, onConnection, between = 3_000, patience = 10 * 60_000 }: FollowOnOptions,
): AsyncGenerator<DigestEvent, void, undefined> {
  let last = 0;
  let brokenSince: number | null = null;
  for (;;) {
    try {
      for await (const event of follow(id, { signal })) {
        if (brokenSince !== null) onConnection(false);
        brokenSince = null;
        // A new connection repeats the events from the beginning.
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

/** A proxy answers 502 and 503 while the service restarts. */
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
