import { onTestFinished } from 'vitest';
import type { ModelDeps } from '../../src/digest/index.ts';
import type { App, AppDeps } from '../../src/server/app.ts';
import { createApp } from '../../src/server/index.ts';
import { startWorker } from '../../src/server/jobs/start-worker.ts';
import type { Limits } from '../../src/server/limits.ts';
import { WORK_HERE } from '../../src/server/service-deps.ts';
import { NO_METRICS } from '../../src/server/service-metrics.ts';
import { PUBLIC_ONLY } from '../../src/server/targets.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { storeCache } from '../../src/store/index.ts';
import { InProcessEngine } from './in-process-engine.ts';
import { NO_MODELS } from './no-models.ts';

export interface TestDeps extends AppDeps {
  readonly database: OpenDatabase;
  readonly engine: InProcessEngine;
  /** What `reportError` was told. */
  readonly errors: { readonly error: unknown; readonly method: string; readonly path: string }[];
  /** What `reportFailure` was told. */
  readonly failures: { readonly failure: unknown; readonly stage: string; readonly document: string }[];
  /** What jobs failed with that was the service's own fault. */
  readonly jobFailures: { readonly failure: unknown; readonly id: string }[];
}

export interface TestOptions {
  readonly engine?: InProcessEngine;
  readonly maxBodyBytes?: number;
  readonly models?: ModelDeps;
  readonly database?: OpenDatabase;
  /** Jobs at once; 4 by default. */
  readonly slots?: number;
  readonly leaseMilliseconds?: number;
  readonly app?: Partial<Omit<AppDeps, 'database' | 'engine'>>;
}

/** A new database in memory, that is closed when the test ends. */
export function memoryDatabase(): OpenDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

export const TEST_LIMITS: Limits = {
  documents: 2000,
  documentCharacters: 2_000_000,
  characters: 50_000_000,
  keyPoints: 1000,
  digestsPerTenant: 1000,
  queuedDigests: 1000,
  subscriptionsPerTenant: 100,
  streams: { perTenant: 100, total: 1000 },
  waitMilliseconds: 60_000,
};

/** Parts of the service that need neither threads nor a model, over a database of their own. */
export function testDeps({
  engine = new InProcessEngine(),
  maxBodyBytes = 4 * 1024 * 1024,
  models = NO_MODELS,
  database = memoryDatabase(),
  slots = 4,
  leaseMilliseconds = 60_000,
  app = {},
}: TestOptions = {}): TestDeps {
  const errors: TestDeps['errors'] = [];
  const failures: TestDeps['failures'] = [];
  const jobFailures: TestDeps['jobFailures'] = [];
  const parts = {
    database,
    cache: storeCache(database),
    engine,
    models,
    work: WORK_HERE,
    reportFailure: (failure: unknown, where: { readonly stage: string; readonly document: string }) =>
      failures.push({ failure, ...where }),
  };
  const worker = startWorker(
    {
      ...parts,
      version: 'test',
      reportJobFailure: (failure, { id }) => jobFailures.push({ failure, id }),
    },
    { slots, leaseMilliseconds, pollMilliseconds: 1000 },
  );
  onTestFinished(() => worker.stop(0));
  return {
    ...parts,
    worker,
    ready: () => database.ready(),
    maxBodyBytes,
    limits: TEST_LIMITS,
    rate: null,
    allowsOpen: true,
    concurrency: { digests: slots, others: 4, maxWaitMilliseconds: 60_000 },
    allowedTargets: PUBLIC_ONLY,
    metrics: NO_METRICS,
    page: null,
    log: () => {},
    errors,
    failures,
    jobFailures,
    reportError: (error, request) => errors.push({ error, ...request }),
    ...app,
  };
}

export interface TestApp {
  readonly app: App;
  readonly parts: TestDeps;
  /** Sends JSON: a string as it stands, anything else as its JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** The whole app over `testDeps`. */
export function testApp(options: TestOptions = {}): TestApp {
  const parts = testDeps(options);
  const app = createApp(parts);
  return {
    app,
    parts,
    post: async (path, body, headers = {}) =>
      app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
