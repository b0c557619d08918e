import type { Context } from 'hono';
import type { Problem } from '../../contract/index.ts';
import { admit } from '../middleware/admission.ts';
import { wantsStream } from '../middleware/http-fields.ts';
import { isFailure, plain, problemOf } from '../problem.ts';
import { callerDeps, type ServiceEnv } from '../service-deps.ts';
import type { DigestRouteDeps } from './answer-digest.ts';
import { HEARTBEAT, type StreamEvent, streamEvents } from './stream-digest.ts';

type Tell = (event: string, data: object) => void;

/** Answers with the result of work that is not stored; or with events of it as it goes on, the last of which is named `last`. */
export async function answerWork<Result extends object>(
  context: Context<ServiceEnv>,
  deps: DigestRouteDeps,
  { last, status }: { readonly last: string; readonly status: 200 | 201 },
  work: (own: DigestRouteDeps, tell: Tell, ended: AbortSignal) => Promise<Result>,
): Promise<Response> {
  const { otherAdmission, enterStream, heartbeatMilliseconds = HEARTBEAT } = deps;
  const isStream = wantsStream(context);
  const leaveStream = isStream ? enterStream(context.var.caller.tenant) : () => {};
  let isLeft = false;
  try {
    const leaving = new AbortController();
    const told = toldEvents(last);
    let isAdmitted = false;
    const made = admit(context, otherAdmission, deps, (admitted, signal) => {
      isAdmitted = true;
      return work(admitted, isStream ? told.tell : () => {}, AbortSignal.any([signal, leaving.signal]));
    });
    if (!isStream) return context.json(plain(await made), status);
    made.then(told.end, told.fail);
    // The answer to an Idempotency-Key is kept, so a failure must not be part of a successful stream.
    if (!isAdmitted || context.get('keyed') !== undefined) await made;
    const events = (gone: AbortSignal) => {
      gone.addEventListener('abort', () => leaving.abort());
      return told.read(gone, heartbeatMilliseconds);
    };
    isLeft = true;
    return streamEvents(context, events, callerDeps(context, deps), {}, leaveStream);
  } finally {
    if (!isLeft) leaveStream();
  }
}

/** What is told of work while it is done, for one reader. */
function toldEvents(last: string) {
  const waiting: StreamEvent[] = [];
  let isOver = false;
  let failure: unknown = null;
  let wake = (): void => {};
  const tell: Tell = (event, data) => {
    waiting.push({ event, data: JSON.stringify(data) });
    wake();
  };
  const end = (event: string, data: object): void => {
    isOver = true;
    tell(event, data);
  };
  return {
    tell,
    end: (result: object) => end(last, result),
    fail(reason: unknown) {
      const told: Problem = problemOf(reason);
      // Only failures of the service are reported to its log.
      if (isFailure(told)) failure = reason;
      end('error', told);
    },
    /** Yields null after each `heartbeat` milliseconds without an event. @throws a failure of the service */
    async *read(gone: AbortSignal, heartbeat: number): AsyncGenerator<StreamEvent | null> {
      gone.addEventListener('abort', () => wake());
      while (!gone.aborted) {
        const next = waiting.shift();
        if (next === undefined && isOver) return;
        if (next?.event === 'error' && failure !== null) throw failure;
        if (next !== undefined) {
          yield next;
          continue;
        }
        let timer: ReturnType<typeof setTimeout> | undefined;
        const isNews = await new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
          timer = setTimeout(() => resolve(false), heartbeat);
        });
        clearTimeout(timer);
        if (!isNews) yield null;
      }
    },
  };
}
