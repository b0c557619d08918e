import { describe, expect, test } from 'vitest';
import { type Digest, type Subscription, subscriptionSchema } from '../../src/contract/index.ts';
import { UnusableOptionError } from '../../src/digest/index.ts';
import { runSubscriptions } from '../../src/server/subscriptions/run-subscriptions.ts';
import { claimSubscriptions, DEFAULT_TENANT, forTenant, sweep } from '../../src/store/index.ts';
import { digests, jobs, subscriptions, webhooks } from '../../src/store/schema.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { memoryDatabase, TEST_LIMITS, type TestOptions, testApp } from '../support/test-deps.ts';
import { until } from '../support/until.ts';

const URL = 'https://hooks.example/in?secret=1';
const INTENT = 'What about the congestion charge?';
const EVERYTHING = { size: { keyPoints: 12 }, relevance: { gate: null } };
const FIRST = 'The council approved a congestion charge of 4 euros. Residents pay half the charge.';
const SECOND = 'Shopkeepers fear that the charge drives customers to the malls.';
const NEWS = 'Residents pay half the charge. The study expects 2.5 million euros of revenue from the charge.';

/** A service with a collection, whose subscriptions run when they are told to, at the time of a clock that stands. */
async function subscribed({ limits = TEST_LIMITS, ...options }: TestOptions & { limits?: typeof TEST_LIMITS } = {}) {
  const { database = memoryDatabase() } = options;
  const clock = { now: database.now() };
  Object.assign(database, { now: () => clock.now });
  const service = testApp({ ...options, database });
  const { app, parts, post } = service;
  const failures: unknown[] = [];
  const ask = async (method: string, path: string, body?: object) =>
    app.request(path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const { id: collection } = Object(await (await post('/v1/collections', {})).json());
  const at = (id: string) => `/v1/subscriptions/${id}`;
  return {
    ...service,
    database,
    clock,
    ask,
    at,
    collection: String(collection),
    failures,
    async subscribe(more: object = {}): Promise<string> {
      const body = { collection, intent: INTENT, selection: EVERYTHING, webhook: { url: URL }, ...more };
      const response = await post('/v1/subscriptions', body);
      expect(response.status, await response.clone().text()).toBe(201);
      return String(Object(await response.json()).id);
    },
    async add(id: string, text: string) {
      expect((await ask('PUT', `/v1/collections/${collection}/documents/${id}`, { text })).status).toBeLessThan(300);
    },
    read: async (id: string): Promise<Subscription> =>
      subscriptionSchema.parse(await (await ask('GET', at(id))).json()) as Subscription,
    /** What is due is begun, as if nothing had been added for long. */
    async run(quiet = 0): Promise<string[]> {
      const log = (_: string, { err }: { readonly err?: unknown }) => void failures.push(err);
      return runSubscriptions({ ...parts, log, service: { limits, quietMilliseconds: quiet } });
    },
    async digest(id: string): Promise<Digest> {
      const read = async () => (await ask('GET', `/v1/digests/${id}`)).json() as Promise<Digest>;
      return until('the digest', async () => {
        const digest = await read();
        return 'progress' in digest && !/failed|cancelled/.test(digest.status) ? undefined : digest;
      });
    },
    told: async () =>
      (await database.query.select().from(webhooks)).map(({ digestId, url }) => ({ digest: digestId, url })),
  };
}

const textsOf = ({ keyPoints }: Digest) => keyPoints.filter(({ selected }) => selected).map(({ text }) => text);

describe('what is added to a collection', () => {
  test('is told in one digest, and later only what is new since', async () => {
    const { subscribe, add, run, read, digest, told } = await subscribed();
    await add('before', SECOND);
    const id = await subscribe();
    expect(await run()).toEqual([]);
    await add('a', FIRST);
    await add('b', 'Tomatoes need warm soil.');
    const [first, ...more] = await run();
    expect(more).toEqual([]);
    expect(await read(id)).toMatchObject({
      state: 'active',
      webhook: { target: 'https://hooks.example' },
      lastRun: { digest: first, newDocuments: 3 },
    });
    const whole = await digest(first);
    expect(whole.documents.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(textsOf(whole)).toContain('Residents pay half the charge.');
    expect(await run()).toEqual([]);
    await add('c', NEWS);
    expect(await read(id)).toMatchObject({ documents: { seen: 3, new: 1 }, lastDigest: first });
    const [second] = await run();
    expect(textsOf(await digest(second))).toEqual(['The study expects 2.5 million euros of revenue from the charge.']);
    expect(await told()).toEqual([first, second].map((each) => ({ digest: each, url: URL })));
    const last = { lastDigest: second, lastRun: { digest: second, newDocuments: 1, empty: false } };
    expect(await read(id)).toMatchObject({ documents: { seen: 4, new: 0 }, ...last });
  });

  test('waits until nothing more is added, but not for ever', async () => {
    const { subscribe, add, run, clock } = await subscribed();
    await subscribe();
    for (let i = 0; i < 10; i++) {
      await add(`d${i}`, `${FIRST} It is report ${i}.`);
      expect(await run(100)).toEqual([]);
      clock.now += 99;
    }
    expect(await run(100)).toEqual([]);
    clock.now += 10; // ten times as long since the first
    expect(await run(100)).toHaveLength(1);
    await add('late', SECOND);
    clock.now += 99;
    expect(await run(100)).toEqual([]);
    clock.now += 1;
    await until('the first digest', async () => (await run(100)).length === 1);
  });

  test('is told once whoever looks, and however often', async () => {
    const { subscribe, add, run, database } = await subscribed();
    await subscribe();
    await add('a', FIRST);
    const begun = await Promise.all([run(), run(), run()]);
    expect(begun.flat()).toHaveLength(1);
    expect(await database.query.select().from(jobs)).toHaveLength(1);
  });

  test('while a digest is made, in the next one', async () => {
    const { subscribe, add, run, digest, parts, database } = await subscribed({ slots: 0 });
    await subscribe();
    await add('a', FIRST);
    const [first] = await run();
    await add('b', SECOND);
    expect(await run()).toEqual([]);
    const other = testApp({ database });
    await digest(first);
    const [second] = await run();
    expect((await digest(second)).documents.map(({ id, excluded }) => [id, excluded])).toEqual([
      ['a', 'known'],
      ['b', null],
    ]);
    await Promise.all([parts.worker.stop(0), other.parts.worker.stop(0)]);
  });

  test('starts no digest before there are as many as are waited for', async () => {
    const { subscribe, add, run, read } = await subscribed();
    const id = await subscribe({ minDocuments: 2 });
    await add('a', FIRST);
    await add('a', FIRST);
    expect(await run()).toEqual([]);
    expect(await read(id)).toMatchObject({ minDocuments: 2, lastRun: null, documents: { seen: 0, new: 1 } });
    await add('b', SECOND);
    expect(await run()).toHaveLength(1);
  });

  test('a text that is there already starts none, and a changed one does', async () => {
    const { subscribe, add, run, digest } = await subscribed();
    await subscribe();
    await add('a', FIRST);
    const [first] = await run();
    await digest(first);
    await add('a', FIRST);
    expect(await run()).toEqual([]);
    await add('a', NEWS);
    const [second] = await run();
    expect(textsOf(await digest(second))).toEqual(['The study expects 2.5 million euros of revenue from the charge.']);
  });
});

test('a digest with nothing new to say is sent only if that is asked for', async () => {
  const { subscribe, add, run, read, digest, told } = await subscribed();
  const [quiet, loud] = [await subscribe(), await subscribe({ sendEmpty: true })];
  await add('a', FIRST);
  for (const each of await run()) await digest(each);
  await add('b', 'Residents pay half the charge.');
  const second = await run();
  expect(second).toHaveLength(2);
  for (const each of second) expect((await digest(each)).summary.text).toMatch(/^Nothing is new/);
  const empty = { empty: true, newDocuments: 1 };
  const [silent, sent] = [await read(quiet), await read(loud)];
  expect([silent.lastRun, sent.lastRun]).toMatchObject([empty, empty]);
  expect(silent.lastDigest).toBe(silent.lastRun?.digest);
  const after = (await told()).map((each) => each.digest).filter((each) => second.includes(each));
  expect(after).toEqual([sent.lastRun?.digest]);
});

describe('a process that dies', () => {
  test('after an addition loses nothing: the next one makes the digest', async () => {
    const before = await subscribed({ slots: 0 });
    const id = await before.subscribe();
    await before.add('a', FIRST);
    await before.parts.worker.stop(0);
    const after = await subscribed({ database: before.database });
    const [digest] = await after.run();
    await after.digest(digest);
    expect((await after.read(id)).lastDigest).toBe(digest);
    expect(await after.told()).toHaveLength(1);
  });

  test('with what it took leaves it to others when its time is over', async () => {
    const { subscribe, add, run, database, clock } = await subscribed();
    await subscribe();
    await add('a', FIRST);
    expect(await claimSubscriptions(database, 0)).toHaveLength(1);
    expect(await run()).toEqual([]);
    clock.now += 30_000;
    expect(await run()).toHaveLength(1);
  });

  test('and one that was only slow accept the same run once', async () => {
    const { subscribe, add, run, database, clock, failures, parts } = await subscribed({ slots: 0 });
    await subscribe();
    await add('a', FIRST);
    let go = (): void => {};
    const isAwake = new Promise<void>((resolve) => {
      go = resolve;
    });
    const commit: typeof database.commit = async (statements) => isAwake.then(() => database.commit(statements));
    const slow = { ...parts, database: { ...forTenant(database, DEFAULT_TENANT), commit } };
    const log = (_: string, { err }: { readonly err?: unknown }) => void failures.push(err);
    const late = runSubscriptions({ ...slow, log, service: { limits: TEST_LIMITS, quietMilliseconds: 0 } });
    await until('the claim', async () => {
      const [{ quietSince }] = await database.query.select().from(subscriptions);
      return quietSince === clock.now + 30_000;
    });
    clock.now += 30_000; // the claim has run out
    const [digest, ...more] = await run();
    expect([digest, more]).toEqual([expect.stringMatching(/^dig_[0-9a-f]{32}$/), []]);
    go();
    expect(await late).toEqual([]);
    expect(String(Object(failures[0]).cause ?? failures[0])).toMatch(/UNIQUE/);
    expect((await database.query.select().from(jobs)).map(({ id }) => id)).toEqual([digest]);
  });

  test('during a digest has it made and sent once by the next', async () => {
    const dying = await subscribed({ slots: 0 });
    const id = await dying.subscribe();
    await dying.add('a', FIRST);
    const [digest] = await dying.run();
    const next = await subscribed({ database: dying.database });
    await next.digest(digest);
    expect(await next.run()).toEqual([]);
    expect(await next.told()).toEqual([{ digest, url: URL }]);
    expect((await next.read(id)).lastRun).toMatchObject({ digest, empty: false });
  });
});

describe('what goes wrong', () => {
  test('a digest that fails is told as others are, and its documents stay new', async () => {
    const engine = new InProcessEngine();
    const { subscribe, add, run, read, digest, told, ask } = await subscribed({ engine });
    const id = await subscribe();
    await add('a', FIRST);
    const [first] = await run();
    await digest(first);
    await add('b', NEWS);
    const rank = engine.rank.bind(engine);
    Object.assign(engine, { rank: () => Promise.reject(new UnusableOptionError('/intent', 'is broken')) });
    const [second] = await run();
    expect((await digest(second)).status).toBe('failed');
    expect(await told()).toHaveLength(2);
    expect(await read(id)).toMatchObject({ lastDigest: first, documents: { seen: 1, new: 1 } });
    Object.assign(engine, { rank });
    await ask('POST', `/v1/digests/${second}/retry`, {});
    await digest(second);
    await until('the retry', async () => (await read(id)).lastDigest === second);
    expect(await read(id)).toMatchObject({ documents: { seen: 2, new: 0 }, lastRun: { empty: false } });
  });

  test('one that cannot be started says why, until something is added', async () => {
    const { subscribe, add, run, read } = await subscribed({ limits: { ...TEST_LIMITS, characters: 100 } });
    const id = await subscribe();
    await add('a', FIRST);
    await add('b', SECOND);
    expect(await run()).toEqual([]);
    expect((await read(id)).lastRun).toMatchObject({
      digest: null,
      newDocuments: 2,
      error: { status: 422, errors: [{ pointer: '/collection' }] },
    });
    expect(await run()).toEqual([]);
    await add('b', 'It rains.');
    expect(await run()).toHaveLength(1);
  });

  test('with too many digests under way it waits', async () => {
    const limits = { ...TEST_LIMITS, digestsPerTenant: 1 };
    const { subscribe, add, run, read, post, clock, ask, failures } = await subscribed({ slots: 0, limits });
    const id = await subscribe();
    const other = await post('/v1/digests', { documents: [SECOND] }, { prefer: 'respond-async' });
    await add('a', FIRST);
    expect(await run()).toEqual([]);
    expect((await read(id)).lastRun).toBeNull();
    await ask('DELETE', String(other.headers.get('location')));
    clock.now += 30_000;
    expect(await run()).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});

describe('a subscription', () => {
  test('that is paused tells afterwards what was added meanwhile', async () => {
    const { subscribe, add, run, read, ask, at } = await subscribed();
    const id = await subscribe();
    await ask('PATCH', at(id), { state: 'paused' });
    await add('a', FIRST);
    expect(await run()).toEqual([]);
    expect(await read(id)).toMatchObject({ state: 'paused', documents: { seen: 0, new: 1 } });
    await ask('PATCH', at(id), { state: 'active' });
    expect(await run()).toHaveLength(1);
  });

  test('ends when it is deleted, and with its collection', async () => {
    const { subscribe, add, run, ask, at, collection, database } = await subscribed();
    const [one, other] = [await subscribe(), await subscribe()];
    await add('a', FIRST);
    expect((await ask('DELETE', at(one))).status).toBe(204);
    expect((await ask('DELETE', `/v1/collections/${collection}`)).status).toBe(204);
    expect(await run()).toEqual([]);
    const gone = await ask('GET', at(other));
    expect(gone.status).toBe(404);
    expect(Object(await gone.json()).detail).toContain('its collection was');
    expect(await database.query.select().from(subscriptions)).toEqual([]);
  });

  test('keeps its last digest from retention, and starts anew once that is deleted', async () => {
    const { subscribe, add, run, read, digest, ask, database, clock } = await subscribed();
    const id = await subscribe();
    await add('a', FIRST);
    const [first] = await run();
    await digest(first);
    await add('b', SECOND);
    const [second] = await run();
    await digest(second);
    clock.now += 90_000_000;
    await sweep(database, 1000);
    expect((await database.query.select().from(digests)).map((row) => row.id)).toEqual([second]);
    await ask('DELETE', `/v1/digests/${second}`);
    expect(await read(id)).toMatchObject({ lastDigest: null, documents: { seen: 0, new: 2 } });
    await add('c', 'It rains.');
    const [third] = await run();
    expect((await digest(third)).documents.map(({ excluded }) => excluded)).toEqual([null, null, null]);
  });

  test('has a reader: the report of the intent is kept, the background is the last digest', async () => {
    const { subscribe, add, run, digest, ask } = await subscribed();
    await subscribe({ intent: { problem: INTENT, publishedAfter: '2026-01-01' } });
    const requestOf = async (id: string) => Object(await (await ask('GET', `/v1/digests/${id}/request`)).json());
    await add('a', FIRST);
    const [first] = await run();
    await digest(first);
    await add('b', SECOND);
    const [second] = await run();
    await digest(second);
    expect((await requestOf(first)).intent).toEqual({ problem: INTENT, publishedAfter: '2026-01-01' });
    expect((await requestOf(second)).intent).toMatchObject({
      publishedAfter: '2026-01-01',
      background: { digest: first },
    });
  });
});

test('a tenant has as many subscriptions as are allowed, of its own collections', async () => {
  const limits = { ...TEST_LIMITS, subscriptionsPerTenant: 2 };
  const { subscribe, post, ask, at, collection, database } = await subscribed({ app: { limits } });
  const [id] = [await subscribe(), await subscribe()];
  const again = async () => post('/v1/subscriptions', { collection, intent: INTENT });
  expect(Object(await (await again()).json())).toMatchObject({
    status: 422,
    detail: expect.stringContaining('At most 2'),
  });
  await ask('DELETE', at(id));
  const raced = await Promise.all([again(), again(), again()]);
  expect(raced.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect(await database.query.select().from(subscriptions)).toHaveLength(2);
});
