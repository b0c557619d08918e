import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

const held = (changes: Partial<Row> = {}): Partial<Row> => ({
  state: 'running',
  attempt: 1,
  owner: 'another',
  leaseUntil: NOW + 1,
  ...changes,
});

interface Case {
  readonly row: Partial<Row>;
  /** How `me` holds it afterwards; null where it does not get it. */
  readonly taken: { readonly attempt: number; readonly crashes: number } | null;
  /** Since when nobody takes it though they could, 0 where it is nobody's whenever that was; null where that is not so. */
  readonly forgottenSince: number | null;
  /** What `jobDue` says before. */
  readonly due: number | null;
}

const none = { taken: null, forgottenSince: null, due: null };

const STATES: Readonly<Record<string, Case>> = {
  'queued and due': { row: {}, taken: { attempt: 1, crashes: 0 }, forgottenSince: NOW - HOUR, due: 0 },
  'queued and due this moment': {
    row: { notBefore: NOW },
    taken: { attempt: 1, crashes: 0 },
    forgottenSince: NOW,
    due: 0,
  },
  'queued again after a failure, and not due yet': { ...none, row: { notBefore: NOW + 1_500, attempt: 2 }, due: 1_500 },
  'queued before the clock was set back': {
    row: { createdAt: NOW + HOUR, notBefore: NOW + HOUR },
    taken: { attempt: 1, crashes: 0 },
    forgottenSince: 0,
    due: 0,
  },
  'held by another': { ...none, row: held() },
  'held by another in its last millisecond': { ...none, row: held({ leaseUntil: NOW }) },
  'held by another whose lease has ended': {
    row: held({ leaseUntil: NOW - 1 }),
    taken: { attempt: 2, crashes: 1 },
    forgottenSince: 0,
    due: null,
  },
  'held by another whose lease has ended, after two crashes that call for a pause': {
    ...none,
    row: held({ leaseUntil: NOW - 2 * LEASE + 1, crashes: 2 }),
  },
  'the same, after the pause': {
    row: held({ leaseUntil: NOW - 2 * LEASE - 5, crashes: 2 }),
    taken: { attempt: 2, crashes: 3 },
    forgottenSince: 0,
    due: null,
  },
  'held by another since before the clock was set back': {
    row: held({ leaseUntil: NOW + HOUR + 1 }),
    taken: { attempt: 2, crashes: 1 },
    forgottenSince: 0,
    due: null,
  },
  'held by oneself': {
    row: held({ owner: 'me', attempt: 4, crashes: 2 }),
    taken: { attempt: 5, crashes: 3 },
    forgottenSince: null,
    due: null,
  },
  'held by oneself, the lease having ended': {
    row: held({ owner: 'me', attempt: 4, crashes: 1, leaseUntil: NOW - HOUR }),
    taken: { attempt: 5, crashes: 2 },
    forgottenSince: 0,
    due: null,
  },
  'held by one whose name begins like one’s own': { ...none, row: held({ owner: 'me too' }) },
  done: { ...none, row: { state: 'done', attempt: 1, endedAt: NOW - 1 } },
  failed: { ...none, row: { state: 'failed', attempt: 4, endedAt: NOW - 1 } },
  cancelled: { ...none, row: { state: 'cancelled', endedAt: NOW - 1 } },
  'cancelled while oneself was at it': { ...none, row: { state: 'cancelled', attempt: 1, owner: 'me' } },
  'of another tenant': {
    row: { tenant: 'acme' },
    taken: { attempt: 1, crashes: 0 },
    forgottenSince: NOW - HOUR,
    due: 0,
  },
};

describe.each(Object.entries(STATES))('a job that is %s', (_, { row, taken, forgottenSince, due }) => {
  test('taking it by its id', async () => {
    const database = await databaseWith(row);
    const before = await jobRows(database);
    const lease = await takeJob(database, 'dig_0', 'me', LEASE);
    if (taken === null) {
      expect(lease).toBeNull();
      expect(await jobRows(database)).toEqual(before);
    } else {
      expect(lease).toMatchObject({ id: 'dig_0', tenant: row.tenant ?? 'default', retries: 3, ...taken });
      const now = { state: 'running', owner: 'me', leaseUntil: NOW + LEASE, ...taken };
      expect(await jobRows(database)).toEqual([{ ...before[0], ...now }]);
    }
  });

  test('whether it is forgotten, and when it is due', async () => {
    const database = await databaseWith(row);
    const since = async (time: number) =>
      (await orphanedJobs(database, LEASE, { since: NOW - time, limit: 10 })).map(({ id }) => id);
    if (forgottenSince === null) expect(await since(NOW)).toEqual([]);
    else {
      expect(await since(forgottenSince)).toEqual(['dig_0']);
      if (forgottenSince > 0) expect(await since(forgottenSince - 1)).toEqual([]);
    }
    expect(await jobDue(database, 'dig_0')).toBe(due);
  });
});

test('an id that nobody knows is taken by nobody, and not due', async () => {
  const database = await databaseWith({});
  expect(await takeJob(database, 'dig_9', 'me', LEASE)).toBeNull();
  expect(await jobDue(database, 'dig_9')).toBeNull();
  expect(await jobRows(database)).toMatchObject([{ state: 'queued', attempt: 0 }]);
});

test('only the one that is named is taken', async () => {
  const database = await databaseWith({}, {}, held({ owner: 'me' }));
  expect(await takeJob(database, 'dig_1', 'me', LEASE)).toMatchObject({ id: 'dig_1', attempt: 1 });
  expect((await jobRows(database)).map(({ attempt }) => attempt)).toEqual([0, 1, 1]);
});

test('of those who take it at the same time one gets it', async () => {
  const database = await databaseWith({});
  const owners = ['a', 'b', 'c', 'd'];
  const leases = await Promise.all(owners.map((owner) => takeJob(database, 'dig_0', owner, LEASE)));
  expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
});

test('of those that are forgotten the oldest come first, with their attempts, and no more than asked for', async () => {
  const database = await databaseWith(
    { createdAt: NOW - 3 },
    { createdAt: NOW - 5, attempt: 7 },
    held({ createdAt: NOW - 9, leaseUntil: NOW - HOUR }),
    { createdAt: NOW - 4, tenant: 'acme' },
    { createdAt: NOW - 5 },
  );
  const ids = [
    { id: 'dig_2', attempt: 1 },
    { id: 'dig_1', attempt: 7 },
    { id: 'dig_4', attempt: 0 },
    { id: 'dig_3', attempt: 0 },
    { id: 'dig_0', attempt: 0 },
  ];
  expect(await orphanedJobs(database, LEASE, { since: 60_000, limit: 10 })).toEqual(ids);
  expect(await orphanedJobs(database, LEASE, { since: 60_000, limit: 3 })).toEqual(ids.slice(0, 3));
});

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
    { numRuns: 200, seed: 9 },
  );
});
