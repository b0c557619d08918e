import type { Database } from '../../store/index.ts';
import { TesseraError } from '../../text/index.ts';
import { tenantTally } from '../tenant-tally.ts';
import { followDigest } from './follow-digest.ts';
import type { Worker } from './start-worker.ts';

/** An event of a digest, as its readers share it. */
export interface FeedEvent {
  readonly number: number;
  readonly event: string;
  readonly data: string;
  /** What was made of the event for one reader and serves others as well, by what they ask for. */
  readonly views: Map<string, Uint8Array<ArrayBuffer>>;
}

/** A tenant, or the service, has as many streams open as it may. */
export class TooManyStreamsError extends TesseraError {
  readonly code = 'too-many-streams';

  constructor(most: number) {
    super(`At most ${most} event streams may be open at once: close one, or poll the digest instead.`);
  }
}

/** Streams open at once. */
export interface StreamLimits {
  readonly perTenant: number;
  readonly total: number;
}

/** Lets any number of readers in this process follow a digest while the database is read for one. */
export interface DigestFeeds {
  /**
   * Takes a place for a stream.
   *
   * @returns gives it back; more than once is once
   * @throws TooManyStreamsError
   */
  enter(tenant: string): () => void;
  /** As `followDigest`. @param after number of the last event that the reader has; 0 for none */
  follow(database: Database, id: string, worker: Worker, after: number, signal: AbortSignal): AsyncGenerator<FeedEvent>;
  /** Streams open, and digests followed for them. */
  readonly open: { readonly streams: number; readonly digests: number };
}

/** What is known of one digest as long as somebody reads it. */
interface Feed {
  readonly events: FeedEvent[];
  readonly end: AbortController;
  readers: number;
  /** Settles when there is more to read, or nothing will come any more; fails as the reading fails. */
  next: Promise<void>;
  isOver: boolean;
}

export function digestFeeds({ perTenant, total }: StreamLimits): DigestFeeds {
  const feeds = new Map<string, Feed>();
  const open = tenantTally();

  function begin(database: Database, id: string, worker: Worker): Feed {
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
      feed.next.catch(() => {}); // Whoever reads is told; nobody may.
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
