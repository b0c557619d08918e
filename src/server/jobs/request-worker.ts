import type { Lease } from '../../store/index.ts';
import { type BegunJob, runLeased } from './begin-job.ts';
import { jobSignals, type OnNews } from './job-signals.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { AcceptedDigest, JobDeps } from './run-job.ts';
import type { Worker } from './start-worker.ts';

export interface RequestWorkerOptions {
  /** UTF-16 code units of all documents of a digest that a request makes itself, where its caller waits. */
  readonly maxCharacters: number;
  /** Room for the characters of all requests that share a memory. */
  readonly room: MemoryBudget;
  readonly leaseMilliseconds: number;
  /** How long a request may look for news of what others do: each look is a query, of which it has so many. */
  readonly maxWaitMilliseconds: number;
  /** Keeps the runtime from ending the request before this has settled. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Leaves a job to others. What is lost on this way is found again by whoever looks for forgotten jobs. */
  readonly handOver: (id: string, run: number) => Promise<void>;
  /** Sends messages that are due, once a job with an address to tell has ended. */
  readonly deliver: () => Promise<void>;
}

/**
 * The worker of one request, where nothing lives longer than a request: what is small, waited for and asks no
 * language model is done at once, the rest is handed over.
 */
export function requestWorker(deps: JobDeps, options: RequestWorkerOptions): Worker {
  const { leaseMilliseconds, waitUntil, deliver } = options;
  const owner = `request_${crypto.randomUUID()}`;
  const began = deps.database.now();
  const signals = jobSignals();
  const running = new Map<string, BegunJob>();
  const report = (failure: unknown): void => deps.reportJobFailure(failure, { id: owner, attempt: 0 });

  function begin(lease: Lease, accepted: AcceptedDigest, leave: () => void): void {
    const onNews: OnNews = (made) => signals.notify(lease.id, made);
    const job = runLeased(lease, deps, accepted, { owner, leaseMilliseconds, onNews });
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
      if (!isAwaited || asksModel || characters > options.maxCharacters) return null;
      const leave = options.room.enter(characters);
      if (leave === null) return null;
      const until = deps.database.now() + leaseMilliseconds;
      return { until, begin: (lease, accepted) => begin(lease, accepted, leave), release: leave };
    },
    wake(id, run = 1) {
      if (id !== undefined) waitUntil(options.handOver(id, run).catch(report));
    },
    cancelled(id) {
      deps.onJob?.('cancelled');
      running.get(id)?.end('cancelled');
      signals.notify(id);
      waitUntil(deliver().catch(report));
    },
    drain() {},
    isStopped: () => running.size === 0 && deps.database.now() > began + options.maxWaitMilliseconds,
    stop: async () => {},
  };
}
