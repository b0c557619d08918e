/** Tells those in this process who wait for news of a job. Who is in another process looks into the database now and then. */
export interface JobSignals {
  /** Resolves when there is news of this job, or after so many milliseconds, or with the signal. */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<void>;
  notify(id: string): void;
  /** Wakes all who wait. */
  notifyAll(): void;
}

export function jobSignals(): JobSignals {
  const waiting = new Map<string, Set<() => void>>();
  const notify = (id: string): void => {
    for (const wake of waiting.get(id) ?? []) wake();
  };
  return {
    wait(id, milliseconds, signal) {
      return new Promise((resolve) => {
        const own = waiting.get(id) ?? new Set();
        waiting.set(id, own);
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          own.delete(wake);
          if (own.size === 0 && waiting.get(id) === own) waiting.delete(id);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        own.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
        if (signal?.aborted) wake();
      });
    },
    notify,
    notifyAll() {
      for (const id of waiting.keys()) notify(id);
    },
  };
}
