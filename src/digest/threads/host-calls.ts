import { TesseraError } from '../../text/index.ts';
import { type Settled, settle, unwrap } from './thread-calls.ts';

/** A `MessagePort` of Node. */
export interface CallPort {
  // biome-ignore lint/suspicious/noExplicitAny: as of `HostFunctions`.
  on(event: 'message', onMessage: (message: any) => void): unknown;
  postMessage(message: unknown, moved?: readonly ArrayBuffer[]): void;
  close(): void;
}

/**
 * What work in another thread may call in the thread that serves HTTP. Arguments and results are copied; each gets a signal besides, and
 * may tell news to its caller until it answers.
 */
export type HostFunctions = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: a message has no types; `CallHost` gives them back.
  Record<string, (given: any, signal: AbortSignal, tell: (news: unknown) => void) => Promise<unknown>>
>;

/** Calls a function of the host by its name. An abort of the signal is passed on; what is moved is not copied. */
export type CallHost = (
  name: string,
  given: readonly unknown[],
  options?: {
    readonly signal?: AbortSignal | undefined;
    // biome-ignore lint/suspicious/noExplicitAny: the caller knows what the function tells and answers.
    readonly onNews?: ((news: any) => void) | undefined;
    readonly moved?: readonly ArrayBuffer[];
  },
  // biome-ignore lint/suspicious/noExplicitAny: as above.
) => Promise<any>;

interface Asked {
  readonly id: number;
  /** Null aborts the call with this id. */
  readonly name: string | null;
  readonly given: readonly unknown[];
}

type Answered = { readonly id: number } & (Settled<unknown> | { readonly news: unknown });

/**
 * Answers the calls that come in at a port, until the port is closed.
 * @param onBegun called with the first message: the number of the thread on the other side, which is loaded
 * @returns a function that ends it, with the calls under way
 */
export function answerCalls(port: CallPort, functions: HostFunctions, onBegun: (thread: number) => void): () => void {
  const underWay = new Map<number, AbortController>();
  const answer = async ({ id, name, given }: Asked): Promise<void> => {
    if (name === null) return underWay.get(id)?.abort();
    const ended = new AbortController();
    underWay.set(id, ended);
    const tell = (news: unknown): void => port.postMessage({ id, news } satisfies Answered);
    const settled = await settle(() => functions[name](given, ended.signal, tell));
    if (underWay.delete(id)) port.postMessage({ id, ...settled } satisfies Answered);
  };
  port.on('message', (asked: Asked | number) => (typeof asked === 'number' ? onBegun(asked) : void answer(asked)));
  return () => {
    port.close();
    const calls = [...underWay.values()];
    underWay.clear();
    for (const call of calls) call.abort();
  };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: unknown) => void;
  readonly onNews: ((news: unknown) => void) | undefined;
}

/** The other side of `answerCalls`. */
export function callHost(port: CallPort, thread: number): CallHost {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const abort = (id: number): void => port.postMessage({ id, name: null, given: [] } satisfies Asked);
  port.on('message', ({ id, ...answered }: Answered) => {
    const call = waiting.get(id);
    try {
      if ('news' in answered) return call?.onNews?.(answered.news);
      call?.resolve(unwrap(answered));
    } catch (failure) {
      if ('news' in answered) abort(id);
      call?.reject(failure);
    }
    waiting.delete(id);
  });
  port.postMessage(thread);
  return (name, given, { signal, onNews, moved } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++last;
      waiting.set(id, { resolve, reject, onNews });
      signal?.addEventListener('abort', () => abort(id), { once: true });
      port.postMessage({ id, name, given } satisfies Asked, moved);
    });
}

/** The work has computed for as long as it may. */
export class OverdueError extends TesseraError {
  readonly code = 'too-much-work';
}
