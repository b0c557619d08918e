import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { claimJob } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { HOOK, hand, jobRows, LEASE, noHand, onlyJob, told, written } from './hand.ts';

const order = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };
const clockNow = (): { now: number } => ({ now: 1_800_000_000_000 });

test('a tenant without a job under way does not wait for those of others, until as many such tenants have one', async () => {
  const [one] = twoConnections(clockNow());
  const busy = hand(one, { slots: 2 });
  const gate = busy.engine.hold('select');
  const tenants = ['a', 'a', 'a', 'b', 'b', 'c', 'd'];
  const ids: string[] = [];
  for (const tenant of tenants) ids.push(await busy.accept(order, false, tenant));
  const states = new Map((await jobRows(one)).map(({ id, state }) => [id, state]));
  expect(ids.map((id) => states.get(id))).toEqual([
    ...['running', 'running', 'queued'],
    ...['running', 'queued'],
    ...['running', 'queued'],
  ]);
  gate.open();
  await until('the end', async () => (await jobRows(one)).every(({ state }) => state === 'done'));
  expect(busy.failures).toEqual([]);
});

test('a lease that ended is taken over, and what the late attempt writes is nothing', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const late = hand(one);
  const gate = late.engine.hold('select');
  const id = await late.accept(order);
  await gate.reached;
  expect(await onlyJob(one)).toMatchObject({ attempt: 1, crashes: 0, owner: late.worker.owner });

  clock.now += LEASE; // the last moment of the lease
  expect(await claimJob(two, 'too early', LEASE)).toBeNull();
  clock.now += 1;
  const next = hand(two);
  await until('the end', async () => (await onlyJob(two)).state === 'done');
  expect(await onlyJob(two)).toMatchObject({ attempt: 2, crashes: 1, owner: null, leaseUntil: null });
  const before = await written(two);
  expect(await two.query.select().from(schema.webhooks)).toHaveLength(1);
  expect((await told(two)).filter((event) => event === 'digest')).toHaveLength(1);

  gate.open();
  await late.worker.stop(10_000); // lets it go on to its end
  expect(await written(two)).toEqual(before);
  expect(next.made).toEqual([id]);
  expect([late.failures, next.failures]).toEqual([[], []]);
  expect(next.happenings).toEqual(['taken-over', 'done']);
});

test('work whose lease another process took goes no further', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const late = hand(one, { leaseMilliseconds: 90 });
  const gate = late.engine.hold('extract');
  late.engine.rankFailures.push(new Error('it went on'));
  await late.accept(order);
  await gate.reached;
  clock.now += 91;
  expect(await claimJob(two, 'another', LEASE)).toMatchObject({ attempt: 2 });
  await new Promise((resolve) => setTimeout(resolve, 200)); // several signs of life, which find that it is lost
  gate.open();
  await late.worker.stop(10_000);
  expect(late.engine.rankFailures).toHaveLength(1);
  expect([late.happenings, late.failures]).toEqual([['started'], []]);
});

/** The database where nothing that ends a job can be written while `isBroken` is true. */
function breakable(database: OpenDatabase) {
  const disk = { isBroken: true };
  const commit: OpenDatabase['commit'] = async (statements) => {
    // Drizzle's statements say their SQL; the shared type knows only what D1 needs.
    const texts = statements.map((statement) => (statement as unknown as { toSQL(): { sql: string } }).toSQL().sql);
    if (disk.isBroken && texts.some((text) => text.includes('"ended_at" ='))) throw new Error('the disk is full');
    return database.commit(statements);
  };
  return { disk, database: { ...database, commit } };
}

test('a job whose end could not be written is not held any longer: the next one takes it when its lease ends', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const leaseMilliseconds = 90;
  const { database } = breakable(one);
  const first = hand(database, { leaseMilliseconds });
  const id = await first.accept(order, true);
  await until('its end fails', () => first.failures.length === 2);
  expect(first.failures.map(String)).toEqual(['Error: the disk is full', 'Error: the disk is full']);
  const dropped = await onlyJob(two);
  expect(dropped).toMatchObject({ state: 'running', owner: first.worker.owner, leaseUntil: clock.now + 90 });

  // It gives its signs of life for what it works on, and that is another job.
  const gate = first.engine.hold('select');
  const second = await first.accept({ documents: CITY.slice(3), intent: CITY_INTENT });
  await gate.reached;
  clock.now += 60;
  const rows = async () => new Map((await jobRows(two)).map((row) => [row.id, row]));
  await until('a sign of life', async () => (await rows()).get(second)?.leaseUntil === clock.now + 90);
  expect((await rows()).get(id)).toEqual(dropped);
  clock.now += 30; // the last moment of the lease
  expect(await claimJob(two, 'too early', LEASE)).toBeNull();
  clock.now += 1;
  const next = hand(two);
  await until('the end', () => next.made.length > 0);
  expect(next.made).toEqual([id]);
  expect((await rows()).get(id)).toMatchObject({ state: 'done', attempt: 2, crashes: 1, owner: null });
  expect((await rows()).get(second)).toMatchObject({ state: 'running', attempt: 1, owner: first.worker.owner });
  expect((await told(two)).filter((event) => event === 'digest')).toHaveLength(1);
  expect(await two.query.select().from(schema.webhooks)).toHaveLength(1);
});

test('a job whose process crashed more often ends with a problem, and nobody begins it again', async () => {
  const clock = clockNow();
  const [one] = twoConnections(clock);
  const id = await noHand(one).accept(order);
  for (let time = 0; time < 13; time++) {
    expect(await claimJob(one, `crashes ${time}`, LEASE)).toMatchObject({ attempt: time + 1, crashes: time });
    // It comes back later each time, and not a moment earlier.
    clock.now += LEASE + time * LEASE - (time > 0 ? 1 : 0);
    expect(await claimJob(one, 'too early', LEASE)).toBeNull();
    clock.now += 1;
  }
  const last = hand(one);
  await until('the end', async () => (await onlyJob(one)).endedAt !== null);
  const job = await onlyJob(one);
  expect(job).toMatchObject({ state: 'failed', attempt: 14, crashes: 13 });
  expect(JSON.parse(job.problem ?? '')).toMatchObject({ status: 500, type: 'urn:tessera:problem:internal-error' });
  expect(await one.query.select().from(schema.digests)).toMatchObject([{ status: 'failed', answer: null }]);
  const payloads = (await one.query.select().from(schema.webhooks)).map(({ payload }) => JSON.parse(payload));
  expect(payloads).toMatchObject([{ type: 'digest.failed', data: { id, status: 'failed' } }]);
  expect(await told(one)).toEqual(['accepted', 'error']);
  expect(last.failures.map(String)).toEqual([expect.stringContaining('ended 13 times')]);
  expect(last.engine.extracted).toEqual([]);
  expect(await claimJob(one, 'another', LEASE)).toBeNull();
});
