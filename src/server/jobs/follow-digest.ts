import { type Database, type JobEvent, readDigest, readEvents, type StoredDigest } from '../../store/index.ts';
import { ServiceError } from '../errors.ts';
import { type StreamLimits, tenantTally } from '../limits.ts';

const LOOK_AGAIN = 500;
const LAST = new Set(['digest', 'error', 'cancelled']);

interface JobWatch {
  /** Resolves on news, after the timeout, or on abort. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** Wakes those in this process who wait for news of a job. Other processes poll the database. */
export interface JobSignals {
  watch(id: string): JobWatch;
  notify(id: string): void;
  notifyAll(): void;
}

export function jobSignals(): JobSignals {
  const watches = new Set<{ readonly id: string; readonly onNews: () => void }>();
  return {
    watch(id) {
      let isNews = false;
      let wake = (): void => {};
      const watch = {
        id,
        onNews() {
          isNews = true;
          wake();
        },
      };
      watches.add(watch);
      return {
        async wait(milliseconds, signal) {
          if (!isNews && !signal?.aborted) {
            let timer: ReturnType<typeof setTimeout> | undefined;
            await new Promise<void>((resolve) => {
              wake = resolve;
              signal?.addEventListener('abort', wake);
              timer = setTimeout(resolve, milliseconds);
            });
            clearTimeout(timer);
            signal?.removeEventListener('abort', wake);
          }
          isNews = false;
        },
        close: () => void watches.delete(watch),
      };
    },
    notify(id) {
      for (const watch of watches) if (watch.id === id) watch.onNews();
    },
    notifyAll() {
      for (const { onNews } of watches) onNews();
    },
  };
}

interface Followed {
  readonly signals: JobSignals;
  isStopped(): boolean;
}

export function hasDigestEnded({ answer, state }: StoredDigest): boolean {
  return answer !== null || (state !== 'queued' && state !== 'running');
}

/**
 * Waits until a digest has ended, for at most `milliseconds` or until abort.
 *
 * @returns the digest, ended or not; undefined if it was deleted
 */
export async function waitForDigest(
  database: Database,
  id: string,
  worker: Followed,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<StoredDigest | undefined> {
  const until = performance.now() + milliseconds;
  const watch = worker.signals.watch(id);
  try {
    for (;;) {
      const stored = await readDigest(database, id);
      if (stored === undefined || hasDigestEnded(stored)) return stored;
      const left = until - performance.now();
      if (left <= 0 || signal?.aborted || worker.isStopped()) return stored;
      await watch.wait(Math.min(LOOK_AGAIN, left), signal);
    }
  } finally {
    watch.close();
  }
}

type CompleteEvent = JobEvent & { readonly data: string };

/**
 * Yields the events of a job: those after `after` (0 for all), then live ones until its end. The last event of a finished digest carries
 * its answer. Ends early if the digest is deleted, on abort, or if this process stops; readers can resume elsewhere after the last number.
 */
export async function* followDigest(
  database: Database,
  id: string,
  worker: Followed,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<CompleteEvent> {
  let last = after;
  const watch = worker.signals.watch(id);
  try {
    for (;;) {
      const isStopped = worker.isStopped();
      const events = await readEvents(database, id, last);
      for (const event of events) {
        const data = event.data ?? (await readDigest(database, id))?.answer;
        if (data == null) return;
        yield { ...event, data };
        last = event.number;
        if (LAST.has(event.event)) return;
      }
      if (events.length > 0) continue;
      const digest = await readDigest(database, id);
      if (digest === undefined || signal.aborted || isStopped) return;
      if (hasDigestEnded(digest) && (await readEvents(database, id, last, 1)).length === 0) {
        // Made without a job, and so without events.
        if (digest.answer !== null && last === 0) yield { number: 1, event: 'digest', data: digest.answer };
        return;
      }
      await watch.wait(LOOK_AGAIN, signal);
    }
  } finally {
    watch.close();
  }
}

/** Counts open streams. Entering returns a function that gives the place back. @throws ServiceError if there are too many */
export function streamPlaces({ perTenant, total }: StreamLimits): (tenant: string) => () => void {
  const open = tenantTally();
  return (tenant) => {
    const most = open.of(tenant) >= perTenant ? perTenant : open.all >= total ? total : null;
    if (most === null) return open.take(tenant, 1);
    const detail = `At most ${most} event streams may be open at once: close one, or poll the digest instead.`;
    throw new ServiceError('too-many-streams', detail);
  };
}
