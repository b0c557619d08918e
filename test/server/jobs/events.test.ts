import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/server/index.ts';
import { digestFeeds, TooManyStreamsError } from '../../../src/server/jobs/digest-feeds.ts';
import { followDigest } from '../../../src/server/jobs/follow-digest.ts';
import { streamDigest } from '../../../src/server/routes/stream-digest.ts';
import {
  type Connection,
  type Database,
  insertEvents,
  insertLastEvent,
  saveDigest,
  sweep,
} from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { eventsIn, type StreamEvent } from '../../support/model-app.ts';
import { memoryDatabase, TEST_LIMITS, testApp, testDeps } from '../../support/test-deps.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { eventRows, type Hand, hand, noHand } from './hand.ts';

const DAY = 86_400_000;
const ANSWER = JSON.stringify({ id: 'dig_1', summary: 'as made' });
const ID = 'dig_1';
const OWNER = { id: ID, tenant: 'default' };

interface Event {
  readonly number: number;
  readonly event: string;
  readonly data: string;
}

/** What a reader gets after an event, up to so many events, after which it goes away. */
async function read(by: Hand, after: number, most: number, id = ID): Promise<Event[]> {
  const gone = new AbortController();
  const got: Event[] = [];
  if (most === 0) return got;
  for await (const event of followDigest(by.deps.database, id, by.worker, after, gone.signal)) {
    got.push(event);
    if (got.length === most) break;
  }
  return got;
}

function hasEnd(got: readonly { readonly event: string }[]): boolean {
  return ['digest', 'error', 'cancelled'].includes(got.at(-1)?.event ?? '');
}

/** What a reader has that is cut so often: it goes on from the last number that it got, at last to the end. */
async function readInCuts(by: Hand, cuts: readonly number[], id = ID): Promise<Event[]> {
  const got: Event[] = [];
  for (const most of [...cuts, Number.POSITIVE_INFINITY]) {
    if (!hasEnd(got)) got.push(...(await read(by, got.at(-1)?.number ?? 0, most, id)));
  }
  return got;
}

/** As a reader is to get them: the last one with the answer. */
async function persisted(connection: Connection): Promise<Event[]> {
  return (await eventRows(connection)).map(({ number, event, data }) => ({ number, event, data: data ?? ANSWER }));
}

type End = 'digest' | 'error' | 'cancelled';
const STATES: Readonly<Record<End, string>> = { digest: 'done', error: 'failed', cancelled: 'cancelled' };

/** A job that is under way and told nothing but that it was accepted. */
async function begun(database: Database): Promise<void> {
  const { query, tenant } = database;
  const createdAt = database.now();
  await query.insert(schema.digests).values({ id: ID, tenant, status: 'queued', createdAt });
  const job = { id: ID, tenant, priority: 0, retries: 0, notBefore: 0, createdAt };
  await query.insert(schema.jobs).values({ ...job, state: 'running', attempt: 1 });
  await database.commit([
    ...insertEvents(database, OWNER, [{ number: 1, event: 'accepted', data: '{"id":"dig_1"}' }], sql`true`),
  ]);
}

/** Tells events from this number on, in one write. */
async function notify(database: Database, from: number, events: readonly string[]): Promise<void> {
  const told = events.map((event, i) => ({ number: from + i, event, data: JSON.stringify({ told: from + i }) }));
  await database.commit(insertEvents(database, OWNER, told, sql`true`));
}

async function end(database: Database, how: End): Promise<void> {
  const { query } = database;
  const isMade = how === 'digest';
  await database.commit([
    query.update(schema.jobs).set({ state: STATES[how], endedAt: database.now() }),
    query.update(schema.digests).set(isMade ? { status: 'completed', answer: ANSWER } : { status: 'queued' }),
    insertLastEvent(database, OWNER, { event: how, data: isMade ? null : JSON.stringify({ how }) }, sql`true`),
  ]);
}

const onTheWay = fc.constantFrom('progress', 'progress', 'sentence');
const cuts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 });
const howItEnds = fc.constantFrom<End>('digest', 'error', 'cancelled');

test('however often a reader is cut, it gets what was told, each once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(onTheWay, { maxLength: 30 }), cuts, howItEnds, async (events, plan, how) => {
      const database = memoryDatabase();
      await begun(database);
      await notify(database, 2, events);
      await end(database, how);
      expect(await readInCuts(noHand(database), plan)).toEqual(await persisted(database));
    }),
    { numRuns: 60, seed: 62 },
  );
});

test('a page of events more than is read at a time, cut around its borders', async () => {
  const database = memoryDatabase();
  await begun(database);
  await notify(
    database,
    2,
    Array.from({ length: 450 }, () => 'progress'),
  );
  await end(database, 'digest');
  for (const plan of [[], [199], [200], [201, 199], [400, 1], [451]]) {
    expect(await readInCuts(noHand(database), plan)).toEqual(await persisted(database));
  }
});

test('a reader that has the end is not told it again', async () => {
  const database = memoryDatabase();
  await begun(database);
  await end(database, 'digest');
  const by = noHand(database);
  expect((await read(by, 0, 9)).map(({ number }) => number)).toEqual([1, 2]);
  expect(await read(by, 2, 9)).toEqual([]);
  await saveDigest(database, { id: 'dig_2', status: 'completed', answer: ANSWER }, []);
  expect(await read(by, 1, 9, 'dig_2')).toEqual([]);
});

test('while a job runs, readers that come, go and come again get all of it', async () => {
  const written = fc.array(fc.array(onTheWay, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 });
  const readers = fc.array(cuts, { minLength: 1, maxLength: 4 });
  const turns = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 11, maxLength: 11 });
  await fc.assert(
    fc.asyncProperty(written, readers, turns, howItEnds, async (batches, plans, pauses, how) => {
      const database = memoryDatabase();
      await begun(database);
      const by = noHand(database);
      const reading = plans.map((plan) => readInCuts(by, plan));
      let number = 2;
      for (const [i, batch] of batches.entries()) {
        for (let turn = 0; turn < pauses[i]; turn++) await Promise.resolve();
        if (pauses[i] > 9) await new Promise((resolve) => setImmediate(resolve));
        await notify(database, number, batch);
        number += batch.length;
        by.worker.signals.notify(ID);
      }
      for (let turn = 0; turn < (pauses.at(-1) ?? 0); turn++) await Promise.resolve();
      await end(database, how);
      by.worker.signals.notify(ID);
      const all = await persisted(database);
      for (const got of await Promise.all(reading)) expect(got).toEqual(all);
    }),
    { numRuns: 50, seed: 63 },
  );
});

test('what another process tells is seen without a word of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const [one, two] = twoConnections({ now: 1 });
  await begun(one);
  const reading = readInCuts(noHand(one), [1, 2]);
  for (let number = 2; number < 6; number++) {
    await vi.advanceTimersByTimeAsync(600);
    await notify(two, number, ['progress']);
  }
  await end(two, 'digest');
  await vi.advanceTimersByTimeAsync(600);
  expect(await reading).toEqual(await persisted(two));
});

test('real jobs: whoever is cut while they run or after, by whatever way, has what was told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cuts, { minLength: 1, maxLength: 3 }), async (plans) => {
      const database = memoryDatabase();
      const only = hand(database);
      const id = await only.accept({ documents: CITY, intent: CITY_INTENT });
      const follow = (plan: readonly number[]): Promise<Event[]> => readInCuts(only, plan, id);
      const live = await Promise.all(plans.map(follow));
      const [{ answer }] = await database.query.select().from(schema.digests);
      const told = (await eventRows(database)).map(({ number, event, data }) => ({
        number,
        event,
        data: data ?? answer,
      }));
      expect(told.map(({ number }) => number)).toEqual(told.map((_, i) => i + 1));
      expect(told.at(-1)?.event).toBe('digest');
      for (const got of [...live, ...(await Promise.all(plans.map(follow)))]) expect(got).toEqual(told);
    }),
    { numRuns: 8, seed: 64 },
  );
});

test('when what was told is cleared away, a reader gets what is left after what it has, and the end once', async () => {
  const clock = { now: 100 * DAY };
  await fc.assert(
    fc.asyncProperty(
      fc.array(onTheWay, { maxLength: 20 }),
      cuts,
      cuts,
      howItEnds,
      async (events, before, after, how) => {
        const database = { ...memoryDatabase(), now: () => clock.now };
        await begun(database);
        await notify(database, 2, events);
        await end(database, how);
        const by = noHand(database);
        const all = await persisted(database);
        const got: Event[] = [];
        for (const most of before) if (!hasEnd(got)) got.push(...(await read(by, got.at(-1)?.number ?? 0, most)));
        const had = got.length;
        clock.now += DAY + 1;
        expect((await sweep(database, null)).jobEvents).toBe(events.length);
        for (const most of [...after, Number.POSITIVE_INFINITY]) {
          if (!hasEnd(got)) got.push(...(await read(by, got.at(-1)?.number ?? 0, most)));
        }
        const left = (await persisted(database)).filter(({ number }) => number > had);
        expect(got).toEqual([...all.slice(0, had), ...left]);
        expect(got.at(-1)).toEqual(all.at(-1));
      },
    ),
    { numRuns: 60, seed: 65 },
  );
});

test('a digest that was made without a job is its only event', async () => {
  const database = memoryDatabase();
  await saveDigest(database, { id: ID, status: 'completed', answer: ANSWER }, []);
  const by = noHand(database);
  const whole = [{ number: 1, event: 'digest', data: ANSWER }];
  expect(await readInCuts(by, [])).toEqual(whole);
  expect(await readInCuts(by, [0, 0])).toEqual(whole);
  expect(await readInCuts(by, [1, 3])).toEqual(whole);
});

test('a digest of another tenant, a removed one and one that never was tell nothing', async () => {
  const database = memoryDatabase();
  await begun(database);
  await end(database, 'digest');
  const other = noHand({ ...database, tenant: 'other' });
  expect(await readInCuts(other, [])).toEqual([]);
  await database.query.delete(schema.digests);
  expect(await readInCuts(noHand(database), [])).toEqual([]);
});

test('a reader whose digest is removed while it reads, or who goes away, is let go', async () => {
  const database = memoryDatabase();
  await begun(database);
  const by = noHand(database);
  const reading = readInCuts(by, []);
  const gone = new AbortController();
  const other = (async () => {
    const got: Event[] = [];
    for await (const event of followDigest(database, ID, by.worker, 0, gone.signal)) got.push(event);
    return got.length;
  })();
  await new Promise((resolve) => setImmediate(resolve));
  gone.abort();
  expect(await other).toBe(1);
  await database.query.delete(schema.digests);
  by.worker.signals.notify(ID);
  expect((await reading).map(({ event }) => event)).toEqual(['accepted']);
});

/** Reads a stream until so many events came, then hangs up; the events whose end came. */
async function readStream(response: Response, most: number): Promise<StreamEvent[]> {
  if (response.body === null) return [];
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let body = '';
  const came = (): StreamEvent[] => eventsIn(body.slice(0, body.lastIndexOf('\n\n') + 2));
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    body += part.value;
    if (came().length >= most) break;
  }
  await reader.cancel();
  return came().slice(0, most);
}

test('over HTTP, with Last-Event-ID: posted, cut and gone on with, while it is made and after', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 }), async (plan) => {
      const { app, parts } = testApp();
      const [first = Number.POSITIVE_INFINITY, ...more] = plan;
      const posted = await app.request('/v1/digests', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ documents: CITY, intent: CITY_INTENT }),
      });
      const location = posted.headers.get('location') ?? '';
      const got = await readStream(posted, first);
      const follow = async (most: number, from: readonly StreamEvent[]): Promise<StreamEvent[]> => {
        const last = from.at(-1)?.id;
        const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': String(last) }) };
        return readStream(await app.request(location, { headers }), most);
      };
      for (const most of [...more, Number.POSITIVE_INFINITY]) if (!hasEnd(got)) got.push(...(await follow(most, got)));
      const digest = await (await app.request(location)).json();
      const told = (await eventRows(parts.database)).map(({ number, event, data }) => ({
        id: number,
        event,
        data: data === null ? digest : JSON.parse(data),
      }));
      expect(got).toEqual(told);
      expect(await follow(Number.POSITIVE_INFINITY, [])).toEqual(told);
      expect(parts.errors).toEqual([]);
    }),
    { numRuns: 8, seed: 66 },
  );
});

test('a stream ends without an end where its process stops, and goes on at another', async () => {
  const database = memoryDatabase();
  await begun(database);
  const stopping = testDeps({ database, slots: 0 });
  const headers = { accept: 'text/event-stream' };
  const response = await createApp(stopping).request(`/v1/digests/${ID}`, { headers });
  const text = response.text();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await stopping.worker.stop(0);
  expect(eventsIn(await text).map(({ event }) => event)).toEqual(['accepted']);
  await notify(database, 2, ['progress', 'sentence']);
  await end(database, 'error');
  const rest = await createApp(testDeps({ database, slots: 0 })).request(`/v1/digests/${ID}`, {
    headers: { ...headers, 'last-event-id': '1' },
  });
  expect(eventsIn(await rest.text()).map(({ id, event }) => [id, event])).toEqual([
    [2, 'progress'],
    [3, 'sentence'],
    [4, 'error'],
  ]);
});

const STREAMS = { perTenant: 100, total: 100 };

test('any number of readers, from wherever they are, have one watch of the digest, and none when they have gone', async () => {
  const database = memoryDatabase();
  await begun(database);
  await notify(database, 2, ['progress', 'sentence']);
  const by = noHand(database);
  const watched = vi.spyOn(by.worker.signals, 'watch');
  const feeds = digestFeeds(STREAMS);
  const gone = new AbortController();
  const readers = Array.from({ length: 40 }, async (_, index) => {
    const after = index % 4;
    const got: number[] = [];
    for await (const { number } of feeds.follow(database, ID, by.worker, after, gone.signal)) got.push(number);
    return { after, got };
  });
  await new Promise((resolve) => setImmediate(resolve));
  await notify(database, 4, ['sentence']);
  by.worker.signals.notify(ID);
  expect(feeds.open.digests).toBe(1);
  await end(database, 'digest');
  by.worker.signals.notify(ID);
  for (const { after, got } of await Promise.all(readers)) {
    expect(got).toEqual([1, 2, 3, 4, 5].filter((number) => number > after));
  }
  expect(watched).toHaveBeenCalledTimes(1);
  expect(feeds.open.digests).toBe(0);
});

test('the reader who goes away first takes nothing from the others; the last one ends the reading', async () => {
  const database = memoryDatabase();
  await begun(database);
  const by = noHand(database);
  const feeds = digestFeeds(STREAMS);
  const [first, second] = [new AbortController(), new AbortController()];
  const [a, b] = [first, second].map(({ signal }) => feeds.follow(database, ID, by.worker, 0, signal));
  expect([(await a.next()).value?.number, (await b.next()).value?.number]).toEqual([1, 1]);
  first.abort();
  expect((await a.next()).done).toBe(true);
  await notify(database, 2, ['progress']);
  by.worker.signals.notify(ID);
  expect((await b.next()).value?.number).toBe(2);
  await b.return(undefined);
  expect(feeds.open.digests).toBe(0);
});

test('a tenant has so many streams open at once, and all tenants together', () => {
  const feeds = digestFeeds({ perTenant: 2, total: 3 });
  const [close] = [feeds.enter('a'), feeds.enter('a')];
  expect(() => feeds.enter('a')).toThrow(new TooManyStreamsError(2));
  feeds.enter('b');
  expect(() => feeds.enter('b')).toThrow(new TooManyStreamsError(3));
  close();
  close();
  expect(feeds.open.streams).toBe(2);
  feeds.enter('b');
  expect(() => feeds.enter('a')).toThrow(TooManyStreamsError);
});

test('over HTTP, one stream too many is answered 429, also where it would make a digest, and makes none', async () => {
  const app = testApp({ slots: 0, app: { limits: { ...TEST_LIMITS, streams: { perTenant: 1, total: 9 } } } });
  const stream = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const post = () =>
    app.app.request('/v1/digests', { method: 'POST', headers: stream, body: JSON.stringify({ documents: CITY }) });
  const first = await post();
  expect(first.status).toBe(200);
  const refused = await post();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({ title: 'Too many streams' });
  expect((await app.parts.database.query.select().from(schema.digests)).length).toBe(1);
  await first.body?.cancel();
  const again = await app.app.request(String(first.headers.get('location')), { headers: stream });
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test('a reader that takes nothing is dropped, and costs no more than what lies between', async () => {
  const database = memoryDatabase();
  await begun(database);
  const by = noHand(database);
  const feeds = digestFeeds(STREAMS);
  const end = vi.fn();
  const app = new Hono().get('/', (context) =>
    streamDigest(
      context,
      ID,
      { after: 0, parts: {} },
      { database, worker: by.worker, feeds, reportError: () => {}, stallMilliseconds: 50 },
      end,
    ),
  );
  const body = (await app.request('/')).body;
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: accepted\n/);
  await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(1));
  await expect(reader?.read()).rejects.toThrow('takes nothing');
  expect(feeds.open.digests).toBe(0);
});
