import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { claimJob, renewLeases } from '../../../src/store/index.ts';
import * as schema from '../../../src/store/schema.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { twoConnections } from '../webhooks/kept-webhooks.ts';
import { HOOK, hand, jobRows, LEASE, noHand, onlyJob, told, written } from './hand.ts';

const order = { documents: CITY.slice(0, 3), intent: CITY_INTENT, callbackUrl: HOOK };
const clockNow = (): { now: number } => ({ now: 1_800_000_000_000 });

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

test('an attempt that came too late does not count as a digest made', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const late = hand(one);
  const gate = late.engine.hold('select');
  await late.accept(order);
  await gate.reached;
  clock.now += LEASE + 1;
  hand(two);
  await until('the end', async () => (await onlyJob(two)).state === 'done');
  gate.open();
  await late.worker.stop(10_000);
  expect(late.happenings).toEqual(['started']);
  expect(late.made).toEqual([]);
});

test('a late attempt writes nothing while the next one is under way either', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const late = hand(one);
  const lateGate = late.engine.hold('select');
  const id = await late.accept(order);
  await lateGate.reached;
  clock.now += LEASE + 1;
  const next = hand(two);
  const nextGate = next.engine.hold('select');
  await nextGate.reached;
  await new Promise((resolve) => setTimeout(resolve, 120)); // what it told until here may wait 100 ms to be written
  const before = await written(two);

  lateGate.open();
  await late.worker.stop(10_000);
  expect(await written(two)).toEqual(before);
  expect(await onlyJob(two)).toMatchObject({ state: 'running', attempt: 2, owner: next.worker.owner });

  nextGate.open();
  await until('the end', async () => (await onlyJob(two)).state === 'done');
  expect((await told(two)).filter((event) => event === 'digest')).toHaveLength(1);
  expect(next.made).toEqual([id]);
});

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

test('signs of life keep the lease of a long job, whoever else looks for work', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const leaseMilliseconds = 90;
  const slow = hand(one, { leaseMilliseconds });
  const gate = slow.engine.hold('select');
  const id = await slow.accept(order);
  await gate.reached;
  const idle = hand(two);
  for (let step = 0; step < 8; step++) {
    clock.now += 60; // each within the lease, all far beyond it
    await until('a sign of life', async () => (await onlyJob(two)).leaseUntil === clock.now + leaseMilliseconds);
  }
  gate.open();
  await until('the end', async () => (await onlyJob(two)).state === 'done');
  expect(await onlyJob(two)).toMatchObject({ attempt: 1, crashes: 0 });
  expect([slow.made, idle.happenings]).toEqual([[id], []]);
});

test('a worker that learns that it lost a job stops it, and takes the next', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const slow = hand(one, { leaseMilliseconds: 90 });
  const gate = slow.engine.hold('rank');
  await slow.accept(order);
  await gate.reached;
  clock.now += 91;
  expect(await claimJob(two, 'another', LEASE)).toMatchObject({ attempt: 2, crashes: 1 });
  const second = await noHand(two).accept({ documents: CITY.slice(3), intent: CITY_INTENT });
  const stateOf = async (id: string) =>
    (await two.query.select().from(schema.jobs).where(eq(schema.jobs.id, id))).map(({ state, owner }) => [
      state,
      owner,
    ]);
  // It cannot know before its next sign of life, which asks for what it still holds.
  await new Promise((resolve) => setTimeout(resolve, 60));
  gate.open();
  await until('the second', async () => (await stateOf(second))[0][0] === 'done');
  expect(slow.made).toEqual([second]);
  const first = (await two.query.select().from(schema.jobs)).find(({ id }) => id !== second);
  expect(first).toMatchObject({ state: 'running', owner: 'another', attempt: 2 });
  expect((await two.query.select().from(schema.webhooks)).length).toBe(0);
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

test('who dropped a job because its end could not be written takes it again itself, later each time', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const leaseMilliseconds = 90;
  const { disk, database } = breakable(one);
  const only = hand(database, { leaseMilliseconds });
  const id = await only.accept(order, true);
  for (let crashes = 0; crashes < 3; crashes++) {
    await until('its end fails', () => only.failures.length === 2 * (crashes + 1));
    expect(await onlyJob(two)).toMatchObject({ state: 'running', attempt: crashes + 1, crashes });
    clock.now += 90 + 90 * crashes - 1;
    await new Promise((resolve) => setTimeout(resolve, 50)); // it looks for work every 10 ms
    expect(await onlyJob(two)).toMatchObject({
      attempt: crashes + 1,
      crashes,
      leaseUntil: clock.now + 1 - 90 * crashes,
    });
    if (crashes === 2) disk.isBroken = false;
    clock.now += 2;
  }
  await until('the end', () => only.made.length > 0);
  expect(only.made).toEqual([id]);
  expect(await onlyJob(two)).toMatchObject({ state: 'done', attempt: 4, crashes: 3, owner: null });
  expect((await told(two)).filter((event) => event === 'digest')).toHaveLength(1);
  expect(only.failures).toHaveLength(6);
});

test('leases are renewed of the named jobs that their owner still holds, and of no others', async () => {
  const clock = clockNow();
  const [one] = twoConnections(clock);
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push(await noHand(one).accept(order));
  for (const owner of ['me', 'me', 'me', 'another']) await claimJob(one, owner, LEASE);
  const [a, b, c, d] = await jobRows(one);
  const mine = [a, b, c, d].filter(({ owner }) => owner === 'me');
  const others = [a, b, c, d].filter(({ owner }) => owner !== 'me');
  expect([mine.length, others.length]).toEqual([3, 1]);
  const [kept, ended, dropped] = mine;
  await one.query.update(schema.jobs).set({ state: 'done' }).where(eq(schema.jobs.id, ended.id));
  clock.now += 7;
  const named = [kept.id, ended.id, others[0].id, 'dig_unknown'];
  expect(await renewLeases(one, 'me', named, LEASE)).toEqual(new Map([[kept.id, 1]]));
  const until = new Map((await jobRows(one)).map(({ id, leaseUntil }) => [id, leaseUntil]));
  expect(until.get(kept.id)).toBe(clock.now + LEASE);
  for (const { id } of [ended, dropped, ...others]) expect(until.get(id)).toBe(clock.now - 7 + LEASE);
  expect(await renewLeases(one, 'me', [], LEASE)).toEqual(new Map());
});

test('who stops hands back what does not end in time; that is no crash, however often', async () => {
  const clock = clockNow();
  const [one, two] = twoConnections(clock);
  const id = await noHand(one).accept(order);
  const times = 15;
  for (let time = 1; time <= times; time++) {
    const short = hand(one);
    const gate = short.engine.hold('rank');
    await gate.reached;
    const stopped = short.worker.stop(0);
    await until('it is told to stop', () => short.worker.isStopped());
    setTimeout(gate.open, 5); // after it was told; what is under way goes on until it looks
    await stopped;
    expect(short.happenings).toEqual(['started', 'handed-back']);
    expect(await onlyJob(two)).toMatchObject({
      state: 'queued',
      attempt: time,
      crashes: 0,
      retries: 3,
      owner: null,
      leaseUntil: null,
    });
  }
  const last = hand(two);
  await until('the end', async () => (await onlyJob(two)).state === 'done');
  expect(await onlyJob(two)).toMatchObject({ attempt: times + 1, crashes: 0 });
  expect(last.made).toEqual([id]);
});

test('who stops lets what is nearly done end', async () => {
  const [one] = twoConnections(clockNow());
  const only = hand(one);
  const gate = only.engine.hold('select');
  const id = await only.accept(order);
  await gate.reached;
  const second = await noHand(one).accept(order);
  const stopped = only.worker.stop(10_000);
  gate.open();
  await stopped;
  expect(only.made).toEqual([id]);
  expect(only.happenings).toEqual(['started', 'done']);
  const rows = await one.query.select().from(schema.jobs).where(eq(schema.jobs.id, second));
  expect(rows).toMatchObject([{ state: 'queued', attempt: 0 }]);
});

/** As many workers as said begin the only job and are gone. */
async function crash(times: number) {
  const clock = clockNow();
  const [one] = twoConnections(clock);
  const id = await noHand(one).accept(order);
  for (let time = 0; time < times; time++) {
    expect(await claimJob(one, `crashes ${time}`, LEASE)).toMatchObject({ attempt: time + 1, crashes: time });
    // It comes back later each time, and not a moment earlier.
    clock.now += LEASE + time * LEASE;
    if (time > 0) clock.now -= 1;
    expect(await claimJob(one, 'too early', LEASE)).toBeNull();
    clock.now += 1;
  }
  const last = hand(one);
  await until('the end', async () => (await onlyJob(one)).endedAt !== null);
  const [digest] = await one.query.select().from(schema.digests);
  const webhooks = await one.query.select().from(schema.webhooks);
  return {
    id,
    one,
    last,
    digest,
    job: await onlyJob(one),
    payloads: webhooks.map(({ payload }) => JSON.parse(payload)),
  };
}

test('a job whose process crashed twelve times is still done', async () => {
  const { job, digest, payloads, one } = await crash(12);
  expect(job).toMatchObject({ state: 'done', attempt: 13, crashes: 12, problem: null });
  expect(digest.status).toBe('completed');
  expect(payloads).toMatchObject([{ type: 'digest.completed' }]);
  expect((await told(one)).at(-1)).toBe('digest');
});

test('a job whose process crashed more often ends with a problem, and nobody begins it again', async () => {
  const { id, job, digest, payloads, one, last } = await crash(13);
  expect(job).toMatchObject({ state: 'failed', attempt: 14, crashes: 13 });
  expect(JSON.parse(job.problem ?? '')).toMatchObject({ status: 500, type: 'urn:tessera:problem:internal-error' });
  expect(digest).toMatchObject({ status: 'failed', answer: null });
  expect(payloads).toMatchObject([{ type: 'digest.failed', data: { id, status: 'failed' } }]);
  expect(await told(one)).toEqual(['accepted', 'error']);
  expect(last.failures.map(String)).toEqual([expect.stringContaining('ended 13 times')]);
  expect(last.engine.extracted).toEqual([]);
  expect(await claimJob(one, 'another', LEASE)).toBeNull();
});
