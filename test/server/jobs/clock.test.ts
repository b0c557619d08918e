import { expect, test } from 'vitest';
import { claimJob, insertDigest, insertJob, nextJobAt } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

const LEASE = 30_000;
const HOUR = 60 * 60 * 1000;
const NOON = Date.UTC(2026, 10, 21, 12);

/** A queue with a clock that can be set. */
async function queueOf(...ids: readonly string[]) {
  const clock = { time: NOON };
  const database = { ...memoryDatabase(), now: () => clock.time };
  for (const id of ids) {
    const job = { id, priority: 0, retries: 0, callbackUrl: null, lease: null };
    await database.commit([
      ...insertDigest(database, { id, request: '{"documents":[]}', sources: [] }, 100),
      insertJob(database, job),
    ]);
  }
  return { clock, database };
}

test('where the clock is set back, what waits is taken all the same', async () => {
  const { clock, database } = await queueOf('dig_1');
  clock.time -= 5 * HOUR;
  expect(await nextJobAt(database, LEASE)).toBe(clock.time);
  expect(await claimJob(database, 'one', LEASE)).toMatchObject({ id: 'dig_1', attempt: 1 });
});

test('a lease holds to its last millisecond, and after crashes others go first for as many leases', async () => {
  const { clock, database } = await queueOf('dig_1');
  await claimJob(database, 'one', LEASE);
  clock.time = NOON + LEASE;
  expect(await claimJob(database, 'two', LEASE)).toBeNull();
  clock.time += 1;
  expect(await claimJob(database, 'two', LEASE)).toMatchObject({ crashes: 1 });
  clock.time += 2 * LEASE - 1;
  expect(await claimJob(database, 'three', LEASE)).toBeNull();
  clock.time += 1;
  expect(await claimJob(database, 'three', LEASE)).toMatchObject({ crashes: 2 });
});
