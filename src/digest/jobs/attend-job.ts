import type { Lease } from '../../store/jobs.ts';
import { renewLeases } from '../../store/take-jobs.ts';
import { type EndedBy, type JobParts, runJob } from './run-job.ts';

/** A job that somebody is at. */
export interface AttendedJob {
  /** Resolves when nobody is at it any more, with what kept the work from any end; never rejects. */
  readonly done: Promise<{ readonly failure: unknown } | null>;
  /** Ends the work on it. */
  end(by: EndedBy): void;
}

/**
 * Does one job, and keeps holding it meanwhile: for runtimes where nothing lives longer than a request. Where the lease is lost,
 * the work ends.
 *
 * @param owner who holds the job
 * @param onNews told when readers can find something new
 */
export function attendJob(
  lease: Lease,
  parts: JobParts,
  { owner, leaseMilliseconds, onNews }: { owner: string; leaseMilliseconds: number; onNews: () => void },
): AttendedJob {
  const controller = new AbortController();
  let endedBy: EndedBy | null = null;
  const report = (failure: unknown): void => parts.reportJobFailure(failure, lease);
  const end = (by: EndedBy): void => {
    if (endedBy !== null) return;
    endedBy = by;
    controller.abort();
  };
  const renew = async (): Promise<void> => {
    const held = await renewLeases(parts.database, owner, [lease.id], leaseMilliseconds);
    if (held.get(lease.id) !== lease.attempt) end('lost');
  };
  const heartbeat = setInterval(() => void renew().catch(report), leaseMilliseconds / 3);
  parts.onJob?.(lease.crashes > 0 ? 'taken-over' : 'started');
  const done = runJob(lease, parts, controller.signal, () => endedBy, onNews)
    .then(
      () => null,
      (failure: unknown) => {
        report(failure); // the lease ends by itself, and whoever comes next does it again
        return { failure };
      },
    )
    .finally(() => {
      clearInterval(heartbeat);
      onNews();
    });
  return { done, end };
}
