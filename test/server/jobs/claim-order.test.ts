import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { until } from '../../support/until.ts';
import { databaseAt } from '../webhooks/kept-webhooks.ts';
import { hand, jobRows, noHand } from './hand.ts';

const NOW = 100_000;
const LEASE = 100;
/** By so much a job that is waited for counts as older than it is. */
const HEAD_START = 15_000;

interface Waiting {
  readonly tenant: string;
  readonly priority: number;
  readonly state: 'queued' | 'running' | 'done' | 'cancelled';
  readonly createdAt: number;
  readonly notBefore: number;
  readonly leaseUntil: number;
  readonly crashes: number;
}

const near = fc.integer({ min: NOW - 3, max: NOW + 3 });
const waiting: fc.Arbitrary<Waiting> = fc.record({
  tenant: fc.constantFrom('a', 'b', 'c'),
  priority: fc.constantFrom(0, 1),
  state: fc.constantFrom('queued', 'queued', 'queued', 'running', 'running', 'done', 'cancelled'),
  // So that jobs come just before, at and just after the head start of others, and some in the future.
  createdAt: fc
    .tuple(fc.constantFrom(0, HEAD_START, 2 * HEAD_START, NOW), fc.integer({ min: -2, max: 2 }))
    .map(([from, more]) => from + more),
  notBefore: near,
  leaseUntil: near,
  crashes: fc.constantFrom(0, 0, 1, 2),
});
/** After each claim: whether a job that was claimed ends, and how far the clock goes on. */
const step = fc.record({
  ends: fc.boolean(),
  which: fc.nat(99),
  passed: fc.constantFrom(0, 0, 0, 1, 2, LEASE - 1, LEASE + 1),
});

type Row = Omit<Waiting, 'state' | 'leaseUntil' | 'crashes'> & {
  readonly id: string;
  state: string;
  leaseUntil: number;
  crashes: number;
  attempt: number;
};

/** Whether it can be taken: one whose lease has ended only once as many leases have passed as processes ended over it. */
function isFree({ state, createdAt, notBefore, leaseUntil, crashes }: Row, now: number): boolean {
  // From the future: the clock was set back since, so that no time of it says anything.
  if (state === 'queued') return createdAt > now || notBefore <= now;
  return state === 'running' && leaseUntil < now && leaseUntil + crashes * LEASE <= now;
}

/** The claim as it is told in words, over plain objects. */
function nextOf(rows: readonly Row[], now: number, minPriority: number): Row | undefined {
  const running = (tenant: string) => rows.filter((row) => row.tenant === tenant && row.state === 'running').length;
  const free = rows.filter((row) => row.priority >= minPriority && isFree(row, now));
  const places = free.map((row) => ({
    row,
    place: [running(row.tenant), row.createdAt - (row.priority === 1 ? HEAD_START : 0)] as const,
  }));
  places.sort((x, y) => {
    const different = [0, 1].find((i) => x.place[i] !== y.place[i]);
    if (different !== undefined) return x.place[different] - y.place[different];
    return x.row.id < y.row.id ? -1 : 1;
  });
  return places[0]?.row;
}

test('tenants with the least under way go first, then the oldest, with a head start for who waits: worked out a second way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(waiting, { maxLength: 14 }),
      fc.array(step, { minLength: 16, maxLength: 16 }),
      fc.constantFrom(0, 0, 0, 1),
      async (jobs, steps, minPriority) => {
        const clock = { now: NOW };
        const database = databaseAt(clock);
        const { query } = database;
        const rows: Row[] = jobs.map((job, i) => ({ ...job, id: `dig_${(7 * i) % 16}`, attempt: 0 }));
        for (const { id, tenant, createdAt, state, leaseUntil, ...job } of rows) {
          await query.insert(schema.digests).values({ id, tenant, status: 'queued', createdAt });
          const lease = state === 'running' ? { owner: 'x', leaseUntil } : {};
          await query.insert(schema.jobs).values({ id, tenant, state, createdAt, retries: 0, ...job, ...lease });
        }
        for (const { ends, which, passed } of steps) {
          const expected = nextOf(rows, clock.now, minPriority);
          const claimed = await claimJob(database, 'me', LEASE, minPriority);
          expect(claimed?.id).toBe(expected?.id);
          if (expected !== undefined) {
            if (expected.state === 'running') expected.crashes++;
            expected.state = 'running';
            expected.leaseUntil = clock.now + LEASE;
            expected.attempt++;
            expect(claimed).toMatchObject({
              tenant: expected.tenant,
              attempt: expected.attempt,
              crashes: expected.crashes,
            });
          }
          const own = rows.filter(({ state }) => state === 'running');
          if (ends && own.length > 0) {
            const done = own[which % own.length];
            done.state = 'done';
            await query.update(schema.jobs).set({ state: 'done' }).where(eq(schema.jobs.id, done.id));
          }
          clock.now += passed;
        }
        for (const row of await jobRows(database)) {
          const model = rows.find(({ id }) => id === row.id);
          expect([row.state, row.attempt, row.crashes]).toEqual([model?.state, model?.attempt, model?.crashes]);
        }
      },
    ),
    { numRuns: 60, seed: 61 },
  );
});

test('a worker that drains begins only what callers wait for', async () => {
  const database = memoryDatabase();
  const only = hand(database);
  only.worker.drain();
  const served = noHand(database);
  const left = await served.accept({ documents: CITY.slice(0, 1), intent: CITY_INTENT });
  const awaited = await served.accept({ documents: CITY.slice(1, 2), intent: CITY_INTENT }, true);
  only.worker.wake();
  await until('the one', () => only.made.length > 0);
  await only.worker.stop(1_000);
  expect(only.made).toEqual([awaited]);
  expect((await jobRows(database)).find(({ id }) => id === left)).toMatchObject({ state: 'queued', attempt: 0 });
});
