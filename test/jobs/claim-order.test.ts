import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimJob } from '../../src/store/jobs.ts';
import * as schema from '../../src/store/schema.ts';
import { databaseAt } from '../digest/webhooks/kept-webhooks.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { memoryDatabase } from '../support/test-parts.ts';
import { until } from '../support/until.ts';
import { hand, jobRows, noHand } from './hand.ts';

const NOW = 1_000;
const LEASE = 100;

interface Waiting {
  readonly tenant: string;
  readonly priority: number;
  readonly state: 'queued' | 'running' | 'done' | 'cancelled';
  readonly createdAt: number;
  readonly notBefore: number;
  readonly leaseUntil: number;
}

const near = fc.integer({ min: NOW - 3, max: NOW + 3 });
const waiting: fc.Arbitrary<Waiting> = fc.record({
  tenant: fc.constantFrom('a', 'b', 'c'),
  priority: fc.constantFrom(0, 1),
  state: fc.constantFrom('queued', 'queued', 'queued', 'running', 'running', 'done', 'cancelled'),
  createdAt: fc.integer({ min: 0, max: 5 }),
  notBefore: near,
  leaseUntil: near,
});
/** After each claim: whether a job that was claimed ends, and how far the clock goes on. */
const step = fc.record({ ends: fc.boolean(), which: fc.nat(99), passed: fc.constantFrom(0, 0, 0, 1, 2, LEASE + 1) });

type Row = Omit<Waiting, 'state'> & { readonly id: string; state: string; leaseUntil: number; attempt: number };

/** The claim as it is told in words, over plain objects. */
function nextOf(rows: readonly Row[], now: number, leastPriority: number): Row | undefined {
  const running = (tenant: string) => rows.filter((row) => row.tenant === tenant && row.state === 'running').length;
  const free = rows.filter(
    (row) =>
      row.priority >= leastPriority &&
      ((row.state === 'queued' && row.notBefore <= now) || (row.state === 'running' && row.leaseUntil < now)),
  );
  const places = free.map((row) => ({
    row,
    place: [-row.priority, running(row.tenant), row.createdAt] as const,
  }));
  places.sort((x, y) => {
    const different = [0, 1, 2].find((i) => x.place[i] !== y.place[i]);
    if (different !== undefined) return x.place[different] - y.place[different];
    return x.row.id < y.row.id ? -1 : 1;
  });
  return places[0]?.row;
}

test('callers who wait go first, then tenants with the least under way, then the oldest: worked out a second way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(waiting, { maxLength: 14 }),
      fc.array(step, { minLength: 16, maxLength: 16 }),
      fc.constantFrom(0, 0, 0, 1),
      async (jobs, steps, leastPriority) => {
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
          const expected = nextOf(rows, clock.now, leastPriority);
          const claimed = await claimJob(database, 'me', LEASE, leastPriority);
          expect(claimed?.id).toBe(expected?.id);
          if (expected !== undefined) {
            expected.state = 'running';
            expected.leaseUntil = clock.now + LEASE;
            expected.attempt++;
            expect(claimed).toMatchObject({ tenant: expected.tenant, attempt: expected.attempt });
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
          expect([row.state, row.attempt]).toEqual([model?.state, model?.attempt]);
        }
      },
    ),
    { numRuns: 150, seed: 61 },
  );
});

test('a tenant with many digests does not keep another from beginning its few', async () => {
  const clock = { now: NOW };
  const database = databaseAt(clock);
  const { query } = database;
  const tenants = [...Array.from({ length: 12 }, () => 'many'), 'few', 'few'];
  for (const [i, tenant] of tenants.entries()) {
    const id = `dig_${String(i).padStart(2, '0')}`;
    await query.insert(schema.digests).values({ id, tenant, status: 'queued', createdAt: i });
    await query
      .insert(schema.jobs)
      .values({ id, tenant, state: 'queued', priority: 0, retries: 0, notBefore: 0, createdAt: i });
  }
  const order: (string | undefined)[] = [];
  for (let i = 0; i < 6; i++) order.push((await claimJob(database, 'me', LEASE))?.tenant);
  expect(order).toEqual(['many', 'few', 'many', 'few', 'many', 'many']);
});

test('a worker begins what callers wait for before what nobody waits for', async () => {
  const database = memoryDatabase();
  const served = noHand(database);
  const single = (text: string) => ({ documents: [{ id: 'd', text }], intent: CITY_INTENT });
  const texts = CITY.slice(0, 4).map(({ text }) => text);
  await served.accept(single(texts[0]));
  await served.accept(single(texts[1]));
  await served.accept(single(texts[2]), true);
  await served.accept(single(texts[3]), true);
  const only = hand(database);
  await until('all', async () => (await jobRows(database)).every(({ state }) => state === 'done'));
  expect(only.engine.extracted.slice(0, 2).sort()).toEqual([texts[2], texts[3]].sort());
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
