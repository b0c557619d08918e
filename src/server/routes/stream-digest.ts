import type { Context } from 'hono';
import type { DigestPartsQuery } from '../../contract/index.ts';
import { type Database, isKeyValid, readDigest } from '../../store/index.ts';
import { followDigest } from '../jobs/follow-digest.ts';
import type { Worker } from '../jobs/start-worker.ts';
import { STREAM } from '../middleware/http-fields.ts';
import { problem, problemOf } from '../problem.ts';
import type { ServiceEnv } from '../service-deps.ts';
import { digestView } from '../stored/stored-digests.ts';

export interface StreamDeps {
  readonly database: Database;
  readonly worker: Worker;
  readonly reportError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
  /** Milliseconds between comments that keep an idle stream open. */
  readonly heartbeatMilliseconds?: number;
  readonly stallMilliseconds?: number;
}

export const HEARTBEAT = 15_000;
const STALL = 30_000;
const ENCODER = new TextEncoder();
const STILL_HERE = ENCODER.encode(': still here\n\n');
const HEADERS = {
  'content-type': STREAM,
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  // Keeps nginx from buffering.
  'x-accel-buffering': 'no',
};

/** Streams events after a given one until the end, or until its key is revoked. Stalled readers can resume after their last event. */
export function streamDigest(
  context: Context<ServiceEnv>,
  id: string,
  { after, parts }: { readonly after: number; readonly parts: DigestPartsQuery },
  deps: StreamDeps,
  onEnd: () => void,
): Response {
  const { database, worker, heartbeatMilliseconds = HEARTBEAT } = deps;
  async function* events(gone: AbortSignal): AsyncGenerator<StreamEvent | null> {
    for await (const told of followDigest(database, id, worker, after, gone, heartbeatMilliseconds)) {
      const isPart = told?.event === 'digest' && (parts.include ?? parts.exclude) !== undefined;
      const stored = isPart ? await readDigest(database, id) : undefined;
      yield told !== null && stored !== undefined ? { ...told, data: await digestView(stored, parts, database) } : told;
    }
  }
  return streamEvents(context, events, deps, { location: `/v1/digests/${id}` }, onEnd);
}

/** An event with its data as JSON. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly number?: number;
}

/** Streams events, and a comment for each null, until they end or the caller's key is revoked. Disconnects stalled readers. */
export function streamEvents(
  context: Context<ServiceEnv>,
  events: (gone: AbortSignal) => AsyncIterable<StreamEvent | null>,
  { database, reportError, stallMilliseconds = STALL }: Omit<StreamDeps, 'worker'>,
  headers: Readonly<Record<string, string>>,
  onEnd: () => void,
): Response {
  const { key } = context.var.caller;
  const gone = new AbortController();
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(stalled);
    gone.abort();
    void blocks.return(undefined);
    onEnd();
  };
  const blocks = (async function* () {
    try {
      for await (const told of events(gone.signal)) {
        if (key !== null && !(await isKeyValid(database, key))) {
          yield block('error', JSON.stringify(problem('invalid-key')));
          return;
        }
        yield told === null ? STILL_HERE : block(told.event, told.data, told.number);
      }
    } catch (failure) {
      reportError(failure, { method: context.req.method, path: context.req.path });
      yield block('error', JSON.stringify(problemOf(failure)));
    }
  })();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        const { done, value } = await blocks.next();
        if (gone.signal.aborted) return;
        if (done) {
          end();
          controller.close();
          return;
        }
        controller.enqueue(value);
        stalled = setTimeout(() => {
          end();
          controller.error(new Error('The reader of the stream takes nothing.'));
        }, stallMilliseconds);
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return context.body(body, 200, { ...HEADERS, ...headers });
}

/** A server-sent event; `data` is JSON, which has no line breaks. */
function block(event: string, data: string, id?: number) {
  return ENCODER.encode(`event: ${event}\ndata: ${data}\n${id === undefined ? '' : `id: ${id}\n`}\n`);
}
