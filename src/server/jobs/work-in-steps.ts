import { jobDue, takeJob } from '../../store/index.ts';
import { runLeased } from './begin-job.ts';
import type { JobDeps } from './run-job.ts';

/** Runs steps, each until it succeeded once, whatever happens to the process meanwhile; what a step answers is kept. */
export interface Steps {
  do<T extends string | number | boolean | null>(name: string, step: () => Promise<T>): Promise<T>;
  sleep(name: string, milliseconds: number): Promise<void>;
}

export interface StepOptions {
  /** Who does it: the same when a step is run again. */
  readonly owner: string;
  readonly leaseMilliseconds: number;
  /** Sends messages that are due, once the job has ended. */
  readonly deliver: () => Promise<void>;
}

/**
 * Does a job in steps that may each be cut off and run again. A step that makes the digest takes the job anew, so that what is
 * left of the run before it can write no more, and goes on from what that left in the database. Between steps go names and
 * pauses only.
 */
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
      if (broken != null) throw broken.failure; // the step is run again, sooner than the lease ends
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
