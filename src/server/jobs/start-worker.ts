import { claimJob, type Lease, nextJobAt, renewLeases } from '../../store/index.ts';
import { tenantTally } from '../limits.ts';
import { type JobSignals, jobSignals } from './follow-digest.ts';
import { poll } from './poll.ts';
import { type AcceptedDigest, type EndedBy, type JobDeps, runJob } from './run-job.ts';

interface BegunJob {
  /** Resolves after the work, with the failure that prevented any end; never rejects. */
  readonly done: Promise<{ readonly failure: unknown } | null>;
  end(by: EndedBy): void;
}

/** Runs leased jobs as `owner` and renews their leases. A job stops if its lease is lost. */
export function jobRunner(deps: JobDeps, owner: string, leaseMilliseconds: number) {
  const signals = jobSignals();
  const running = new Map<string, BegunJob>();
  return {
    owner,
    signals,
    running,
    /** When a lease given now ends. */
    leaseEnd: () => deps.database.now() + leaseMilliseconds,
    begin(lease: Lease, accepted: AcceptedDigest | null): BegunJob {
      const { id } = lease;
      running.get(id)?.end('lost'); // an earlier attempt of this process, whose lease expired
      const controller = new AbortController();
      let endedBy: EndedBy | null = null;
      const end = (by: EndedBy): void => {
        endedBy ??= by;
        controller.abort();
      };
      const report = (failure: unknown): void => deps.reportJobFailure(failure, lease);
      const renew = async (): Promise<void> => {
        const held = await renewLeases(deps.database, owner, [id], leaseMilliseconds);
        if (held.get(id) !== lease.attempt) end('lost');
      };
      const heartbeat = setInterval(() => void renew().catch(report), leaseMilliseconds / 3);
      deps.onJob?.(lease.crashes > 0 ? 'taken-over' : 'started');
      const news = (): void => signals.notify(id);
      const done = runJob(lease, deps, accepted, controller.signal, () => endedBy, news)
        .then(
          () => null,
          (failure: unknown) => {
            report(failure); // the lease expires, and another attempt makes the digest
            return { failure };
          },
        )
        .finally(() => {
          clearInterval(heartbeat);
          news();
          if (running.get(id) === job) running.delete(id);
        });
      const job = { done, end };
      running.set(id, job);
      return job;
    },
    cancelled(id: string): void {
      deps.onJob?.('cancelled');
      running.get(id)?.end('cancelled');
      signals.notify(id);
    },
  };
}

interface WorkerOptions {
  /** Concurrent jobs, doubled for tenants that would otherwise have none; 0 leaves all jobs to other processes. */
  readonly slots: number;
  readonly leaseMilliseconds: number;
  readonly pollMilliseconds: number;
}

interface Place {
  /** When the lease ends. */
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

export function startWorker(deps: JobDeps, { slots, leaseMilliseconds, pollMilliseconds }: WorkerOptions): Worker {
  const { database } = deps;
  const runner = jobRunner(deps, `worker_${crypto.randomUUID()}`, leaseMilliseconds);
  const { owner, signals, running, cancelled } = runner;
  const taken = tenantTally();
  let isDraining = false;
  let isStopped = false;
  const isFree = (): boolean => !isStopped && taken.all < slots;
  /** A spare place serves a tenant without any, however long other jobs take. */
  const isSpare = (tenant: string): boolean => !isStopped && taken.of(tenant) === 0 && taken.all < 2 * slots;
  const polling = poll(look, pollMilliseconds, (failure) => deps.reportJobFailure(failure, { id: owner, attempt: 0 }));
  const wake = (): void => {
    if (slots > 0) polling.wake();
  };

  function begin(lease: Lease, accepted: AcceptedDigest | null, release: () => void): void {
    void runner.begin(lease, accepted).done.then(() => {
      release();
      wake();
    });
  }

  async function look(): Promise<number> {
    while (isFree()) {
      const lease = await claimJob(database, owner, leaseMilliseconds, isDraining ? 1 : 0);
      if (lease === null) break;
      begin(lease, null, taken.take(lease.tenant, 1));
    }
    const at = isFree() && !isDraining ? await nextJobAt(database, leaseMilliseconds) : null;
    return at === null ? pollMilliseconds : Math.min(pollMilliseconds, Math.max(1, at - database.now() + 1));
  }

  wake();
  return {
    owner,
    signals,
    reserve({ tenant, isAwaited }) {
      if (!(isFree() || isSpare(tenant)) || (isDraining && !isAwaited)) return null;
      const release = taken.take(tenant, 1);
      return { until: runner.leaseEnd(), begin: (lease, accepted) => begin(lease, accepted, release), release };
    },
    wake,
    cancelled,
    drain() {
      isDraining = true;
    },
    isStopped: () => isStopped,
    async stop(milliseconds) {
      isStopped = true;
      await polling.stop();
      const jobs = [...running.values()];
      const ended = Promise.all(jobs.map(({ done }) => done));
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
      clearTimeout(timer);
      for (const job of jobs) job.end('stopping');
      await ended;
      signals.notify();
    },
  };
}
