import type { Digest, DigestRequest } from '../../../src/contract/index.ts';
import { acceptDigest } from '../../../src/server/jobs/accept-digest.ts';
import { jobSignals } from '../../../src/server/jobs/follow-digest.ts';
import { requestPlanner } from '../../../src/server/jobs/plan-order.ts';
import type { JobDeps } from '../../../src/server/jobs/run-job.ts';
import type { Worker } from '../../../src/server/jobs/start-worker.ts';
import { describeFailure } from '../../../src/server/problem.ts';
import type { JobHappening } from '../../../src/server/service-metrics.ts';
import { type Database, storeCache } from '../../../src/store/index.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { HeldEngine } from './held-engine.ts';

/** What jobs are run with where nothing lives longer than a request, and what came of them. */
interface Attended {
  readonly deps: JobDeps;
  readonly engine: HeldEngine;
  readonly happenings: JobHappening[];
  /** Digests that were said to be made. */
  readonly made: string[];
  readonly failures: unknown[];
}

export function attended(database: Database): Attended {
  const engine = new HeldEngine();
  const happenings: JobHappening[] = [];
  const made: string[] = [];
  const failures: unknown[] = [];
  const deps: JobDeps = {
    database,
    cache: storeCache(database),
    engine,
    models: NO_MODELS,
    version: 'test',
    describeFailure,
    reportFailure: (failure) => failures.push(failure),
    reportJobFailure: (failure) => failures.push(failure),
    onJob: (happening) => happenings.push(happening),
    onDigest: ({ id }: Digest) => made.push(id),
  };
  return { deps, engine, happenings, made, failures };
}

/** Takes a digest on and leaves it to whoever comes. */
export async function left(order: DigestRequest, deps: JobDeps, isAwaited = false): Promise<string> {
  return acceptDigest(order, (await requestPlanner(order, deps))(order), deps, NOBODY, { isAwaited, most: 1000 });
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
