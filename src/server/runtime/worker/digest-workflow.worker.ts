import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { workInSteps } from '../../jobs/edge-work.ts';
import type { EdgeEnv, JobMessage } from './edge-configuration.worker.ts';
import { edgeService } from './service.worker.ts';

/** Retries of a step that was killed. */
const RETRIES = { limit: 3, delay: '5 seconds', backoff: 'exponential' } as const;

/** Does the job of one digest. Its steps carry only ids; the database holds the rest. */
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
