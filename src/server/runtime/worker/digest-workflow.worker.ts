import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { workInSteps } from '../../jobs/work-in-steps.ts';
import type { EdgeEnv, JobMessage } from './edge-env.worker.ts';
import { edgeService } from './service.worker.ts';

/** Of a step that was cut off; what it did is in the database, where it is counted too, however many workflows try. */
const RETRIES = { limit: 3, delay: '5 seconds', backoff: 'exponential' } as const;

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
        deliver,
      },
    );
  }
}
