import { claimJob, type Lease, nextJobAt, renewLeases } from '../../store/index.ts';
import { tenantTally } from '../limits.ts';
import { type JobSignals, jobSignals, type OnNews } from './follow-digest.ts';
import { type AcceptedDigest, type EndedBy, type JobDeps, runJob } from './run-job.ts';

export interface BegunJob {
  /** Resolves after the work, with the failure that prevented any end; never rejects. */
  readonly done: Promise<{ readonly failure: unknown } | null>;
  end(by: EndedBy): void;
}

function beginJob(lease: Lease, deps: JobDeps, accepted: AcceptedDigest | null, onNews: OnNews): BegunJob {
  const controller = accepted?.controller ?? new AbortController();
  let endedBy: EndedBy | null = null;
  deps.onJob?.(lease.crashes > 0 ? 'taken-over' : 'started');
  const done = runJob(lease, deps, accepted, controller.signal, () => endedBy, onNews)
    .then(
      () => null,
      (failure: unknown) => {
        deps.reportJobFailure(failure, lease); // the lease ends by itself, and whoever comes next does it again
        return { failure };
      },
    )
    .finally(() => onNews());
  return {
    done,
    end(by) {
      if (endedBy !== null) return;
      endedBy = by;
      controller.abort();
    },
  };
}

/** Runs a leased job and renews its lease, for runtimes without a long-lived worker. Stops if the lease is lost. */
export function runLeased(
  lease: Lease,
  deps: JobDeps,
  accepted: AcceptedDigest | null,
  { owner, leaseMilliseconds, onNews }: { owner: string; leaseMilliseconds: number; onNews: OnNews },
): BegunJob {
  const renew = async (): Promise<void> => {
    const held = await renewLeases(deps.database, owner, [lease.id], leaseMilliseconds);
    if (held.get(lease.id) !== lease.attempt) job.end('lost');
  };
  const report = (failure: unknown): void => deps.reportJobFailure(failure, lease);
  const heartbeat = setInterval(() => void renew().catch(report), leaseMilliseconds / 3);
  const job = beginJob(lease, deps, accepted, onNews);
  return { ...job, done: job.done.finally(() => clearInterval(heartbeat)) };
}

interface WorkerOptions {
  /** Concurrent jobs, doubled for tenants that would otherwise have none; 0 leaves all jobs to other processes. */
  readonly slots: number;
  readonly leaseMilliseconds: number;
  readonly pollMilliseconds: number;
}

interface Place {
  readonly until: number;
  begin(lease: Lease, accepted: AcceptedDigest): void;
  release(): void;
}

interface AcceptedJob {
  readonly tenant: string;
  readonly isAwaited: boolean;
  readonly characters: number;
  readonly asksModel: boolean;
}

export interface Worker {
  readonly owner: string;
  readonly signals: JobSignals;
  /** Null if no place is free, or the job is for another process. */
  reserve(job: AcceptedJob): Place | null;
  /** Polls now, for the given job and run (from 1) if known. */
  wake(id?: string, run?: number): void;
  cancelled(id: string): void;
  /** Takes only jobs that callers wait for. */
  drain(): void;
  isStopped(): boolean;
  /** Takes no more jobs; returns running ones to the queue after the timeout. */
  stop(milliseconds: number): Promise<void>;
}

interface Running {
  readonly lease: Lease;
  readonly done: Promise<void>;
  readonly end: BegunJob['end'];
}

export function startWorker(deps: JobDeps, { slots, leaseMilliseconds, pollMilliseconds }: WorkerOptions): Worker {
  const { database } = deps;
  const owner = `worker_${crypto.randomUUID()}`;
  const signals = jobSignals();
  const running = new Map<string, Running>();
  const taken = tenantTally();
  let looking: Promise<void> | null = null;
  let isWanted = false;
  let isDraining = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heartbeat = slots > 0 ? setInterval(() => void renew(), leaseMilliseconds / 3) : undefined;

  const report = (failure: unknown): void => deps.reportJobFailure(failure, { id: owner, attempt: 0 });
  const isFree = (): boolean => !isStopped && taken.all < slots;
  /** A spare place serves a tenant without any, however long other jobs take. */
  const isSpare = (tenant: string): boolean => !isStopped && taken.of(tenant) === 0 && taken.all < 2 * slots;

  function begin(lease: Lease, accepted: AcceptedDigest | null, release: () => void): void {
    end(lease.id, 'lost'); // an earlier attempt of this process whose lease has ended
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
      const asked = new Map(running); // jobs that begin during the query have fresh leases
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
