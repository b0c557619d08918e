import { expect, test } from 'vitest';
import { type Configuration, createApp, readConfiguration } from '../../../../src/server/index.ts';
import { type EdgeEnv, workerAppDeps } from '../../../../src/server/index.worker.ts';
import type { EdgeService } from '../../../../src/server/runtime/worker/service.worker.ts';
import { memoryDatabase } from '../../../support/test-deps.ts';
import { attended } from '../../jobs/hand.ts';

/** What serves one request, as the Worker makes it, over a database that all of a test share. */
function requestOver(database: ReturnType<typeof memoryDatabase>, variables: Record<string, string> = {}) {
  const own = attended(database);
  const sent: unknown[] = [];
  const pending: Promise<unknown>[] = [];
  let delivered = 0;
  const configuration: Configuration = readConfiguration(variables);
  const service: EdgeService = {
    configuration,
    log: () => {},
    deps: own.deps,
    jobs: own.deps,
    deliver: async () => void delivered++,
  };
  const JOBS = { send: async (message: unknown) => void sent.push(message) };
  // All of the bindings that is used here.
  const env = { JOBS, TESSERA_OPEN: 'yes', ...variables } as unknown as EdgeEnv;
  const deps = workerAppDeps(service, env, (work) => pending.push(work));
  const app = createApp(deps);
  const post = async (body: object, headers: Record<string, string> = {}) =>
    app.request('/v1/digests', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { ...own, app, deps, post, sent, pending, delivered: () => delivered };
}

test('requests count together, though each has an app of its own', async () => {
  const database = memoryDatabase();
  const variables = { TESSERA_RATE: '3/3600' };
  const answers = [];
  for (let i = 0; i < 5; i++) {
    const response = await requestOver(database, variables).app.request('/v1/collections');
    answers.push([response.status, response.headers.get('ratelimit')?.split(';')[1]]);
  }
  expect(answers).toEqual([
    [200, 'r=2'],
    [200, 'r=1'],
    [200, 'r=0'],
    [429, 'r=0'],
    [429, 'r=0'],
  ]);
  // A limit of another rate is another limit.
  const other = await requestOver(database, { TESSERA_RATE: '4/3600' }).app.request('/v1/collections');
  expect([other.status, other.headers.get('ratelimit')?.split(';')[1]]).toEqual([200, 'r=3']);
  expect(requestOver(database, { TESSERA_RATE: 'off' }).deps.buckets).toBeUndefined();
});

test('without a key nobody is served unless the deployment says so', async () => {
  const database = memoryDatabase();
  for (const [open, status] of [
    ['yes', 200],
    ['no', 401],
    ['', 401],
    ['YES', 401],
  ] as const) {
    const { app } = requestOver(database, { TESSERA_OPEN: open });
    expect([open, (await app.request('/v1/collections')).status]).toEqual([open, status]);
  }
});
