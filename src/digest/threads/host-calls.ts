import { TesseraError } from '../../text/index.ts';
import { type Settled, settle, unwrap } from './thread-calls.ts';

/** A `MessagePort` of Node. */
interface CallPort {
  // biome-ignore lint/suspicious/noExplicitAny: as of `HostFunctions`.
  on(event: 'message', onMessage: (message: any) => void): unknown;
  postMessage(message: unknown): void;
  close(): void;
}

/** What work in another thread may call in the thread that serves HTTP. Arguments and results are copied; each gets a signal besides. */
// biome-ignore lint/suspicious/noExplicitAny: a message has no types; `CallHost` gives them back.
export type HostFunctions = Readonly<Record<string, (given: any, signal: AbortSignal) => Promise<unknown>>>;

/** Calls a function of the host by its name. Rejects at once if the signal aborts, and aborts the call. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows what the function answers.
export type CallHost = (name: string, given: readonly unknown[], signal?: AbortSignal) => Promise<any>;

interface Asked {
  readonly id: number;
  /** Null aborts the call with this id. */
  readonly name: string | null;
  readonly given: readonly unknown[];
}

type Answered = { readonly id: number } & (Settled<unknown> | { readonly failure: Error });

/** The first message: the other side is loaded, and computes. */
const BEGUN = 'begun';

/**
 * Answers the calls that come in at a port, until the port is closed. While none is under way the other side computes: `onOverdue` is called
 * once it has done so for `budget` milliseconds in all.
 * @returns a function that ends it, with the calls under way
 */
export function answerCalls(
  port: CallPort,
  functions: HostFunctions,
  budget: number,
  onOverdue: () => void,
): () => void {
  const underWay = new Map<number, AbortController>();
  let left = budget;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const computes = (): void => {
    since = performance.now();
    timer = setTimeout(onOverdue, left);
  };
  const answer = async ({ id, name, given }: Asked): Promise<void> => {
    if (name === null) return underWay.get(id)?.abort();
    if (underWay.size === 0) {
      clearTimeout(timer);
      left -= performance.now() - since;
    }
    const ended = new AbortController();
    underWay.set(id, ended);
    const settled: Answered = await settle(() => functions[name](given, ended.signal)).then(
      (answered) => ({ id, ...answered }),
      (failure) => ({ id, failure: failure instanceof Error ? failure : new Error(String(failure)) }),
    );
    if (!underWay.delete(id)) return;
    port.postMessage(settled);
    if (underWay.size === 0) computes();
  };
  port.on('message', (asked: Asked | typeof BEGUN) => (asked === BEGUN ? computes() : void answer(asked)));
  return () => {
    clearTimeout(timer);
    port.close();
    const calls = [...underWay.values()];
    underWay.clear();
    for (const call of calls) call.abort();
  };
}

/** The other side of `answerCalls`. */
export function callHost(port: CallPort): CallHost {
  const waiting = new Map<number, (answered: Answered) => void>();
  let last = 0;
  port.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.(answered);
    waiting.delete(answered.id);
  });
  port.postMessage(BEGUN);
  return (name, given, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++last;
      const leave = (): void => {
        waiting.delete(id);
        port.postMessage({ id, name: null, given: [] } satisfies Asked);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.set(id, (answered) => {
        signal?.removeEventListener('abort', leave);
        if ('failure' in answered) return reject(answered.failure);
        try {
          resolve(unwrap(answered));
        } catch (refused) {
          reject(refused);
        }
      });
      port.postMessage({ id, name, given } satisfies Asked);
    });
}

/** The work has computed for as long as it may. */
export class OverdueError extends TesseraError {
  readonly code = 'too-much-work';
}
