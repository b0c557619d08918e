import { type Lease, renewLeases } from '../../store/index.ts';
import { type BegunJob, beginJob } from './begin-job.ts';
import type { MadeDigest } from './job-signals.ts';
import type { AcceptedDigest, JobDeps } from './run-job.ts';

/**
 * Does one job, and keeps holding it meanwhile: for runtimes where nothing lives longer than a request. Where the lease is lost,
 * the work ends.
 *
 * @param owner who holds the job
 * @param accepted what this process has in memory of it, where it has just accepted it
 * @param onNews told when readers can find something new, and of the digest before it is stored; that is null where it was not
 */
export function runLeased(
  lease: Lease,
  deps: JobDeps,
  accepted: AcceptedDigest | null,
  {
    owner,
    leaseMilliseconds,
    onNews,
  }: { owner: string; leaseMilliseconds: number; onNews: (made?: Promise<MadeDigest | null>) => void },
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
