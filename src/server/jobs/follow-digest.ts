import { type Database, type JobEvent, readDigest, readEvents, type StoredDigest } from '../../store/index.ts';
import type { MadeDigest } from './job-signals.ts';
import type { Worker } from './start-worker.ts';

/** Milliseconds after which the database is looked into, for what other processes wrote. */
const LOOK_AGAIN = 500;
/** The events that a job ends with. */
const LAST = new Set(['digest', 'error', 'cancelled']);

/** Whether nothing more will come of a digest. */
export function hasDigestEnded({ answer, state }: StoredDigest): boolean {
  return answer !== null || (state !== 'queued' && state !== 'running');
}

/**
 * Waits until a digest has ended.
 *
 * @param milliseconds to wait at most
 * @param signal ends the waiting
 * @returns the digest that this process has made meanwhile, or the digest as it is stored then, ended or not; undefined where it is
 *   gone
 */
export async function waitForDigest(
  database: Database,
  id: string,
  worker: Worker,
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
      if (hasDigestEnded(stored)) return (await watch.made()) ?? stored; // which it may have come to while it was read
      const left = until - performance.now();
      if (left <= 0 || signal?.aborted || worker.isStopped()) return stored;
      await watch.wait(Math.min(LOOK_AGAIN, left), signal);
    }
  } finally {
    watch.close();
  }
}

/**
 * What a job tells: everything after an event, and then live, until its end. The last event of a finished digest carries its
 * answer. Ends early where the digest is removed, with the signal, and where this process stops; who reads can go on
 * elsewhere from the last number.
 *
 * @param after number of the last event that the reader has; 0 for none
 */
export async function* followDigest(
  database: Database,
  id: string,
  worker: Worker,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<JobEvent & { readonly data: string }> {
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
        // It was made without a job, and told nothing on its way.
        if (digest.answer !== null && last === 0) yield { number: 1, event: 'digest', data: digest.answer };
        return;
      }
      await watch.wait(LOOK_AGAIN, signal);
    }
  } finally {
    watch.close();
  }
}
