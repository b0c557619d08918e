import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/store/index.node.ts';
import { idempotencyKeys } from '../../../src/store/schema.ts';
import { heldEngine } from '../../support/held-ranking.ts';
import { idIn } from '../../support/keyed-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { memoryDatabase, type TestApp, testApp } from '../../support/test-deps.ts';

const documents = [{ id: 'a', text: 'The council approved a congestion charge of 4 euros. Residents pay half of it.' }];
const KEY = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };
const ASYNC = { ...KEY, prefer: 'respond-async' };
const STREAM = { ...KEY, accept: 'text/event-stream' };

type Kind = readonly [name: string, path: string, body: unknown, headers: Readonly<Record<string, string>>];
const KINDS: readonly Kind[] = [
  ['a digest that is waited for', '/v1/digests', { documents }, KEY],
  ['a digest that is not', '/v1/digests', { documents }, ASYNC],
  ['a digest that is streamed', '/v1/digests', { documents }, STREAM],
  ['a selection', '/v1/selections', { items: [{ id: 'a', text: 'The charge rises.' }] }, KEY],
  ['key points', '/v1/key-points', { documents }, KEY],
  [
    'an evaluation',
    '/v1/evaluations',
    { metric: 'summhay', bullets: ['The charge rises.'], insights: [{ id: 'a', text: 'The charge rises.' }] },
    KEY,
  ],
  ['a collection', '/v1/collections', { name: 'Minutes' }, KEY],
];

/** All of an answer that a replay must say again. */
async function said(response: Response) {
  const text = await response.text();
  const headers = ['content-type', 'location', 'preference-applied'].map((name) => response.headers.get(name));
  return { status: response.status, headers, text };
}

const isReplay = ({ headers }: Response) => headers.get('idempotent-replayed');

/** How many things there are that requests make. */
async function made({ query }: OpenDatabase): Promise<{ digests: number; jobs: number; collections: number }> {
  const [digests, jobs, collections] = await Promise.all([
    query.query.digests.findMany(),
    query.query.jobs.findMany(),
    query.query.collections.findMany(),
  ]);
  return { digests: digests.length, jobs: jobs.length, collections: collections.length };
}

const until = (holds: () => Promise<boolean>) => expect.poll(holds, { interval: 5 }).toBe(true);

describe.each(KINDS)('%s', (_, path, body, headers) => {
  test('is answered again with the same status, body and Location, and made once', async () => {
    const app = testApp();
    const first = await app.post(path, body, headers);
    expect(first.ok).toBe(true);
    expect(isReplay(first)).toBeNull();
    const answer = await said(first);
    const before = await made(app.parts.database);
    const { extracted } = app.parts.engine;
    const work = extracted.length;
    for (let i = 0; i < 3; i++) {
      const again = await app.post(path, body, headers);
      expect(isReplay(again)).toBe('true');
      expect(await said(again)).toEqual(answer);
    }
    expect(await made(app.parts.database)).toEqual(before);
    expect(extracted).toHaveLength(work);
    // Without the key it is another request.
    expect(isReplay(await app.post(path, body, { ...headers, 'idempotency-key': 'other' }))).toBeNull();
  });
});

test.each([KINDS[0], KINDS[2], KINDS[6]])('%s is kept over a restart', async (_, path, body, headers) => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const open = () => {
    const database = openDatabase(file);
    onTestFinished(() => database.close());
    return database;
  };
  const app = testApp({ database: open() });
  const answer = await said(await app.post(path, body, headers));
  const before = await made(app.parts.database);
  await app.parts.worker.stop(1000);
  app.parts.database.close();
  const restarted = testApp({ database: open() });
  const again = await restarted.post(path, body, headers);
  expect([isReplay(again), await said(again)]).toEqual(['true', answer]);
  expect(await made(restarted.parts.database)).toEqual(before);
});

test.each([
  ['waits', KEY],
  ['streams', STREAM],
])(
  'of many at once where each %s while the first is served, one makes a digest and the others are told to come again',
  async (_, headers) => {
    const { engine, release } = heldEngine();
    const app = testApp({ engine });
    const all = Array.from({ length: 8 }, async () => app.post('/v1/digests', { documents }, headers));
    await until(async () => (await made(app.parts.database)).jobs > 0);
    const others = await Promise.all(all.slice(1));
    release();
    const first = await all[0];
    expect(first.ok).toBe(true);
    await first.text();
    const statuses = others.map(({ status }) => status);
    // Of a stream the answer is there once it begins.
    expect(new Set(statuses)).toEqual(new Set(headers === KEY ? [409] : statuses));
    for (const other of others.filter(({ status }) => status === 409)) {
      expect(other.headers.get('retry-after')).toBe('1');
      expect(await other.json()).toMatchObject({ type: 'urn:tessera:problem:idempotency-key-in-flight' });
    }
    expect(await made(app.parts.database)).toMatchObject({ digests: 1, jobs: 1 });
    const again = await app.post('/v1/digests', { documents }, headers);
    expect(isReplay(again)).toBe('true');
    expect(await again.text()).toContain(String(first.headers.get('location')).slice('/v1/digests/'.length));
    expect(await made(app.parts.database)).toMatchObject({ digests: 1, jobs: 1 });
  },
);

/** A digest that was accepted with a key, by a process that is gone. */
async function crashed(database: OpenDatabase): Promise<string> {
  const gone = testApp({ database, slots: 0 });
  const id = await idIn(await gone.post('/v1/digests', { documents }, ASYNC));
  await gone.parts.worker.stop(0);
  const lost = { status: null, headers: null, body: null, owner: 'call_gone', lockedUntil: database.now() - 1 };
  await database.query.update(idempotencyKeys).set(lost);
  const rows = await database.query.query.idempotencyKeys.findMany();
  expect(rows).toMatchObject([{ digestId: id, status: null }]);
  return id;
}

test.each([
  ['waiting', KEY, 201],
  ['asynchronously', ASYNC, 202],
  ['streaming', STREAM, 200],
])(
  'after a crash between acceptance and answer the same request gets the same digest, %s',
  async (_, headers, status) => {
    const database = memoryDatabase();
    const id = await crashed(database);
    const { engine, release } = heldEngine();
    const app = testApp({ database, engine });
    // Else the digest may be made before the asynchronous request is read.
    if (headers !== ASYNC) release();
    const response = await app.post('/v1/digests', { documents }, headers);
    release();
    expect([response.status, isReplay(response)]).toEqual([status, 'true']);
    expect(response.headers.get('location')).toBe(`/v1/digests/${id}`);
    const answer = await said(response);
    expect(answer.text).toContain(id);
    expect(await said(await app.post('/v1/digests', { documents }, headers))).toEqual(answer);
    await until(async () => (await app.app.request(`/v1/digests/${id}`)).status === 200);
    expect(await made(database)).toMatchObject({ digests: 1, jobs: 1 });
  },
);

const rows = async ({ parts }: TestApp) => parts.database.query.query.idempotencyKeys.findMany();

test.each([
  ['422', { documents: [] }, 422],
  ['400', '{', 400],
  ['404', { collection: 'col_0' }, 404],
])('%s is not kept, and the key is free', async (_, body, status) => {
  const app = testApp();
  for (let i = 0; i < 2; i++) {
    const response = await app.post('/v1/digests', body, KEY);
    expect([response.status, isReplay(response)]).toEqual([status, null]);
  }
  expect(await rows(app)).toEqual([]);
  expect((await app.post('/v1/digests', { documents }, KEY)).status).toBe(201);
});

test('any interleaving of retries, hang-ups and crashes makes one digest', async () => {
  const step = fc.record({
    process: fc.constantFrom(0, 1),
    headers: fc.constantFrom(KEY, ASYNC, STREAM),
    pause: fc.nat(4),
    fate: fc.constantFrom('answered', 'answered', 'hangs up', 'crashes'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const clock = { time: Date.UTC(2026, 0, 1) };
      const database = { ...openDatabase(':memory:'), now: () => clock.time };
      const apps = [testApp({ database }), testApp({ database })];
      const answers: Promise<Response | null>[] = [];
      for (const { process, headers, pause, fate } of steps) {
        const gone = new AbortController();
        const request = new Request('http://localhost/v1/digests', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ documents }),
          signal: gone.signal,
        });
        answers.push(Promise.resolve(apps[process].app.request(request)).catch(() => null));
        for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setImmediate(resolve));
        if (fate === 'hangs up') gone.abort();
        // Whoever held the key was not heard of for long, and may still be at it.
        if (fate === 'crashes') clock.time += 15_001;
      }
      const ids = new Set<string>();
      for (const answer of await Promise.all(answers)) {
        if (answer === null || answer.status === 499 || answer.status === 409) continue;
        expect([200, 201, 202]).toContain(answer.status);
        ids.add(String(answer.headers.get('location')));
        await answer.text().catch(() => '');
      }
      clock.time += 15_001;
      const last = await apps[0].post('/v1/digests', { documents }, KEY);
      expect([200, 201, 202]).toContain(last.status);
      expect(isReplay(last)).toBe('true');
      const location = String(last.headers.get('location'));
      ids.add(location);
      await last.text();
      const answer = async () => Object(await (await apps[1].app.request(location)).json());
      await until(async () => (await answer()).status === 'completed');
      expect(ids.size).toBe(1);
      expect(await made(database)).toMatchObject({ digests: 1, jobs: 1 });
      for (const { parts } of apps) await parts.worker.stop(1000);
      database.close();
    }),
    { numRuns: 25, seed: 6 },
  );
});
