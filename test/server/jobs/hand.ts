import { asc } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import type { DigestRequest } from '../../../src/contract/index.ts';
import type { ModelDeps } from '../../../src/digest/index.ts';
import { acceptDigest, requestPlanner } from '../../../src/server/jobs/accept-digest.ts';
import { jobSignals } from '../../../src/server/jobs/follow-digest.ts';
import type { JobDeps } from '../../../src/server/jobs/run-job.ts';
import { startWorker, type Worker } from '../../../src/server/jobs/start-worker.ts';
import { depsFor, type ServiceDeps, WORK_HERE } from '../../../src/server/service-deps.ts';
import type { JobHappening } from '../../../src/server/service-metrics.ts';
import { type Connection, type Database, storeCache } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { HeldEngine } from './held-engine.ts';

export const LEASE = 60_000;
export const HOOK = 'https://hooks.example/in';

interface HandOptions {
  readonly engine?: HeldEngine | undefined;
  readonly models?: ModelDeps | undefined;
  /** Jobs at once; 1 by default. */
  readonly slots?: number | undefined;
  readonly leaseMilliseconds?: number | undefined;
}

/** What jobs are run with, and what came of them. */
interface Attended {
  readonly deps: JobDeps;
  readonly engine: HeldEngine;
  /** What its jobs went through. */
  readonly happenings: JobHappening[];
  /** Digests that it said it made. */
  readonly made: string[];
  readonly failures: unknown[];
}

export function attended(
  database: Database,
  { engine = new HeldEngine(), models = NO_MODELS }: Pick<HandOptions, 'engine' | 'models'> = {},
): Attended {
  const happenings: JobHappening[] = [];
  const made: string[] = [];
  const failures: unknown[] = [];
  const deps: JobDeps = {
    database,
    cache: storeCache(database),
    engine,
    models,
    work: WORK_HERE,
    version: 'test',
    reportFailure: (failure) => failures.push(failure),
    reportJobFailure: (failure) => failures.push(failure),
    onJob: (happening) => happenings.push(happening),
    onDigest: ({ id }) => made.push(id),
  };
  return { deps, engine, happenings, made, failures };
}

/** Takes a digest on with a worker. */
async function accepted(order: DigestRequest, deps: ServiceDeps, worker: Worker, isAwaited: boolean): Promise<string> {
  return acceptDigest(order, (await requestPlanner(order, deps))(order), deps, worker, { isAwaited, most: 1000 });
}

/** Takes a digest on and leaves it to whoever comes. */
export async function left(order: DigestRequest, deps: ServiceDeps, isAwaited = false): Promise<string> {
  return accepted(order, deps, NOBODY, isAwaited);
}

/** A worker without hands. */
export const NOBODY: Worker = {
  owner: 'nobody',
  signals: jobSignals(),
  reserve: () => null,
  wake: () => {},
  cancelled: () => {},
  drain: () => {},
  isStopped: () => false,
  stop: async () => {},
};

/** A worker as a process has it, over its own connection to the database. */
export interface Hand extends Attended {
  readonly worker: Worker;
  accept(order: DigestRequest, isAwaited?: boolean, tenant?: string): Promise<string>;
}

/** Starts a worker, which is stopped when the test ends; its engine's gates are opened then. */
export function hand(database: Database, options: HandOptions = {}): Hand {
  const { slots = 1, leaseMilliseconds = LEASE } = options;
  const own = attended(database, options);
  const { deps, engine } = own;
  const worker = startWorker(deps, { slots, leaseMilliseconds, pollMilliseconds: 10 });
  onTestFinished(async () => {
    engine.openAll();
    await worker.stop(0);
  });
  const accept: Hand['accept'] = (order, isAwaited = false, tenant = database.tenant) =>
    accepted(order, depsFor(deps, tenant), worker, isAwaited);
  return { ...own, worker, accept };
}

/** A worker that does nothing itself, as the process that serves beside others that work. */
export function noHand(database: Database): Hand {
  return hand(database, { slots: 0 });
}

/** The jobs, in the order of their ids. */
export async function jobRows({ query }: Connection): Promise<(typeof schema.jobs.$inferSelect)[]> {
  return query.select().from(schema.jobs).orderBy(asc(schema.jobs.id));
}

/** The one job there is. */
export async function onlyJob(connection: Connection): Promise<typeof schema.jobs.$inferSelect> {
  const [job, ...others] = await jobRows(connection);
  if (job === undefined || others.length > 0) throw new Error(`${others.length + 1} jobs`);
  return job;
}

/** What all jobs told, in order. */
export async function eventRows({ query }: Connection): Promise<(typeof schema.jobEvents.$inferSelect)[]> {
  const { jobEvents } = schema;
  return query.select().from(jobEvents).orderBy(asc(jobEvents.jobId), asc(jobEvents.number));
}

/** Names of what a job told. */
export async function told(connection: Connection): Promise<string[]> {
  return (await eventRows(connection)).map(({ event }) => event);
}

/** All that a job may write. */
export async function written(connection: Connection): Promise<unknown> {
  const { query } = connection;
  return {
    digests: await query.select().from(schema.digests),
    jobs: await jobRows(connection),
    events: await eventRows(connection),
    checkpoints: await query.select().from(schema.jobCheckpoints).orderBy(asc(schema.jobCheckpoints.stage)),
    webhooks: await query.select().from(schema.webhooks),
  };
}
