import { claimJob, type Lease, nextJobAt, renewLeases } from '../../store/index.ts';
import { tenantTally } from '../tenant-tally.ts';
import { type BegunJob, beginJob } from './begin-job.ts';
import { type JobSignals, jobSignals } from './job-signals.ts';
import type { AcceptedDigest, EndedBy, JobDeps } from './run-job.ts';

interface WorkerOptions {
  /** Jobs that run at once in this process, and as many again of tenants that would have none there; 0 leaves all to others. */
  readonly slots: number;
  /** How long a job is held without a sign of life. */
  readonly leaseMilliseconds: number;
  /** How often the database is looked into for what other processes left. */
  readonly pollMilliseconds: number;
}

/** A hand that is free for a job that is just being accepted. */
interface Place {
  readonly until: number;
  begin(lease: Lease, accepted: AcceptedDigest): void;
  release(): void;
}

/** A job as it is when somebody is looked for to do it. */
interface AcceptedJob {
  readonly tenant: string;
  /** Whether a caller waits for it. */
  readonly isAwaited: boolean;
  /** UTF-16 code units of all its documents. */
  readonly characters: number;
  /** Whether a language model is asked for anything. */
  readonly asksModel: boolean;
}

/** Does the jobs of a database, some at a time. */
export interface Worker {
  /** Names this worker in the database. */
  readonly owner: string;
  readonly signals: JobSignals;
  /** A free hand, kept for the caller; null where all are busy, or the job is for others. */
  reserve(job: AcceptedJob): Place | null;
  /**
   * Looks for work now.
   *
   * @param id of the job that waits, where it is known
   * @param run which of its runs, from 1, the default
   */
  wake(id?: string, run?: number): void;
  /** Told that a job was cancelled. */
  cancelled(id: string): void;
  /** Takes no more jobs but those that callers wait for. */
  drain(): void;
  isStopped(): boolean;
  /** Takes no more jobs; lets those under way end for so long, and hands the rest back. */
  stop(milliseconds: number): Promise<void>;
}

interface Running {
  readonly lease: Lease;
  readonly done: Promise<void>;
  readonly end: BegunJob['end'];
}

/** Starts to do jobs. Failures of the loop itself are reported and tried again. */
export function startWorker(deps: JobDeps, { slots, leaseMilliseconds, pollMilliseconds }: WorkerOptions): Worker {
  const { database } = deps;
  const owner = `worker_${crypto.randomUUID()}`;
  const signals = jobSignals();
  const running = new Map<string, Running>();
  /** Jobs that run, and places kept for those that are just being accepted. */
  const taken = tenantTally();
  let looking: Promise<void> | null = null;
  let isWanted = false;
  let isDraining = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heartbeat = slots > 0 ? setInterval(() => void renew(), leaseMilliseconds / 3) : undefined;

  const report = (failure: unknown): void => deps.reportJobFailure(failure, { id: owner, attempt: 0 });
  const isFree = (): boolean => !isStopped && taken.all < slots;
  /** Whether there is a place for a tenant that has none taken, however many jobs of others take long. */
  const isSpare = (tenant: string): boolean => !isStopped && taken.of(tenant) === 0 && taken.all < 2 * slots;

  function begin(lease: Lease, accepted: AcceptedDigest | null, release: () => void): void {
    end(lease.id, 'lost'); // an attempt of this very process whose lease has ended
    const job = beginJob(lease, deps, accepted, (made) => signals.notify(lease.id, made));
    const done = job.done.then(() => {
      release();
      if (running.get(lease.id) === run) running.delete(lease.id);
      wake();
    });
    const run: Running = { lease, done, end: job.end };
    running.set(lease.id, run);
  }

  function end(id: string, by: EndedBy): void {
    running.get(id)?.end(by);
  }

  async function renew(): Promise<void> {
    try {
      const asked = new Map(running); // what begins while the database is waited for has a lease of its own
      const held = await renewLeases(database, owner, [...asked.keys()], leaseMilliseconds);
      for (const [id, run] of asked) {
        if (running.get(id) === run && held.get(id) !== run.lease.attempt) end(id, 'lost');
      }
    } catch (failure) {
      report(failure);
    }
  }

  async function look(): Promise<void> {
    try {
      while (isFree()) {
        const lease = await claimJob(database, owner, leaseMilliseconds, isDraining ? 1 : 0);
        if (lease === null) break;
        begin(lease, null, taken.take(lease.tenant, 1));
      }
      const at = isFree() && !isDraining ? await nextJobAt(database, leaseMilliseconds) : null;
      sleep(at === null ? pollMilliseconds : Math.min(pollMilliseconds, Math.max(1, at - database.now() + 1)));
    } catch (failure) {
      report(failure);
      sleep(pollMilliseconds);
    }
  }

  function sleep(milliseconds: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(wake, milliseconds);
  }

  function wake(): void {
    if (slots === 0 || isStopped) return;
    isWanted = true;
    looking ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await look();
      }
    })().finally(() => {
      looking = null;
    });
  }

  wake();
  return {
    owner,
    signals,
    reserve({ tenant, isAwaited }) {
      if (!(isFree() || isSpare(tenant)) || (isDraining && !isAwaited)) return null;
      const release = taken.take(tenant, 1);
      return {
        until: database.now() + leaseMilliseconds,
        begin: (lease, accepted) => begin(lease, accepted, release),
        release,
      };
    },
    wake: () => wake(),
    cancelled(id) {
      deps.onJob?.('cancelled');
      end(id, 'cancelled');
      signals.notify(id);
    },
    drain() {
      isDraining = true;
    },
    isStopped: () => isStopped,
    async stop(milliseconds) {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      const all = Promise.all([...running.values()].map(({ done }) => done));
      await Promise.race([all, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
      clearTimeout(timer);
      for (const id of running.keys()) end(id, 'stopping');
      await all;
      clearInterval(heartbeat);
      signals.notifyAll();
    },
  };
}
