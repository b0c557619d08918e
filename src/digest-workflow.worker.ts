import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { workInSteps } from './digest/jobs/work-in-steps.ts';
import type { EdgeEnv, JobMessage } from './edge-env.worker.ts';
import { edgeService } from './service.worker.ts';

/** Runs of a step; what it did before it was cut off is in the database. */
const RETRIES = { limit: 5, delay: '5 seconds', backoff: 'exponential' } as const;

/** Does the job of one digest. Its steps carry ids; the database holds the rest, and says what is left to be done. */
export class DigestWorkflow extends WorkflowEntrypoint<EdgeEnv, JobMessage> {
  override async run({ payload, instanceId }: WorkflowEvent<JobMessage>, step: WorkflowStep): Promise<void> {
    const { jobs, deliver, configuration } = edgeService(this.env);
    await workInSteps(
      payload.id,
      jobs,
      {
        do: (name, work) => step.do(name, { retries: RETRIES, timeout: '15 minutes' }, work),
        sleep: (name, milliseconds) => step.sleep(name, milliseconds),
      },
      {
        owner: `workflow_${instanceId}`,
        leaseMilliseconds: configuration.service.leaseMilliseconds,
        afterwards: deliver,
      },
    );
  }
}
