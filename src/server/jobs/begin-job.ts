import { type Lease, renewLeases } from '../../store/index.ts';
import type { OnNews } from './follow-digest.ts';
import { type AcceptedDigest, type EndedBy, type JobDeps, runJob } from './run-job.ts';

/** A job that somebody is at. */
export interface BegunJob {
  /** Resolves when nobody is at it any more, with what kept the work from any end; never rejects. */
  readonly done: Promise<{ readonly failure: unknown } | null>;
  /** Ends the work on it; only the first reason counts. */
  end(by: EndedBy): void;
}

/**
 * Begins to do a job that is held.
 *
 * @param accepted what this process has in memory of it, where it has just accepted it
 */
export function beginJob(lease: Lease, deps: JobDeps, accepted: AcceptedDigest | null, onNews: OnNews): BegunJob {
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

/**
 * Does one job, and keeps holding it meanwhile: for runtimes where nothing lives longer than a request. Where the lease is lost,
 * the work ends.
 *
 * @param owner who holds the job
 * @param accepted what this process has in memory of it, where it has just accepted it
 */
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
