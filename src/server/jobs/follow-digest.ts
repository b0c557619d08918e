import { type Database, type JobEvent, readDigest, readEvents, type StoredDigest } from '../../store/index.ts';
import { ServiceError } from '../errors.ts';
import { type StreamLimits, tenantTally } from '../limits.ts';

const LOOK_AGAIN = 500;
const LAST = new Set(['digest', 'error', 'cancelled']);

/** Wakes those in this process who wait for news of a job. Other processes poll the database. */
export interface JobSignals {
  /** Returns a function that ends it. */
  listen(id: string, onNews: () => void): () => void;
  /** Notifies the listeners of a job, or all. */
  notify(id?: string): void;
}

export function jobSignals(): JobSignals {
  const listeners = new Set<{ readonly id: string; readonly onNews: () => void }>();
  return {
    listen(id, onNews) {
      const listener = { id, onNews };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(id) {
      for (const each of listeners) if (id === undefined || each.id === id) each.onNews();
    },
  };
}

interface Followed {
  readonly signals: JobSignals;
  isStopped(): boolean;
}

/** Yields at once; then on news of the job, on abort, and after each pause of `pause()` milliseconds. */
async function* looks(id: string, { signals }: Followed, pause: () => number, signal?: AbortSignal) {
  let isNews = false;
  let wake = (): void => {};
  const onNews = (): void => {
    isNews = true;
    wake();
  };
  const leave = signals.listen(id, onNews);
  signal?.addEventListener('abort', onNews);
  try {
    for (;;) {
      yield;
      let timer: ReturnType<typeof setTimeout> | undefined;
      if (!isNews) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, pause());
        });
      }
      clearTimeout(timer);
      isNews = false;
    }
  } finally {
    leave();
    signal?.removeEventListener('abort', onNews);
  }
}

export function hasDigestEnded({ answer, state }: StoredDigest): boolean {
  return answer !== null || (state !== 'queued' && state !== 'running');
}

/** Waits until a digest has ended, for at most `milliseconds` or until abort. Returns undefined if it was deleted. */
export async function waitForDigest(
  database: Database,
  id: string,
  worker: Followed,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<StoredDigest | undefined> {
  const until = performance.now() + milliseconds;
  const pause = (): number => Math.min(LOOK_AGAIN, until - performance.now());
  for await (const _ of looks(id, worker, pause, signal)) {
    const stored = await readDigest(database, id);
    const isOver = performance.now() >= until || signal?.aborted || worker.isStopped();
    if (stored === undefined || hasDigestEnded(stored) || isOver) return stored;
  }
  return undefined;
}

type CompleteEvent = JobEvent & { readonly data: string };

/**
 * Yields the events of a job after a number, then live ones until its end, and null after each `heartbeat` milliseconds without one. The last
 * event of a digest carries its answer. Ends early on deletion, abort, or if this process stops; readers can resume after the last number.
 */
export async function* followDigest(
  database: Database,
  id: string,
  worker: Followed,
  after: number,
  signal: AbortSignal,
  heartbeat = Number.POSITIVE_INFINITY,
): AsyncGenerator<CompleteEvent | null> {
  let last = after;
  let yieldedAt = performance.now();
  for await (const _ of looks(id, worker, () => Math.min(LOOK_AGAIN, heartbeat), signal)) {
    const isStopped = worker.isStopped();
    for (let events = await readEvents(database, id, last); events.length > 0; ) {
      for (const event of events) {
        const data = event.data ?? (await readDigest(database, id))?.answer;
        if (data == null) return;
        yield { ...event, data };
        yieldedAt = performance.now();
        last = event.number;
        if (LAST.has(event.event)) return;
      }
      events = await readEvents(database, id, last);
    }
    const digest = await readDigest(database, id);
    if (digest === undefined || signal.aborted || isStopped) return;
    if (hasDigestEnded(digest) && (await readEvents(database, id, last, 1)).length === 0) {
      // Made without a job, and so without events.
      if (digest.answer !== null && last === 0) yield { number: 1, event: 'digest', data: digest.answer };
      return;
    }
    if (performance.now() - yieldedAt < heartbeat) continue;
    yield null;
    yieldedAt = performance.now();
  }
}

/** Counts open streams. Entering returns a function that gives the place back. @throws ServiceError if there are too many */
export function streamPlaces({ perTenant, total }: StreamLimits): (tenant: string) => () => void {
  const open = tenantTally();
  return (tenant) => {
    const most = open.of(tenant) >= perTenant ? perTenant : open.all >= total ? total : null;
    if (most === null) return open.take(tenant, 1);
    const detail = `At most ${most} event streams may be open at once: close one, or ask without a stream.`;
    throw new ServiceError('too-many-streams', detail);
  };
}
