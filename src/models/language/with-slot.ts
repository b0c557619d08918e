import type { LimitFunction } from 'p-limit';

/**
 * Runs work when a slot is free, and frees the slot when the work settles. An aborted signal ends the wait for a slot (the
 * promise is rejected with its reason), not the work, which looks after itself.
 */
export function withSlot<T>(limit: LimitFunction, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return limit(work);
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    void limit(async () => {
      signal.removeEventListener('abort', leave);
      // Whoever left the queue has had its answer; the slot goes on to the next.
      if (!signal.aborted) await work().then(resolve, reject);
    });
  });
}
