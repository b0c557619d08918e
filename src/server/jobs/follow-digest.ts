import type { DigestTimings } from '../../contract/index.ts';
import { type Database, type JobEvent, readDigest, readEvents, type StoredDigest } from '../../store/index.ts';
import { TooManyStreamsError } from '../errors.ts';
import { type StreamLimits, tenantTally } from '../limits.ts';

const LOOK_AGAIN = 500;
const LAST = new Set(['digest', 'error', 'cancelled']);

export interface MadeDigest {
  readonly answer: string;
  readonly timings: DigestTimings;
}

/** Called on news of a job. `made` is the digest being stored, or null if storing it fails. */
export type OnNews = (made?: Promise<MadeDigest | null>) => void;

interface JobWatch {
  /** Resolves on news, after the timeout, or on abort. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** The digest once stored, if this process makes it; otherwise null. */
  made(): Promise<MadeDigest | null>;
  close(): void;
}

/** Wakes those in this process who wait for news of a job. Other processes poll the database. */
export interface JobSignals {
  watch(id: string): JobWatch;
  notify(id: string, ...made: Parameters<OnNews>): void;
  notifyAll(): void;
}

export function jobSignals(): JobSignals {
  const listeners = new Map<string, Set<OnNews>>();
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
      const listener: OnNews = (made = digest) => {
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
 * @returns the digest that this process has made meanwhile, or the stored one, ended or not; undefined if it was deleted
 */
export async function waitForDigest(
  database: Database,
  id: string,
  worker: Followed,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<MadeDigest | StoredDigest | undefined> {
  const until = performance.now() + milliseconds;
  const watch = worker.signals.watch(id);
  try {
    for (;;) {
      const made = await watch.made();
      if (made !== null) return made;
      const stored = await readDigest(database, id);
      if (stored === undefined) return undefined;
      if (hasDigestEnded(stored)) return (await watch.made()) ?? stored; // it may have been made during the read
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
        const data = event.data ?? (await watch.made())?.answer ?? (await readDigest(database, id))?.answer;
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

export interface FeedEvent extends CompleteEvent {
  /** The encoded event by the requested parts of the digest. */
  readonly views: Map<string, Uint8Array<ArrayBuffer>>;
}

/** Follows a digest for any number of readers with the database reads of one. */
export interface DigestFeeds {
  /** Returns a function that releases the stream's place. @throws TooManyStreamsError */
  enter(tenant: string): () => void;
  follow(
    database: Database,
    id: string,
    worker: Followed,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<FeedEvent>;
  readonly open: { readonly streams: number; readonly digests: number };
}

interface Feed {
  readonly events: FeedEvent[];
  readonly end: AbortController;
  readers: number;
  next: Promise<void>;
  isOver: boolean;
}

export function digestFeeds({ perTenant, total }: StreamLimits): DigestFeeds {
  const feeds = new Map<string, Feed>();
  const open = tenantTally();

  function begin(database: Database, id: string, worker: Followed): Feed {
    const end = new AbortController();
    const source = followDigest(database, id, worker, 0, end.signal);
    const feed: Feed = { events: [], end, readers: 0, next: Promise.resolve(), isOver: false };
    const advance = async (): Promise<void> => {
      const { done, value } = await source.next();
      if (done) feed.isOver = true;
      else {
        feed.events.push({ ...value, views: new Map() });
        move();
      }
    };
    const move = (): void => {
      feed.next = advance();
      feed.next.catch(() => {}); // readers see the failure, if there are any
    };
    move();
    return feed;
  }

  return {
    enter(tenant) {
      if (open.of(tenant) >= perTenant) throw new TooManyStreamsError(perTenant);
      if (open.all >= total) throw new TooManyStreamsError(total);
      return open.take(tenant, 1);
    },
    async *follow(database, id, worker, after, signal) {
      const key = `${database.tenant}\n${id}`;
      const feed = feeds.get(key) ?? begin(database, id, worker);
      feeds.set(key, feed);
      feed.readers++;
      const gone = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        for (let place = 0; ; place++) {
          while (place >= feed.events.length) {
            if (feed.isOver || signal.aborted) return;
            await Promise.race([feed.next, gone]);
          }
          if (signal.aborted) return;
          if (feed.events[place].number > after) yield feed.events[place];
        }
      } finally {
        if (--feed.readers === 0) {
          feed.end.abort();
          if (feeds.get(key) === feed) feeds.delete(key);
        }
      }
    },
    get open() {
      return { streams: open.all, digests: feeds.size };
    },
  };
}
