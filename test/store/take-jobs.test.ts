import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendEvents,
  claimJob,
  type Database,
  endJob,
  endStateOf,
  insertDigest,
  insertJob,
  type JobEnd,
  nextJobAt,
  onceEnded,
  orphanedJobs,
  readDigest,
  readEvents,
  releaseJob,
  renewLeases,
  takeJob,
  wasEndedBy,
} from '../../src/store/index.ts';
import { jobs } from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

const LEASE = 1000;

onBothStores(({ name, open }) => {
  async function withClock() {
    const clock = { time: 100_000 };
    const opened = await open();
    return { clock, database: { ...opened, now: () => clock.time } };
  }

  async function insert(database: Database, id: string, priority = 0): Promise<void> {
    await database.commit([
      ...insertDigest(database, { id, request: '{}', sources: [] }, 1000),
      insertJob(database, { id, priority, retries: 3, callbackUrl: null, createdAt: database.now(), lease: null }),
    ]);
  }

  async function jobOf({ query }: Database, id: string) {
    return (await query.select().from(jobs)).find((job) => job.id === id) ?? expect.fail(id);
  }

  test('its owner begins it anew, another takes it when the lease has ended: both are crashes', async () => {
    const { database, clock } = await withClock();
    await insert(database, 'a');
    const first = (await takeJob(database, 'a', 'one', LEASE)) ?? expect.fail('it waits');
    expect(await takeJob(database, 'a', 'one', LEASE)).toMatchObject({ attempt: 2, crashes: 1 });
    expect(await releaseJob(database, first, { delay: 0, isCounted: false })).toBe(false);
    clock.time += 2 * LEASE - 1; // after a crash others wait a lease longer
    expect(await takeJob(database, 'a', 'two', LEASE)).toBeNull();
    clock.time += 1;
    expect(await takeJob(database, 'a', 'two', LEASE)).toMatchObject({ attempt: 3, crashes: 2 });
    expect(await takeJob(database, 'a', 'one', LEASE)).toBeNull();
  });

  test('an end that is written is not written over, nor told twice, by who does not know that it was', async () => {
    const { database } = await withClock();
    await insert(database, 'a');
    const lease = (await takeJob(database, 'a', 'one', LEASE)) ?? expect.fail('it waits');
    const write = (end: JobEnd, event: string) =>
      database.commit([
        ...endJob(database, lease, end),
        ...appendEvents(database, lease, [{ event, data: null }], onceEnded(lease, endStateOf(end))),
      ]);
    await write({ status: 'completed', answer: '{"made":1}', problem: null }, 'digest');
    await write({ status: 'failed', answer: null, problem: '{}' }, 'error');
    expect((await readEvents(database, 'a', 0)).map(({ event }) => event)).toEqual(['digest']);
    await database.commit(endJob(database, lease, { status: 'partial', answer: '{"made":2}', problem: null }));
    expect(await wasEndedBy(database, lease, 'done')).toBe(true);
    expect(await wasEndedBy(database, lease, 'failed')).toBe(false);
    expect(await jobOf(database, 'a')).toMatchObject({ state: 'done', problem: null });
    expect(await readDigest(database, 'a')).toMatchObject({ status: 'completed', answer: '{"made":1}' });
  });

  test('forgotten are those that wait though they could have been taken so long ago, and those whose lease has ended', async () => {
    const { database, clock } = await withClock();
    for (const id of ['waits', 'held', 'lost', 'later']) await insert(database, id);
    await takeJob(database, 'lost', 'dead', LEASE);
    const later = (await takeJob(database, 'later', 'one', LEASE)) ?? expect.fail('it waits');
    await releaseJob(database, later, { delay: 60_000, isCounted: true });
    const found = async (since: number, limit = 9) =>
      (await orphanedJobs(database, LEASE, { since, limit })).map(({ id }) => id).sort();
    expect(await found(1)).toEqual([]);
    clock.time += 5000;
    await takeJob(database, 'held', 'one', 60_000);
    expect(await found(5001)).toEqual(['lost']);
    expect(await found(5000)).toEqual(['lost', 'waits']);
    expect(await found(0, 1)).toHaveLength(1);
    expect(await orphanedJobs(database, LEASE, { since: 4000, limit: 9 })).toContainEqual({ id: 'lost', attempt: 1 });
    clock.time += 60_000;
    expect(await found(0)).toEqual(['later', 'lost', 'waits']);
  });

  test('what is forgotten is what can be taken, whenever', async () => {
    const { database, clock } = await withClock();
    const step = fc.oneof(
      fc.record({ do: fc.constant('pass' as const), time: fc.nat(1500) }),
      fc.record({
        do: fc.constant('take' as const),
        id: fc.constantFrom('a', 'b', 'c'),
        by: fc.constantFrom('x', 'y'),
      }),
      fc.record({ do: fc.constant('claim' as const), by: fc.constantFrom('x', 'y') }),
      fc.record({
        do: fc.constant('renew' as const),
        id: fc.constantFrom('a', 'b', 'c'),
        by: fc.constantFrom('x', 'y'),
      }),
    );
    for (const id of ['a', 'b', 'c']) await insert(database, id);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const now of steps) {
          const takeable = (await orphanedJobs(database, LEASE, { since: 0, limit: 9 })).map(({ id }) => id);
          if (now.do === 'pass') clock.time += now.time;
          if (now.do === 'renew') await renewLeases(database, now.by, [now.id], LEASE);
          if (now.do === 'take') {
            const before = await jobOf(database, now.id);
            const taken = await takeJob(database, now.id, now.by, LEASE);
            const isOwn = before.state === 'running' && before.owner === now.by;
            expect(taken !== null).toBe(takeable.includes(now.id) || isOwn);
            if (taken !== null) expect(taken.attempt).toBe(before.attempt + 1);
          }
          if (now.do === 'claim') {
            const claimed = await claimJob(database, now.by, LEASE);
            expect(claimed === null).toBe(takeable.length === 0);
            if (claimed !== null) expect(takeable).toContain(claimed.id);
          }
          const due = await nextJobAt(database, LEASE);
          const waiting = await orphanedJobs(database, LEASE, { since: 0, limit: 9 });
          // A lease that ends in this moment is held until the next.
          if (waiting.length > 0) expect(due).toBe(clock.time);
        }
      }),
      { numRuns: name === 'D1' ? 8 : 60 },
    );
  });
});
