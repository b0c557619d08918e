import type { Lease } from '../../store/index.ts';
import { attendJob } from './attend-job.ts';
import type { BegunJob } from './begin-job.ts';
import { jobSignals } from './job-signals.ts';
import type { Room } from './room.ts';
import type { JobParts } from './run-job.ts';
import type { Worker } from './start-worker.ts';

export interface RequestWorkerOptions {
  /** UTF-16 code units of all documents of a digest that a request makes itself, where its caller waits. */
  readonly mostCharacters: number;
  /** Room for the characters of all requests that share a memory. */
  readonly room: Room;
  readonly leaseMilliseconds: number;
  /** How long a request may look for news of what others do: each look is a query, of which it has so many. */
  readonly patienceMilliseconds: number;
  /** Keeps the runtime from ending the request before this has settled. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Leaves a job to others. What is lost on this way is found again by whoever looks for forgotten jobs. */
  readonly handOver: (id: string) => Promise<void>;
  /** Sends messages that are due, once a job with an address to tell has ended. */
  readonly deliver: () => Promise<void>;
}

/**
 * The worker of one request, where nothing lives longer than a request: what is small, waited for and asks no
 * language model is done at once, the rest is handed over.
 */
export function requestWorker(parts: JobParts, options: RequestWorkerOptions): Worker {
  const { leaseMilliseconds, waitUntil, deliver } = options;
  const owner = `request_${crypto.randomUUID()}`;
  const began = parts.database.now();
  const signals = jobSignals();
  const running = new Map<string, BegunJob>();
  const report = (failure: unknown): void => parts.reportJobFailure(failure, { id: owner, attempt: 0 });

  function begin(lease: Lease, leave: () => void): void {
    const onNews = () => signals.tell(lease.id);
    const job = attendJob(lease, parts, { owner, leaseMilliseconds, onNews });
    running.set(lease.id, job);
    waitUntil(
      job.done
        .then(() => running.delete(lease.id))
        .then(() => (lease.callbackUrl === null ? undefined : deliver()))
        .catch(report)
        .finally(leave),
    );
  }

  return {
    owner,
    signals,
    reserve({ isAwaited, characters, asksModel }) {
      if (!isAwaited || asksModel || characters > options.mostCharacters) return null;
      const leave = options.room.enter(characters);
      if (leave === null) return null;
      const until = parts.database.now() + leaseMilliseconds;
      return { until, begin: (lease) => begin(lease, leave), giveUp: leave };
    },
    wake(id) {
      if (id !== undefined) waitUntil(options.handOver(id).catch(report));
    },
    cancelled(id) {
      parts.onJob?.('cancelled');
      running.get(id)?.end('cancelled');
      signals.tell(id);
      waitUntil(deliver().catch(report));
    },
    drain() {},
    isStopped: () => running.size === 0 && parts.database.now() > began + options.patienceMilliseconds,
    stop: async () => {},
  };
}
