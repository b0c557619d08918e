/** Waits so many milliseconds. An aborted signal ends the wait: the promise is then rejected with its reason. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** The wait of a timer. */
export const waitByTimer: Wait = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
