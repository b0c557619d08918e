import { expect, test, vi } from 'vitest';
import type { DigestRequest } from '../../../src/contract/index.ts';
import { acceptDigest } from '../../../src/server/jobs/accept-digest.ts';
import { cancelDigest } from '../../../src/server/jobs/cancel-digest.ts';
import { followDigest, waitForDigest } from '../../../src/server/jobs/follow-digest.ts';
import { memoryBudget } from '../../../src/server/jobs/memory-budget.ts';
import { requestPlanner } from '../../../src/server/jobs/plan-order.ts';
import { type RequestWorkerOptions, requestWorker } from '../../../src/server/jobs/request-worker.ts';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { claimJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { attended, NOBODY } from './attended.ts';
import { expectConsistent } from './expect-consistent.ts';
import { HOOK, LEASE, onlyJob, told, written } from './hand.ts';

const START = 1_800_000_000_000;
const PATIENCE = 100_000;
const order: DigestRequest = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };
const CHARACTERS = CITY.slice(0, 3).reduce((sum, { text }) => sum + text.length, 0);

/** What one request has, and what the runtime was asked to wait for. */
function request(database: OpenDatabase, options: Partial<RequestWorkerOptions> = {}) {
  const own = attended(database);
  const pending: Promise<unknown>[] = [];
  const handedOver: string[] = [];
  /** States of the jobs when it was to be told of their end. */
  const afterwards: string[][] = [];
  const worker = requestWorker(own.deps, {
    maxCharacters: CHARACTERS,
    room: memoryBudget({ most: 2 * CHARACTERS, longest: 1000 * LEASE, now: () => database.now() }),
    leaseMilliseconds: LEASE,
    maxWaitMilliseconds: PATIENCE,
    waitUntil: (work) => pending.push(work),
    handOver: async (id) => void handedOver.push(id),
    deliver: async () => {
      const rows = await database.query.select({ state: schema.jobs.state }).from(schema.jobs);
      afterwards.push(rows.map(({ state }) => state));
    },
    ...options,
  });
  return {
    ...own,
    worker,
    pending,
    handedOver,
    afterwards,
    accept: async (isAwaited: boolean, what: DigestRequest = order) =>
      acceptDigest(what, (await requestPlanner(what, own.deps))(what), own.deps, worker, { isAwaited, most: 1000 }),
    /** Until the runtime could end the request; rejects where something that it waits for does. */
    over: async () => {
      for (let seen = 0; seen < pending.length; ) {
        seen = pending.length;
        await Promise.all(pending);
      }
    },
  };
}

const connections = () => {
  const clock = { now: START };
  return { clock, all: twoConnections(clock) };
};

test('what is small and waited for is made at once, and its reader told', async () => {
  const [one] = connections().all;
  const own = request(one);
  const gate = own.engine.hold('select');
  const id = await own.accept(true);
  await gate.reached;
  expect(await onlyJob(one)).toMatchObject({
    id,
    state: 'running',
    attempt: 1,
    owner: own.worker.owner,
    leaseUntil: START + LEASE,
  });
  expect(own.pending).toHaveLength(1);
  expect(own.afterwards).toEqual([]);
  let isOver = false;
  const news = own.worker.signals
    .watch(id)
    .wait(600_000)
    .then(() => {
      isOver = true;
    });
  gate.open();
  await news;
  await own.over();
  expect(isOver).toBe(true);
  expect(await waitForDigest(one, id, own.worker, 0)).toMatchObject({ id, state: 'done' });
  await expectConsistent(one);
  expect([own.made, own.happenings, own.failures]).toEqual([[id], ['started', 'done'], []]);
  expect(own.handedOver).toEqual([]);
  expect(own.afterwards).toEqual([['done']]); // once, when there was something to tell
});

test('who follows it reads all that it tells, and its end', async () => {
  const [one] = connections().all;
  const own = request(one);
  const id = await own.accept(true);
  const events: [number, string][] = [];
  for await (const { number, event } of followDigest(one, id, own.worker, 0, new AbortController().signal)) {
    events.push([number, event]);
  }
  await own.over();
  expect(events.map(([number]) => number)).toEqual(events.map((_, i) => i + 1));
  expect(events.map(([, event]) => event)).toEqual(await told(one));
  expect([events[0], events.at(-1)?.[1]]).toEqual([[1, 'accepted'], 'digest']);
});

test.each([
  ['nobody waits for', false, CHARACTERS],
  ['is too large for a request', true, CHARACTERS - 1],
])('what %s is handed over with its id, once', async (_, isAwaited, maxCharacters) => {
  const [one] = connections().all;
  const own = request(one, { maxCharacters });
  const id = await own.accept(isAwaited);
  await own.over();
  expect(own.handedOver).toEqual([id]);
  expect(await onlyJob(one)).toMatchObject({ id, state: 'queued', attempt: 0, owner: null });
  expect([own.engine.extracted, own.happenings, own.afterwards]).toEqual([[], [], []]);
  own.worker.wake(); // no job is named: there is nothing to hand over
  expect(own.handedOver).toEqual([id]);
});

test('what asks a language model is for others, however small', () => {
  const { worker } = request(connections().all[0]);
  const job = { tenant: 'default', isAwaited: true, characters: CHARACTERS, asksModel: false };
  expect(worker.reserve(job)).toMatchObject({ until: START + LEASE });
  for (const other of [{ asksModel: true }, { isAwaited: false }, { characters: CHARACTERS + 1 }]) {
    expect(worker.reserve({ ...job, ...other })).toBeNull();
  }
});

test('a request looks for news of what others do for so long, and of what it does itself to the end', async () => {
  const { clock, all } = connections();
  const waits = request(all[0]);
  const left = await waits.accept(false);
  clock.now += PATIENCE;
  expect(waits.worker.isStopped()).toBe(false);
  clock.now += 1;
  expect(await waitForDigest(all[0], left, waits.worker, 600_000)).toMatchObject({ id: left, state: 'queued' });

  const makes = request(all[0]);
  const gate = makes.engine.hold('select');
  const id = await makes.accept(true);
  await gate.reached;
  clock.now += PATIENCE + 1;
  expect(makes.worker.isStopped()).toBe(false);
  gate.open();
  const digest = await waitForDigest(all[0], id, makes.worker, 600_000);
  expect(JSON.parse(digest?.answer ?? 'null')).toMatchObject({ id, status: 'completed' });
  await makes.over();
  expect(makes.worker.isStopped()).toBe(true);
});

test('where it cannot be handed over that is reported, and the job stays for others', async () => {
  const [one, two] = connections().all;
  const failure = new Error('the queue is away');
  const own = request(one, { handOver: () => Promise.reject(failure) });
  const id = await own.accept(false); // it is accepted all the same
  await own.over();
  expect(own.failures).toEqual([failure]);
  expect(await claimJob(two, 'another', LEASE)).toMatchObject({ id, attempt: 1 });
});

test('where its caller cannot be told that is reported, and the digest is there', async () => {
  const [one] = connections().all;
  const failure = new Error('no message');
  const own = request(one, { deliver: () => Promise.reject(failure) });
  await own.accept(true);
  await own.over();
  expect(own.failures).toEqual([failure]);
  await expectConsistent(one);
});

test('what the request itself cancels stops at once, and leaves nothing but its end', async () => {
  const [one] = connections().all;
  const own = request(one);
  const select = vi.spyOn(own.engine, 'select');
  const gate = own.engine.hold('rank');
  const id = await own.accept(true);
  await gate.reached;
  expect(await cancelDigest(id, own.deps, own.worker)).toBe(true);
  gate.open();
  await own.over();
  expect(select).not.toHaveBeenCalled();
  expect(await onlyJob(one)).toMatchObject({ state: 'cancelled', owner: null, leaseUntil: null });
  expect((await told(one)).filter((event) => event !== 'accepted' && event !== 'progress')).toEqual(['cancelled']);
  expect([own.made, own.happenings, own.failures]).toEqual([[], ['started', 'cancelled'], []]);
  // For the cancelling, and for the attempt that it ended.
  expect(own.afterwards).toEqual([['cancelled'], ['cancelled']]);
});

test('what another request cancels ends with the next sign of life', async () => {
  const [one, two] = connections().all;
  const own = request(one, { leaseMilliseconds: 30 });
  const select = vi.spyOn(own.engine, 'select');
  const gate = own.engine.hold('rank');
  const id = await own.accept(true);
  await gate.reached;
  const other = attended(two);
  expect(await cancelDigest(id, other.deps, NOBODY)).toBe(true);
  const before = await written(two);
  await new Promise((resolve) => setTimeout(resolve, 60)); // signs of life come every 10 ms
  gate.open();
  await own.over();
  expect(select).not.toHaveBeenCalled();
  expect([own.made, own.happenings, own.failures]).toEqual([[], ['started'], []]);
  expect(await written(two)).toEqual(before);
});

test('where another took the lease the work ends with the next sign of life, and writes nothing', async () => {
  const { clock, all } = connections();
  const [one, two] = all;
  const own = request(one, { leaseMilliseconds: 90 });
  const select = vi.spyOn(own.engine, 'select');
  const gate = own.engine.hold('rank');
  const id = await own.accept(true);
  await gate.reached;
  clock.now += 91;
  expect(await claimJob(two, 'another', LEASE)).toMatchObject({ id, attempt: 2, crashes: 1 });
  await new Promise((resolve) => setTimeout(resolve, 130)); // what it told until here may wait 100 ms to be written
  const before = await written(two);
  gate.open();
  await own.over();
  expect(select).not.toHaveBeenCalled();
  expect(await written(two)).toEqual(before);
  expect([own.made, own.failures]).toEqual([[], []]);
});

test('and where it does not know yet, what it writes is nothing', async () => {
  const { clock, all } = connections();
  const [one, two] = all;
  const own = request(one);
  const gate = own.engine.hold('select');
  const id = await own.accept(true);
  await gate.reached;
  clock.now += LEASE + 1;
  expect(await claimJob(two, 'another', LEASE)).toMatchObject({ id, attempt: 2, crashes: 1 });
  await new Promise((resolve) => setTimeout(resolve, 130)); // as above
  const before = await written(two);
  gate.open();
  await own.over();
  expect(await written(two)).toEqual(before);
  expect([own.made, own.failures]).toEqual([[], []]);
});

test('signs of life keep a long job, and end with it', async () => {
  const { clock, all } = connections();
  const [one, two] = all;
  const own = request(one, { leaseMilliseconds: 60 });
  const gate = own.engine.hold('select');
  await own.accept(true);
  await gate.reached;
  for (let step = 0; step < 4; step++) {
    clock.now += 50;
    await vi.waitFor(async () => expect((await onlyJob(two)).leaseUntil).toBe(clock.now + 60));
  }
  gate.open();
  await own.over();
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 1, crashes: 0, leaseUntil: null });
  const write = vi.spyOn(one, 'write');
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(write).not.toHaveBeenCalled();
});

test('a digest that fails while its caller waits ends so, and is told', async () => {
  const [one] = connections().all;
  const own = request(one);
  own.engine.rankFailures.push(new Error('broken'));
  const id = await own.accept(true);
  await own.over();
  expect(await waitForDigest(one, id, own.worker, 0)).toMatchObject({ state: 'failed' });
  expect((await told(one)).at(-1)).toBe('error');
  expect([own.happenings, own.failures.map(String)]).toEqual([['started', 'failed'], ['Error: broken']]);
  expect(own.afterwards).toEqual([['failed']]);
});

test('two requests are two owners, and the one does not hold what the other holds', async () => {
  const { all } = connections();
  const [one, two] = all.map((database) => request(database));
  expect(one.worker.owner).not.toBe(two.worker.owner);
  const gates = [one, two].map(({ engine }) => engine.hold('select'));
  const ids = [await one.accept(true), await two.accept(true)];
  await Promise.all(gates.map(({ reached }) => reached));
  for (const gate of gates) gate.open();
  await Promise.all([one.over(), two.over()]);
  expect([one.made, two.made]).toEqual([[ids[0]], [ids[1]]]);
  await expectConsistent(all[0]);
});

test('where the memory that requests share is full, a small digest is handed over like a large one', async () => {
  const [one] = connections().all;
  const shared = memoryBudget({ most: CHARACTERS, longest: 1000 * LEASE, now: () => START });
  const leave = shared.enter(1);
  const full = request(one, { room: shared });
  const handed = await full.accept(true);
  await full.over();
  expect([full.handedOver, full.engine.extracted]).toEqual([[handed], []]);
  leave?.();
  const free = request(one, { room: shared });
  await free.accept(true);
  expect(shared.enter(1)).toBeNull(); // it is in there itself
  await free.over();
  expect(free.handedOver).toEqual([]);
  expect(shared.enter(CHARACTERS)).not.toBeNull();
});
