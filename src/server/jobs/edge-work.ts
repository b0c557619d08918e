import { jobDue, takeJob } from '../../store/index.ts';
import type { JobDeps } from './run-job.ts';
import { jobRunner, type Worker } from './start-worker.ts';

/** Returns a function that frees the memory again; null if there is too little. */
type EnterMemory = (size: number) => (() => void) | null;

/** Limits the total size of work in memory. Killed work never leaves, so it expires after `longest` milliseconds. */
export function memoryBudget(most: number, longest: number, now: () => number): EnterMemory {
  const inside = new Set<{ readonly size: number; readonly until: number }>();
  return (size) => {
    const time = now();
    for (const each of inside) if (each.until <= time) inside.delete(each);
    const taken = [...inside].reduce((sum, each) => sum + each.size, 0);
    if (taken + size > most) return null;
    const own = { size, until: time + longest };
    inside.add(own);
    return () => void inside.delete(own);
  };
}

export interface RequestWorkerOptions {
  /** Max UTF-16 code units of documents in a digest that a request makes itself. */
  readonly maxCharacters: number;
  readonly enterMemory: EnterMemory;
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
  const { deliver } = options;
  const runner = jobRunner(deps, `request_${crypto.randomUUID()}`, options.leaseMilliseconds);
  const { owner, signals, running } = runner;
  const began = deps.database.now();
  const untilSettled = (work: Promise<unknown>): void =>
    options.waitUntil(work.catch((failure) => deps.reportJobFailure(failure, { id: owner, attempt: 0 })));

  return {
    owner,
    signals,
    reserve({ isAwaited, characters, asksModel }) {
      if (!isAwaited || asksModel || characters > options.maxCharacters) return null;
      const release = options.enterMemory(characters);
      if (release === null) return null;
      return {
        until: runner.leaseEnd(),
        begin(lease, accepted) {
          const { done } = runner.begin(lease, accepted);
          untilSettled(done.then(() => (lease.callbackUrl === null ? undefined : deliver())).finally(release));
        },
        release,
      };
    },
    wake(id, run = 1) {
      if (id !== undefined) untilSettled(options.handOver(id, run));
    },
    cancelled(id) {
      runner.cancelled(id);
      untilSettled(deliver());
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
  const runner = jobRunner(deps, owner, leaseMilliseconds);
  for (let round = 1; ; round++) {
    const pause = await steps.do(`make ${round}`, async () => {
      const lease = await takeJob(deps.database, id, owner, leaseMilliseconds);
      const broken = lease && (await runner.begin(lease, null).done);
      if (broken !== null) throw broken.failure; // repeats the step, sooner than the lease ends
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
