import { asc } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import type { Digest, DigestRequest } from '../../../src/contract/index.ts';
import type { ModelDeps } from '../../../src/digest/index.ts';
import { acceptDigest } from '../../../src/server/jobs/accept-digest.ts';
import { requestPlanner } from '../../../src/server/jobs/plan-order.ts';
import { startWorker, type Worker } from '../../../src/server/jobs/start-worker.ts';
import { describeFailure } from '../../../src/server/problem.ts';
import { depsFor, type ServiceDeps } from '../../../src/server/service-deps.ts';
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

/** A worker as a process has it, over its own connection to the database. */
export interface Hand {
  readonly deps: ServiceDeps;
  readonly engine: HeldEngine;
  readonly worker: Worker;
  /** What its jobs went through. */
  readonly happenings: JobHappening[];
  /** Digests that it said it made. */
  readonly made: string[];
  readonly failures: unknown[];
  accept(order: DigestRequest, isAwaited?: boolean, tenant?: string): Promise<string>;
}

/** Starts a worker, which is stopped when the test ends; its engine's gates are opened then. */
export function hand(database: Database, options: HandOptions = {}): Hand {
  const { engine = new HeldEngine(), models = NO_MODELS, slots = 1, leaseMilliseconds = LEASE } = options;
  const happenings: JobHappening[] = [];
  const made: string[] = [];
  const failures: unknown[] = [];
  const deps: ServiceDeps = {
    database,
    cache: storeCache(database),
    engine,
    models,
    reportFailure: (failure) => failures.push(failure),
  };
  const worker = startWorker(
    {
      ...deps,
      version: 'test',
      describeFailure,
      reportJobFailure: (failure) => failures.push(failure),
      onJob: (happening) => happenings.push(happening),
      onDigest: ({ id }: Digest) => made.push(id),
    },
    { slots, leaseMilliseconds, pollMilliseconds: 10 },
  );
  onTestFinished(async () => {
    engine.openAll();
    await worker.stop(0);
  });
  return {
    deps,
    engine,
    worker,
    happenings,
    made,
    failures,
    accept: async (order, isAwaited = false, tenant = database.tenant) => {
      const own = depsFor(deps, tenant);
      return acceptDigest(order, (await requestPlanner(order, own))(order), own, worker, { isAwaited, most: 1000 });
    },
  };
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
