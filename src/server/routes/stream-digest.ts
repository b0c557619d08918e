import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { DigestPartsQuery } from '../../contract/index.ts';
import type { Database } from '../../store/index.ts';
import { followDigest } from '../jobs/follow-digest.ts';
import type { Worker } from '../jobs/start-worker.ts';
import { problemOf } from '../problem.ts';
import { digestView } from './digest-view.ts';

export interface StreamDeps {
  readonly database: Database;
  readonly worker: Worker;
  /** Told of every failure that is the service's own. */
  readonly reportError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
  /** Milliseconds between comments that keep a stream open while nothing happens. */
  readonly heartbeatMilliseconds?: number;
}

/** What a client wants of a stream. */
interface StreamMode {
  /** Number of the last event that it has; 0 for none. */
  readonly after: number;
  /** What the last event tells of the digest. */
  readonly parts: DigestPartsQuery;
}

const HEARTBEAT = 15_000;

/**
 * Tells of a digest while it is made: what was told after an event, then live, until its end. A client that goes away leaves
 * the digest as it is; it can go on from the last event that it got.
 *
 * @param onEnd told when the stream has ended
 */
export function streamDigest(
  context: Context,
  id: string,
  { after, parts }: StreamMode,
  { database, worker, reportError, heartbeatMilliseconds = HEARTBEAT }: StreamDeps,
  onEnd: () => void = () => {},
): Response {
  const gone = new AbortController();
  context.header('location', `/v1/digests/${id}`);
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => gone.abort());
    const beat = setInterval(() => void stream.write(': still here\n\n'), heartbeatMilliseconds);
    try {
      for await (const { number, event, data } of followDigest(database, id, worker, after, gone.signal)) {
        await stream.writeSSE({ id: String(number), event, data: event === 'digest' ? digestView(data, parts) : data });
      }
    } catch (failure) {
      reportError(failure, { method: context.req.method, path: context.req.path });
      await stream.writeSSE({ event: 'error', data: JSON.stringify(problemOf(failure)) });
    } finally {
      clearInterval(beat);
      onEnd();
    }
  });
}
