import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/store/index.node.ts';
import { idempotencyKeys } from '../../../src/store/schema.ts';
import { heldEngine } from '../../support/held-ranking.ts';
import { idIn, keyedService } from '../../support/keyed-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { memoryDatabase, TEST_LIMITS, type TestApp, testApp } from '../../support/test-deps.ts';

const documents = [{ id: 'a', text: 'The council approved a congestion charge of 4 euros. Residents pay half of it.' }];
const KEY = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };
const ASYNC = { ...KEY, prefer: 'respond-async' };
const STREAM = { ...KEY, accept: 'text/event-stream' };
const DAY = 24 * 60 * 60 * 1000;

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

function clockedDatabase(): { readonly database: OpenDatabase; readonly clock: { time: number } } {
  const clock = { time: Date.UTC(2026, 0, 1) };
  return { database: { ...memoryDatabase(), now: () => clock.time }, clock };
}

/** Waits, by turns of the event loop, until something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { interval: 5 }).toBe(true);
}

async function hasJob({ parts }: TestApp): Promise<boolean> {
  return (await made(parts.database)).jobs > 0;
}

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

  test('is refused with another payload, and stays as it is', async () => {
    const app = testApp();
    const answer = await said(await app.post(path, body, headers));
    const before = await made(app.parts.database);
    const other = path === '/v1/collections' ? '/v1/key-points' : '/v1/collections';
    for (const [otherPath, otherBody] of [
      [path, { ...Object(body), name: 'x' }],
      [path, `${JSON.stringify(body)} `],
      [`${path}?again`, body],
      [other, body],
    ] as const) {
      const refused = await app.post(otherPath, otherBody, headers);
      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({ type: 'urn:tessera:problem:idempotency-key-reused' });
    }
    expect(await made(app.parts.database)).toEqual(before);
    expect(await said(await app.post(path, body, headers))).toEqual(answer);
  });

  test('is kept for 24 hours, then made anew', async () => {
    const { database, clock } = clockedDatabase();
    const app = testApp({ database });
    const first = await app.post(path, body, headers);
    const answer = await said(first);
    const before = await made(database);
    clock.time += DAY;
    const kept = await app.post(path, body, headers);
    expect(isReplay(kept)).toBe('true');
    expect(await said(kept)).toEqual(answer);
    expect(await made(database)).toEqual(before);
    clock.time += 1;
    const anew = await app.post(path, body, headers);
    expect(isReplay(anew)).toBeNull();
    expect(anew.status).toBe(first.status);
    if (answer.headers[1] !== null) {
      expect(anew.headers.get('location')).not.toBe(answer.headers[1]);
      expect(await made(database)).not.toEqual(before);
    }
    // A new day has begun with it.
    const fresh = await said(anew);
    clock.time += DAY;
    expect(await said(await app.post(path, body, headers))).toEqual(fresh);
  });

  test('is kept over a restart', async () => {
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
    expect(isReplay(again)).toBe('true');
    expect(await said(again)).toEqual(answer);
    expect(await made(restarted.parts.database)).toEqual(before);
  });

  test('may have a key that another tenant uses', async () => {
    const { keyFor, ask, parts } = keyedService();
    const keys = [await keyFor('own', 'digests'), await keyFor('other', 'digests')];
    const answers = [];
    for (const key of keys) {
      const response = await ask(key, 'POST', path, { body, headers });
      expect(isReplay(response)).toBeNull();
      answers.push(await said(response));
    }
    const before = await made(parts.database);
    for (const [i, key] of keys.entries()) {
      const again = await ask(key, 'POST', path, { body, headers });
      expect(isReplay(again)).toBe('true');
      expect(await said(again)).toEqual(answers[i]);
    }
    expect(await made(parts.database)).toEqual(before);
  });
});

describe('while the first is served', () => {
  test.each([
    ['waits', KEY],
    ['streams', STREAM],
  ])('of many at once where each %s, one makes a digest and the others are told to come again', async (_, headers) => {
    const { engine, release } = heldEngine();
    const app = testApp({ engine });
    const all = Array.from({ length: 8 }, async () => app.post('/v1/digests', { documents }, headers));
    await until(async () => hasJob(app));
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
  });

  test('also in another process, until it is gone: then the same request gets the same digest', async () => {
    const { database, clock } = clockedDatabase();
    const { engine, release } = heldEngine();
    const [one, two] = [testApp({ database, engine }), testApp({ database, slots: 0 })];
    const first = one.post('/v1/digests', { documents }, KEY);
    await until(async () => hasJob(one));
    clock.time += 14_999;
    expect((await two.post('/v1/digests', { documents }, KEY)).status).toBe(409);
    clock.time += 2;
    expect((await two.post('/v1/digests', { documents: [] }, KEY)).status).toBe(422);
    const second = two.post('/v1/digests', { documents }, KEY);
    await until(async () => (await two.post('/v1/digests', { documents }, KEY)).status === 409);
    release();
    const [a, b] = await Promise.all([first, second]);
    expect([a.status, b.status, isReplay(b)]).toEqual([201, 201, 'true']);
    expect(await b.json()).toEqual(await a.json());
    expect(await made(database)).toMatchObject({ digests: 1, jobs: 1 });
  });

  test('another payload is refused at once', async () => {
    const { engine, release } = heldEngine();
    const app = testApp({ engine });
    const first = app.post('/v1/digests', { documents }, KEY);
    await until(async () => hasJob(app));
    expect((await app.post('/v1/digests', { documents: [{ id: 'b', text: 'Else.' }] }, KEY)).status).toBe(422);
    release();
    expect((await first).status).toBe(201);
  });
});

describe('after a crash between acceptance and answer', () => {
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
  ])('the same request gets the same digest, %s', async (_, headers, status) => {
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
  });

  test('also where the digest was made meanwhile: asynchronously it is at its address, in a status that is documented', async () => {
    const database = memoryDatabase();
    const id = await crashed(database);
    const app = testApp({ database });
    const answerOf = async () => Object(await (await app.app.request(`/v1/digests/${id}`)).json());
    await until(async () => (await answerOf()).status === 'completed');
    const response = await app.post('/v1/digests', { documents }, ASYNC);
    expect(response.headers.get('location')).toBe(`/v1/digests/${id}`);
    const body = Object(await response.json());
    expect(body.id).toBe(id);
    // Either the digest itself with 201, or 202 with a status of work that has not ended.
    if (response.status === 201) expect(body).toEqual(await answerOf());
    else expect([response.status, ['queued', 'running'].includes(body.status)]).toEqual([202, true]);
    expect(await made(database)).toMatchObject({ digests: 1, jobs: 1 });
  });

  test('another payload is still another', async () => {
    const database = memoryDatabase();
    await crashed(database);
    const app = testApp({ database });
    expect((await app.post('/v1/digests', { documents: [{ id: 'b', text: 'Else.' }] }, KEY)).status).toBe(422);
    expect(await made(database)).toMatchObject({ digests: 1, jobs: 1 });
  });

  test('of what makes no digest, the request is served anew', async () => {
    const app = testApp();
    expect((await app.post('/v1/collections', {}, KEY)).status).toBe(201);
    const lost = { status: null, headers: null, body: null, owner: 'call_gone', lockedUntil: Date.now() - 1 };
    await app.parts.database.query.update(idempotencyKeys).set(lost);
    const anew = await app.post('/v1/collections', {}, KEY);
    expect([anew.status, isReplay(anew)]).toEqual([201, null]);
    expect(isReplay(await app.post('/v1/collections', {}, KEY))).toBe('true');
  });
});

describe('what failed can be sent again with the same key', () => {
  const rows = async ({ parts }: TestApp) => parts.database.query.query.idempotencyKeys.findMany();

  test.each([
    ['422', { documents: [] }, 422],
    ['400', '{', 400],
    ['404', { collection: 'col_0' }, 404],
  ])('%s: it is not kept, and the key is free', async (_, body, status) => {
    const app = testApp();
    for (let i = 0; i < 2; i++) {
      const response = await app.post('/v1/digests', body, KEY);
      expect([response.status, isReplay(response)]).toEqual([status, null]);
    }
    expect(await rows(app)).toEqual([]);
    expect((await app.post('/v1/digests', { documents }, KEY)).status).toBe(201);
  });

  test('422 that passes: an earlier digest that was not made yet', async () => {
    const database = memoryDatabase();
    const idle = testApp({ database, slots: 0 });
    const digest = await idIn(await idle.post('/v1/digests', { documents }, { prefer: 'respond-async' }));
    const update = { documents, intent: { problem: 'What is new?', background: { digest } } };
    expect((await idle.post('/v1/digests', update, KEY)).status).toBe(422);
    const app = testApp({ database });
    const isMade = async () =>
      Object(await (await app.app.request(`/v1/digests/${digest}`)).json()).status === 'completed';
    await until(isMade);
    const response = await app.post('/v1/digests', update, KEY);
    expect([response.status, isReplay(response)]).toEqual([201, null]);
  });

  test('429, once there is room', async () => {
    const app = testApp({ slots: 0, app: { limits: { ...TEST_LIMITS, digestsPerTenant: 1 } } });
    const other = await app.post('/v1/digests', { documents }, { prefer: 'respond-async' });
    expect((await app.post('/v1/digests', { documents }, ASYNC)).status).toBe(429);
    expect(await rows(app)).toEqual([]);
    await app.app.request(String(other.headers.get('location')), { method: 'DELETE' });
    const response = await app.post('/v1/digests', { documents }, ASYNC);
    expect([response.status, isReplay(response)]).toEqual([202, null]);
  });

  test('503, once there is less to do', async () => {
    const database = memoryDatabase();
    const busy = testApp({ database, app: { concurrency: { digests: 0, others: 0, maxWaitMilliseconds: -1 } } });
    for (const [, path, body] of KINDS.slice(0, 5)) {
      if (path === '/v1/digests') expect((await busy.post(path, body, KEY)).status).toBe(503);
    }
    expect(await rows(busy)).toEqual([]);
    const response = await testApp({ database }).post('/v1/digests', { documents }, KEY);
    expect([response.status, isReplay(response)]).toEqual([201, null]);
  });

  test.each(['/v1/digests', '/v1/selections'])('500 of %s, once it works', async (path) => {
    const app = testApp();
    const { engine } = app.parts;
    const select = engine.select.bind(engine);
    engine.select = async () => {
      throw new Error('out of order');
    };
    const body = path === '/v1/digests' ? { documents } : KINDS[3][2];
    expect((await app.post(path, body, KEY)).status).toBe(500);
    engine.select = select;
    const response = await app.post(path, body, KEY);
    expect(response.status).toBe(path === '/v1/digests' ? 201 : 200);
    expect(isReplay(await app.post(path, body, KEY))).toBe('true');
  });
});

describe('the key', () => {
  test('is the same with and without quotes, and no other', async () => {
    const app = testApp();
    const post = async (key: string) => app.post('/v1/collections', {}, { 'idempotency-key': key });
    const id = await idIn(await post('abc'));
    expect(await idIn(await post('"abc"'))).toBe(id);
    expect(await idIn(await post(' abc '))).toBe(id);
    for (const other of ['ABC', 'abcd', '"abc "', 'x'.repeat(255), `"${'y'.repeat(255)}"`]) {
      const response = await post(other);
      expect([response.status, isReplay(response)]).toEqual([201, null]);
    }
  });

  test('is nothing to requests that are no POST', async () => {
    const app = testApp();
    const id = await idIn(await app.post('/v1/collections', {}));
    const put = async (text: string) =>
      app.app.request(`/v1/collections/${id}/documents/a`, {
        method: 'PUT',
        headers: { ...KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    expect([(await put('One is told.')).status, (await put('Two are told.')).status]).toEqual([201, 200]);
    expect((await app.app.request('/v1/collections', { headers: KEY })).status).toBe(200);
    expect(await app.parts.database.query.query.idempotencyKeys.findMany()).toEqual([]);
  });
});

test('a digest that was answered 201 is answered 201 again, whatever the retry prefers', async () => {
  const app = testApp();
  const first = await app.post('/v1/digests', { documents }, KEY);
  const again = await app.post('/v1/digests', { documents }, ASYNC);
  expect([again.status, isReplay(again)]).toEqual([201, 'true']);
  expect(await again.text()).toBe(await first.text());
});

test('a digest that was removed since is not made again: its request is answered 404', async () => {
  const app = testApp();
  const first = await app.post('/v1/digests', { documents }, KEY);
  await app.app.request(String(first.headers.get('location')), { method: 'DELETE' });
  const again = await app.post('/v1/digests', { documents }, KEY);
  expect(again.status).toBe(404);
  expect(await made(app.parts.database)).toMatchObject({ digests: 0, jobs: 0 });
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
      const { database, clock } = { ...clockOver(openDatabase(':memory:')) };
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

function clockOver(database: OpenDatabase): { readonly database: OpenDatabase; readonly clock: { time: number } } {
  const clock = { time: Date.UTC(2026, 0, 1) };
  return { database: { ...database, now: () => clock.time }, clock };
}

test('a key is read as the contract describes it', async () => {
  const { app, post } = testApp();
  const { paths } = Object(await (await app.request('/openapi.json')).json());
  const { schema } = paths['/v1/collections'].post.parameters.find(
    ({ name }: { name: string }) => name === 'idempotency-key',
  );
  const pattern = new RegExp(schema.pattern);
  const isDescribed = (key: string) =>
    key.length >= schema.minLength && key.length <= schema.maxLength && pattern.test(key);
  const piece = fc.oneof(fc.constantFrom('"', ' ', '!', '~', '\\', '#', 'x'.repeat(254)), fc.string({ maxLength: 4 }));
  const visible = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('').replaceAll(/[^ -~]/g, '.'));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        visible,
        visible.map((key) => `"${key}"`),
      ),
      async (key) => {
        fc.pre(key === key.trim()); // HTTP takes blanks at the ends for none of the value
        const response = await post('/v1/collections', {}, { 'idempotency-key': key });
        expect(response.status, key).toBe(isDescribed(key) ? 201 : 400);
      },
    ),
    { numRuns: 100 },
  );
});
