import { jobDue, type Lease, takeJob } from '../../store/index.ts';
import { jobSignals } from './follow-digest.ts';
import type { AcceptedDigest, JobDeps } from './run-job.ts';
import { type BegunJob, runLeased, type Worker } from './start-worker.ts';

interface MemoryBudget {
  /** Returns a function that releases the size; null if there is too little room. */
  enter(size: number): (() => void) | null;
}

/** Limits the total size of work in memory. Killed work never leaves, so it expires after `longest` milliseconds. */
export function memoryBudget({
  most,
  longest,
  now,
}: {
  readonly most: number;
  readonly longest: number;
  readonly now: () => number;
}): MemoryBudget {
  const inside = new Map<symbol, { readonly size: number; readonly until: number }>();
  return {
    enter(size) {
      const time = now();
      let taken = 0;
      for (const [key, entry] of inside) {
        if (entry.until <= time) inside.delete(key);
        else taken += entry.size;
      }
      if (taken + size > most) return null;
      const own = Symbol();
      inside.set(own, { size, until: time + longest });
      return () => void inside.delete(own);
    },
  };
}

export interface RequestWorkerOptions {
  /** Max UTF-16 code units of documents in a digest that a request makes itself. */
  readonly maxCharacters: number;
  readonly room: MemoryBudget;
  readonly leaseMilliseconds: number;
  /** Limits polling for a job elsewhere, since the queries of a request are limited. */
  readonly maxWaitMilliseconds: number;
  /** Keeps the runtime from ending the request before this has settled. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Hands a job over to others; the scheduled run finds lost ones. */
  readonly handOver: (id: string, run: number) => Promise<void>;
  readonly deliver: () => Promise<void>;
}

/** The worker of one request, without a long-lived process: makes small, awaited digests without a model, and hands over the rest. */
export function requestWorker(deps: JobDeps, options: RequestWorkerOptions): Worker {
  const { leaseMilliseconds, waitUntil, deliver } = options;
  const owner = `request_${crypto.randomUUID()}`;
  const began = deps.database.now();
  const signals = jobSignals();
  const running = new Map<string, BegunJob>();
  const report = (failure: unknown): void => deps.reportJobFailure(failure, { id: owner, attempt: 0 });

  function begin(lease: Lease, accepted: AcceptedDigest, leave: () => void): void {
    const onNews = (): void => signals.notify(lease.id);
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

/** Runs each step until it has succeeded once, and stores results across restarts. */
export interface Steps {
  do<T extends string | number | boolean | null>(name: string, step: () => Promise<T>): Promise<T>;
  sleep(name: string, milliseconds: number): Promise<void>;
}

export interface StepOptions {
  /** The same for a repeated step. */
  readonly owner: string;
  readonly leaseMilliseconds: number;
  readonly deliver: () => Promise<void>;
}

/** Runs a job in repeatable steps. Each leases the job again, which stops leftovers from writing, and resumes from its checkpoints. */
export async function workInSteps(
  id: string,
  deps: JobDeps,
  steps: Steps,
  { owner, leaseMilliseconds, deliver }: StepOptions,
): Promise<void> {
  for (let round = 1; ; round++) {
    const pause = await steps.do(`make ${round}`, async () => {
      const lease = await takeJob(deps.database, id, owner, leaseMilliseconds);
      const job = lease && runLeased(lease, deps, null, { owner, leaseMilliseconds, onNews: () => {} });
      const broken = await job?.done;
      if (broken != null) throw broken.failure; // repeats the step, sooner than the lease ends
      return jobDue(deps.database, id);
    });
    if (pause === null) break;
    await steps.sleep(`pause ${round}`, pause);
  }
  await steps.do('tell', async () => {
    await deliver();
    return null;
  });
}
