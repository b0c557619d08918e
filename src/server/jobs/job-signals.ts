import type { DigestTimings } from '../../contract/index.ts';

/** A digest that was made in this process and is stored. */
export interface MadeDigest {
  /** JSON, as it is stored. */
  readonly answer: string;
  readonly timings: DigestTimings;
}

/**
 * Told when readers of a job can find something new.
 *
 * @param made the digest that is about to be stored; null where it is not, after all
 */
export type OnNews = (made?: Promise<MadeDigest | null>) => void;

/** What somebody hears of a job from this process, from when the watch begins. */
interface JobWatch {
  /** Resolves when there is news since the last time, or after so many milliseconds, or with the signal. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** The digest, where this process has made it since the watch began; settles once it is stored. Null until then, and otherwise. */
  made(): Promise<MadeDigest | null>;
  close(): void;
}

/** Tells those in this process who wait for news of a job. Who is in another process looks into the database now and then. */
export interface JobSignals {
  /** Begins to watch a job; whoever does ends it. */
  watch(id: string): JobWatch;
  /** @param made the digest that is about to be stored; null where it is not, after all */
  notify(id: string, made?: Promise<MadeDigest | null>): void;
  /** Wakes all who wait. */
  notifyAll(): void;
}

export function jobSignals(): JobSignals {
  const listeners = new Map<string, Set<(made: Promise<MadeDigest | null> | undefined) => void>>();
  const notify: JobSignals['notify'] = (id, made) => {
    for (const listener of listeners.get(id) ?? []) listener(made);
  };
  return {
    watch(id) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own);
      let digest: Promise<MadeDigest | null> = Promise.resolve(null);
      let isNews = false;
      let wake = (): void => {};
      const listener = (made = digest): void => {
        digest = made;
        isNews = true;
        wake();
      };
      own.add(listener);
      return {
        wait(milliseconds, signal) {
          return new Promise((resolve) => {
            const end = (): void => {
              clearTimeout(timer);
              signal?.removeEventListener('abort', end);
              wake = () => {};
              isNews = false;
              resolve();
            };
            const timer = setTimeout(end, milliseconds);
            wake = end;
            signal?.addEventListener('abort', end, { once: true });
            if (isNews || signal?.aborted) end();
          });
        },
        made: () => digest,
        close() {
          own.delete(listener);
          if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
        },
      };
    },
    notify,
    notifyAll() {
      for (const id of listeners.keys()) notify(id);
    },
  };
}
