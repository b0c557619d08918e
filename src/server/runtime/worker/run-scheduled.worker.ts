import { orphanedJobs, sweep } from '../../../store/index.ts';
import { beginWorkflows } from './begin-workflows.worker.ts';
import type { EdgeEnv } from './edge-env.worker.ts';
import type { EdgeService } from './service.worker.ts';

/** Milliseconds after which a job that could be begun is taken to be forgotten; its message may still be on its way before. */
const FORGOTTEN = 60_000;
/** Milliseconds after which an attempt that nobody began is given another workflow. */
const ANOTHER = 600_000;
/** Jobs that are taken up in a run. */
const MAX = 1000;
/** Of webhooks, each of at most 20 seconds. */
const ROUNDS = 25;
/** Statements of clearing away, of the 1,000 of a run; what is left is for the next hour. */
const STATEMENTS = 500;

/**
 * Makes a workflow for each job that lost whoever was to do it, delivers what is due, and once an hour clears away. Where one of
 * these fails the others are done all the same.
 */
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
  // The name of a workflow that has ended cannot be used again: one for each attempt, and for one that ended before it began the
  // job, because the database was away, another after a while.
  const time = Math.floor(scheduledAt / ANOTHER);
  const begun = await beginWorkflows(
    env,
    forgotten.map(({ id, attempt }) => ({ name: `${id}-${attempt}-${time}`, id })),
  );
  if (begun > 0) log('warn', { jobs: begun }, 'took up forgotten jobs');
}
