import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { orphanedJobs, sweep } from '../../../store/index.ts';
import { workInSteps } from '../../jobs/edge-work.ts';
import type { EdgeEnv, JobMessage } from './edge-configuration.worker.ts';
import { type EdgeService, edgeService } from './service.worker.ts';

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

interface NamedJob {
  readonly name: string;
  readonly id: string;
}

const AT_ONCE = 100;

/**
 * Starts a workflow for each job. The platform ignores names that are in use, or were.
 *
 * @returns the number of started workflows
 */
export async function beginWorkflows({ DIGESTS }: EdgeEnv, jobs: readonly NamedJob[]): Promise<number> {
  const each = [...new Map(jobs.map(({ name, id }) => [name, { id: name, params: { id } }])).values()];
  let begun = 0;
  for (let from = 0; from < each.length; from += AT_ONCE) {
    begun += (await DIGESTS.createBatch(each.slice(from, from + AT_ONCE))).length;
  }
  return begun;
}

/** Milliseconds after which a waiting job is taken to be orphaned; before, its message may still be in the queue. */
const FORGOTTEN = 60_000;
/** Milliseconds after which an attempt that did not start gets another workflow. */
const ANOTHER = 600_000;
const MAX = 1000;
/** Rounds of webhooks, each of at most 20 seconds. */
const ROUNDS = 25;
/** Maximum statements of a sweep, of the 1,000 of a run. */
const STATEMENTS = 500;

/** Starts a workflow for each orphaned job, delivers due webhooks, and sweeps once an hour. A failure of one does not affect the others. */
export async function runScheduled(service: EdgeService, env: EdgeEnv, scheduledAt: number): Promise<void> {
  const { deps, deliver, configuration, log } = service;
  const chores: [string, () => Promise<void>][] = [
    ['forgotten jobs', () => requeueOrphanedJobs(service, env, scheduledAt)],
    ['webhooks', () => deliver(ROUNDS)],
  ];
  if (new Date(scheduledAt).getUTCMinutes() === 0) {
    const { retentionMilliseconds } = configuration.service;
    chores.push([
      'sweep',
      async () => log('info', { ...(await sweep(deps.database, retentionMilliseconds, STATEMENTS)) }, 'swept'),
    ]);
  }
  for (const [name, chore] of chores) await chore().catch((err) => log('error', { err }, `${name} failed`));
}

async function requeueOrphanedJobs(
  { deps: { database }, configuration, log }: EdgeService,
  env: EdgeEnv,
  scheduledAt: number,
): Promise<void> {
  const { leaseMilliseconds } = configuration.service;
  const forgotten = await orphanedJobs(database, leaseMilliseconds, { since: FORGOTTEN, limit: MAX });
  if (forgotten.length === 0) return;
  // Names cannot be used twice: one for each attempt, and after a while another, if a workflow failed before it began the job.
  const time = Math.floor(scheduledAt / ANOTHER);
  const begun = await beginWorkflows(
    env,
    forgotten.map(({ id, attempt }) => ({ name: `${id}-${attempt}-${time}`, id })),
  );
  if (begun > 0) log('warn', { jobs: begun }, 'took up forgotten jobs');
}
