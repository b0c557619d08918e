import type { Lease } from '../../store/index.ts';
import type { MadeDigest } from './job-signals.ts';
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
 * @param onNews told when readers can find something new, and of the digest before it is stored; that is null where it was not
 */
export function beginJob(
  lease: Lease,
  deps: JobDeps,
  accepted: AcceptedDigest | null,
  onNews: (made?: Promise<MadeDigest | null>) => void,
): BegunJob {
  const { controller } = accepted ?? { controller: new AbortController() };
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
