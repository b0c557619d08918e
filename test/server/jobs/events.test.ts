import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../../src/server/index.ts';
import { followDigest } from '../../../src/server/jobs/follow-digest.ts';
import { type StreamDeps, streamDigest } from '../../../src/server/routes/stream-digest.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { appendEvents, type Connection, createKey, type Database, revokeKey } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { eventsIn, type StreamEvent } from '../../support/model-app.ts';
import { memoryDatabase, TEST_LIMITS, testApp, testDeps } from '../../support/test-deps.ts';
import { eventRows, type Hand, noHand } from './hand.ts';

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
    if (event !== null) got.push(event);
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
  await database.commit(appendEvents(database, OWNER, [{ event: 'accepted', data: '{"id":"dig_1"}' }]));
}

/** Tells events from this number on, in one write. */
async function notify(database: Database, from: number, events: readonly string[]): Promise<void> {
  const told = events.map((event, i) => ({ event, data: JSON.stringify({ told: from + i }) }));
  await database.commit(appendEvents(database, OWNER, told));
}

async function end(database: Database, how: End): Promise<void> {
  const { query } = database;
  const isMade = how === 'digest';
  await database.commit([
    query.update(schema.jobs).set({ state: STATES[how], endedAt: database.now() }),
    query.update(schema.digests).set(isMade ? { status: 'completed', answer: ANSWER } : { status: 'queued' }),
    ...appendEvents(database, OWNER, [{ event: how, data: isMade ? null : JSON.stringify({ how }) }]),
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

/** Reads a stream that a key has asked for. */
async function streamed(deps: StreamDeps, key: string | null, end = () => {}) {
  const app = new Hono<ServiceEnv>().get('/', (context) => {
    context.set('caller', { tenant: 'default', key, scopes: [] });
    return streamDigest(context, ID, { after: 0, parts: {} }, deps, end);
  });
  return (await app.request('/')).body?.getReader();
}

test('once its key is revoked a stream says so and ends, whatever was made meanwhile', async () => {
  const database = memoryDatabase();
  await begun(database);
  const { worker } = noHand(database);
  const left = vi.fn();
  const { id } = await createKey(database, { tenant: 'default', name: 'n', scopes: ['digests'] });
  const reader = await streamed({ database, worker, reportError: () => {} }, id, left);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: accepted\n/);
  await revokeKey(database, id);
  await end(database, 'digest');
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: error\ndata: {.*invalid-key/);
  expect((await reader?.read())?.done).toBe(true);
  expect(left).toHaveBeenCalled();
});

test('an idle stream beats; a reader that takes nothing is dropped, and nobody listens for it any more', async () => {
  const database = memoryDatabase();
  await begun(database);
  const { worker } = noHand(database);
  const { listen } = worker.signals;
  let listening = 0;
  vi.spyOn(worker.signals, 'listen').mockImplementation((...of) => {
    listening++;
    const leave = listen(...of);
    return () => {
      listening--;
      leave();
    };
  });
  const end = vi.fn();
  const deps = { database, worker, reportError: () => {}, heartbeatMilliseconds: 20, stallMilliseconds: 50 };
  const reader = await streamed(deps, null, end);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: accepted\n/);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': still here\n\n');
  expect(listening).toBe(1);
  await vi.waitFor(() => expect(end).toHaveBeenCalledTimes(1));
  await expect(reader?.read()).rejects.toThrow('takes nothing');
  await vi.waitFor(() => expect(listening).toBe(0));
});
