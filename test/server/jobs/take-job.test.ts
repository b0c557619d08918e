import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Connection, claimJob, jobDue, orphanedJobs, takeJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { jobRows } from './hand.ts';

const NOW = 1_800_000_000_000;
const LEASE = 60_000;
const HOUR = 3_600_000;

type Row = typeof schema.jobs.$inferInsert;

/** A database in which it is `NOW`, with these jobs. */
async function databaseWith(...rows: readonly Partial<Row>[]) {
  const database = { ...memoryDatabase(), now: () => NOW };
  await put(database, rows);
  return database;
}

async function put(database: Connection, rows: readonly Partial<Row>[]): Promise<void> {
  await database.query.delete(schema.digests); // and the jobs with them
  for (const [i, changes] of rows.entries()) {
    const own = { id: `dig_${i}`, tenant: 'default', createdAt: NOW - HOUR, ...changes };
    await database.query.insert(schema.digests).values({ ...own, status: 'queued' });
    await database.query
      .insert(schema.jobs)
      .values({ state: 'queued', priority: 0, retries: 3, notBefore: NOW - HOUR, ...own });
  }
}

const near = fc.oneof(
  fc.constantFrom(0, 1, -1, LEASE, -LEASE, -2 * LEASE, HOUR, HOUR + 1, -HOUR),
  fc.integer({ min: -3 * HOUR, max: 3 * HOUR }),
);
const anyRow = fc
  .record({
    state: fc.constantFrom('queued', 'running', 'running', 'done', 'failed', 'cancelled'),
    attempt: fc.integer({ min: 0, max: 5 }),
    crashes: fc.integer({ min: 0, max: 4 }),
    created: near,
    before: near,
    until: near,
  })
  .map(
    ({ created, before, until, ...rest }): Partial<Row> => ({
      ...rest,
      createdAt: NOW + created,
      notBefore: NOW + before,
      ...(rest.state === 'running' && { owner: 'another', leaseUntil: NOW + until }),
    }),
  );

test('any job: who names it gets it exactly where who takes the next one does, in the same way; so long it can be forgotten', async () => {
  const [named, next] = [await databaseWith(), await databaseWith()];
  await fc.assert(
    fc.asyncProperty(anyRow, async (row) => {
      await put(named, [row]);
      await put(next, [row]);
      const forgotten = await orphanedJobs(named, LEASE, { since: 0, limit: 1 });
      const due = await jobDue(named, 'dig_0');
      const lease = await takeJob(named, 'dig_0', 'me', LEASE);
      expect(lease).toEqual(await claimJob(next, 'me', LEASE));
      expect(await jobRows(named)).toEqual(await jobRows(next));
      expect(forgotten).toEqual(lease === null ? [] : [{ id: 'dig_0', attempt: lease.attempt - 1 }]);
      expect(due === null).toBe(row.state !== 'queued');
      if (row.state === 'queued' && lease === null) expect(due).toBeGreaterThan(0);
    }),
    { numRuns: 60, seed: 9 },
  );
});
