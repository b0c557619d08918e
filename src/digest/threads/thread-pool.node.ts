import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** Milliseconds that a task under way may take when the threads are to end. */
const CLOSE_TIMEOUT = 20_000;

export interface ThreadPool {
  /**
   * What the function of that name in the thread's file answers. The caller knows its type.
   *
   * @throws where it throws, and an `AbortError` where the pool is closed
   */
  // biome-ignore lint/suspicious/noExplicitAny: what a thread answers has no type until the caller gives it one, as in Piscina.
  run(task: unknown, name: string): Promise<any>;
  /** Waits for what is under way, takes on nothing more, and ends the threads. */
  close(): Promise<void>;
}

/**
 * Worker threads that can be ended without harm. A thread that is ended while it loads its modules, or while native code runs
 * in it, takes the process down, so that both are waited for.
 */
export function startThreadPool(
  options: ConstructorParameters<typeof Piscina>[0],
  reportError: (failure: unknown) => void,
): ThreadPool {
  const pool = new Piscina({ ...options, closeTimeout: CLOSE_TIMEOUT });
  pool.on('error', reportError);
  const isLoaded = loadedOf(pool);
  const underWay = new Set<Promise<unknown>>();
  let isClosing = false;
  return {
    async run(task, name) {
      if (isClosing) throw new DOMException('the threads are closed', 'AbortError');
      const answer: Promise<unknown> = pool.run(task, { name });
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    async close() {
      isClosing = true;
      const loading = pool.threads.filter((thread) => !isLoaded(thread));
      const waiting = new AbortController();
      await Promise.race([
        // Piscina 5.3 counts a thread that ends a task more than once, and so ends others at their work.
        Promise.all([Promise.allSettled(underWay), ...loading.map(untilLoaded)]),
        pause(CLOSE_TIMEOUT, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
      await pool.close({ force: true });
    },
  };
}

/** Whether a thread of a pool that was just made has loaded its modules. */
function loadedOf(pool: Piscina): (thread: Worker) => boolean {
  const first = pool.threads;
  const loaded = new Set<Worker>();
  for (const thread of first) thread.once('message', () => loaded.add(thread));
  pool.on('workerCreate', ({ id }) => {
    const thread = pool.threads.find(({ threadId }) => threadId === id);
    // Those that begin with the pool are told of at once, later ones when they are loaded.
    if (thread !== undefined && !first.includes(thread)) loaded.add(thread);
  });
  return (thread) => loaded.has(thread);
}

/** Resolves at the first message of a thread, which says that it is loaded, or at its end. */
function untilLoaded(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once('message', () => resolve());
    thread.once('exit', () => resolve());
  });
}
