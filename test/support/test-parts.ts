import { onTestFinished } from 'vitest';
import { type ModelParts, NO_MODELS } from '../../src/digest/model-parts.ts';
import { type App, type AppParts, createApp } from '../../src/http/app.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/open-database.node.ts';
import { InProcessEngine } from './in-process-engine.ts';

export interface TestParts extends AppParts {
  readonly database: OpenDatabase;
  readonly engine: InProcessEngine;
  /** What `reportError` was told. */
  readonly errors: { readonly error: unknown; readonly method: string; readonly path: string }[];
  /** What `reportFailure` was told. */
  readonly failures: { readonly failure: unknown; readonly stage: string; readonly document: string }[];
}

/** A new database in memory, that is closed when the test ends. */
export function memoryDatabase(): OpenDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}

/** Parts of the service that need neither threads nor a model, over a database of their own. */
export function testParts({
  engine = new InProcessEngine(),
  maxBodyBytes = 4 * 1024 * 1024,
  models = NO_MODELS,
}: {
  readonly engine?: InProcessEngine;
  readonly maxBodyBytes?: number;
  readonly models?: ModelParts;
} = {}): TestParts {
  const errors: TestParts['errors'] = [];
  const failures: TestParts['failures'] = [];
  return {
    database: memoryDatabase(),
    engine,
    models,
    maxBodyBytes,
    errors,
    failures,
    reportError: (error, request) => errors.push({ error, ...request }),
    reportFailure: (failure, where) => failures.push({ failure, ...where }),
  };
}

export interface TestApp {
  readonly app: App;
  readonly parts: TestParts;
  /** Sends JSON: a string as it stands, anything else as its JSON. */
  post(path: string, body: unknown): Promise<Response>;
}

/** The whole app over `testParts`. */
export function testApp(options: Parameters<typeof testParts>[0] = {}): TestApp {
  const parts = testParts(options);
  const app = createApp(parts);
  return {
    app,
    parts,
    post: async (path, body) =>
      app.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
