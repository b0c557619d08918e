import { expect, test, vi } from 'vitest';
import type { DigestRequest } from '../../../src/contract/index.ts';
import { acceptDigest, requestPlanner } from '../../../src/server/jobs/accept-digest.ts';
import { memoryBudget, type RequestWorkerOptions, requestWorker } from '../../../src/server/jobs/edge-work.ts';
import { waitForDigest } from '../../../src/server/jobs/follow-digest.ts';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { claimJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { expectConsistent } from './expect-consistent.ts';
import { attended, HOOK, LEASE, onlyJob, written } from './hand.ts';

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
    enterMemory: memoryBudget(2 * CHARACTERS, 1000 * LEASE, () => database.now()),
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
  const news = waitForDigest(one, id, own.worker, 600_000).then(() => {
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

/** A room of ten, whose time is told. */
function ten(longest = 1000) {
  const clock = { now: 0 };
  return { clock, enter: memoryBudget(10, longest, () => clock.now) };
}

test('who was cut off does not take room for ever', () => {
  const { clock, enter } = ten(50);
  enter(10);
  clock.now = 49;
  expect(enter(1)).toBeNull();
  clock.now = 50;
  expect(enter(10)).not.toBeNull();
});
