import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { orphanedJobs, sweep } from '../../../store/index.ts';
import { workInSteps } from '../../jobs/edge-work.ts';
import { runSubscriptions } from '../../subscriptions/run-subscriptions.ts';
import { type EdgeEnv, type EdgeService, edgeService, type JobMessage } from './service.worker.ts';

const RETRIES = { limit: 3, delay: '5 seconds', backoff: 'exponential' } as const;

/** Runs the job of one digest. Steps carry only ids; the database holds the rest. */
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

const AT_ONCE = 100;

/** Starts a workflow per job and returns the number started. The platform ignores names used before. */
export async function beginWorkflows(
  { DIGESTS }: EdgeEnv,
  jobs: readonly { readonly name: string; readonly id: string }[],
): Promise<number> {
  const each = [...new Map(jobs.map(({ name, id }) => [name, { id: name, params: { id } }])).values()];
  let begun = 0;
  for (let from = 0; from < each.length; from += AT_ONCE) {
    begun += (await DIGESTS.createBatch(each.slice(from, from + AT_ONCE))).length;
  }
  return begun;
}

/** Milliseconds before a waiting job counts as orphaned: its message may still be in the queue. */
const FORGOTTEN = 60_000;
/** Milliseconds before an attempt that did not start gets another workflow. */
const ANOTHER = 600_000;
const MAX = 1000;
/** Webhook rounds, each of at most 20 seconds. */
const ROUNDS = 25;
/** Max statements of a sweep, of the 1,000 per run. */
const STATEMENTS = 500;

/** Starts a workflow per orphaned job and due subscription, delivers due webhooks, and sweeps once an hour. A failure of one does not affect the others. */
export async function runScheduled(service: EdgeService, env: EdgeEnv, scheduledAt: number): Promise<void> {
  const { deps, deliver, configuration, log } = service;
  const chores: [string, () => Promise<void>][] = [
    ['forgotten jobs', () => requeueOrphanedJobs(service, env, scheduledAt)],
    ['subscriptions', () => beginSubscribed(service, env)],
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

async function beginSubscribed({ deps, configuration: { service }, log }: EdgeService, env: EdgeEnv): Promise<void> {
  const worker = { owner: '', reserve: () => null, wake() {} }; // handed over below
  for (const id of await runSubscriptions({ ...deps, service, log, worker })) await env.JOBS.send({ id });
}

async function requeueOrphanedJobs(
  { deps: { database }, configuration, log }: EdgeService,
  env: EdgeEnv,
  scheduledAt: number,
): Promise<void> {
  const { leaseMilliseconds } = configuration.service;
  const forgotten = await orphanedJobs(database, leaseMilliseconds, { since: FORGOTTEN, limit: MAX });
  if (forgotten.length === 0) return;
  // Names are unique: one per attempt, and a new one later, in case a workflow failed before its job began.
  const time = Math.floor(scheduledAt / ANOTHER);
  const begun = await beginWorkflows(
    env,
    forgotten.map(({ id, attempt }) => ({ name: `${id}-${attempt}-${time}`, id })),
  );
  if (begun > 0) log('warn', { jobs: begun }, 'took up forgotten jobs');
}
