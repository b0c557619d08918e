import { pause } from './deadline.ts';
import { digestEvent, finishedDigest } from './digest-event.ts';
import { ConnectionError, TesseraClientError } from './errors.ts';
import type { RawEvent } from './parse-events.ts';
import { path } from './path.ts';
import { readEvents } from './read-events.ts';
import { readJson } from './read-json.ts';
import { retryDelay } from './retry-delay.ts';
import type { Call, Transport } from './transport.ts';
import type { DigestEvent, DigestState } from './types.ts';

const STREAM = 'text/event-stream';
/** A connection that stood so many milliseconds was a good one, even where there was nothing to tell. */
const GOOD = 10_000;

/** Where a stream of events begins: a call that makes a digest, or the id of one. */
export type Beginning = { readonly create: Call } | { readonly id: string };

/**
 * The events of a digest, each once and in order, until it is finished. A connection that breaks is taken up again after
 * the last event that came, until as many attempts in a row as a call has brought none.
 *
 * @throws DigestFailedError, DigestCancelledError where the digest ends without being one
 * @throws ConnectionError where the attempts are used up; other errors as any call's
 */
export async function* followDigest(
  { open, maxRetries }: Transport,
  beginning: Beginning,
  signal: AbortSignal | undefined,
): AsyncGenerator<DigestEvent, void, undefined> {
  let next = 'id' in beginning ? resume(beginning.id, 0) : beginning.create;
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
    if (digest !== null) next = resume(digest, last);
    await pause(retryDelay(failures), signal);
  }
}

/** The call that tells what came after an event. */
function resume(digest: string, last: number): Call {
  const headers = last > 0 ? { 'last-event-id': String(last) } : {};
  return { method: 'GET', path: path`/v1/digests/${digest}`, headers };
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
