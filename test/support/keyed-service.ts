import { NO_METRICS } from '../../src/server/service-metrics.ts';
import { createKey, type Scope } from '../../src/store/index.ts';
import { memoryDatabase, type TestApp, type TestOptions, testApp } from './test-deps.ts';

/** A request as a test writes it. */
export interface Asked {
  /** Sent as JSON; a string as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface KeyedService extends TestApp {
  /** A new key of a tenant. */
  keyFor(tenant: string, ...scopes: Scope[]): Promise<string>;
  /** Asks with a key, or with none. */
  ask(key: string | null, method: string, path: string, asked?: Asked): Promise<Response>;
}

/** The whole app as others reach it: whoever asks needs a key. It counts something, and has a rate. */
export function keyedService({ app, database = memoryDatabase(), ...options }: TestOptions = {}): KeyedService {
  const made = testApp({
    ...options,
    database,
    app: {
      allowsOpen: false,
      rate: { requests: 10_000, seconds: 60 },
      metrics: { ...NO_METRICS, render: async () => ({ body: 'served 1\n', contentType: 'text/plain' }) },
      ...app,
    },
  });
  return {
    ...made,
    async keyFor(tenant, ...scopes) {
      return (await createKey(database, { tenant, name: 'test', scopes })).key;
    },
    async ask(key, method, path, { body, headers = {} } = {}) {
      return made.app.request(path, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
  };
}

/** The id of what was made. */
export async function idIn(response: Response): Promise<string> {
  const { id }: { id?: unknown } = Object(await response.json());
  if (typeof id !== 'string') throw new Error(`nothing was made: ${response.status}`);
  return id;
}
