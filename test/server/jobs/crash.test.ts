import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, gt } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/index.node.ts';
import * as schema from '../../../src/store/schema.ts';
import { groupBy } from '../../../src/text/index.ts';
import { seeded } from '../../selection/kernel/random.ts';
import { runCli } from '../../support/cli.ts';
import { type LogLine, settingsOf, startProcess } from '../../support/service-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { webhookReceiver } from '../../support/webhook-receiver.ts';
import { digestWatch } from './digest-watch.ts';
import { expectConsistent } from './expect-consistent.ts';
import { eventRows, jobRows } from './hand.ts';
import { type Posted, post, postUntilAccepted, smallRequest } from './posted-digests.ts';

const DIGESTS = 24;
const KILLS = 6;
/** Milliseconds over which digests are posted, and that a process lives once it listens. */
const POSTING = 10_000;
const LIFE = { least: 100, most: 2_000 };

test('digests and kills: each is made once and told of, and nothing is half written', {
  timeout: 240_000,
}, async () => {
  const random = seeded(6).next;
  const folder = temporaryFolder();
  const file = join(folder, 'tessera.sqlite');
  const settings = settingsOf(file);
  const { stdout, code } = await runCli(['webhooks', 'secret'], folder, settings);
  expect(code).toBe(0);
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  const { query } = database;
  const receiver = await webhookReceiver({
    secret: stdout.trim(),
    check: ({ digest }) => {
      const [row] = query.select().from(schema.digests).where(eq(schema.digests.id, digest)).all() as {
        answer: unknown;
      }[];
      return row?.answer == null ? `told of ${digest}, which has no answer` : null;
    },
    // Some are not taken the first time, and none at once, so that kills come in between.
    answer: (n) => ({ status: n % 7 === 3 ? 503 : 204, delay: 10 + 10 * (n % 5) }),
  });
  const all: Posted[] = Array.from({ length: DIGESTS }, (_, n) => ({
    request: smallRequest(n),
    key: n % 2 === 0 ? `crash-${n}` : null,
    id: null,
    refused: 0,
    broken: 0,
    inFlight: 0,
  }));
  const place = { url: '' };
  const over = new AbortController();
  setMaxListeners(2 * DIGESTS, over.signal);
  onTestFinished(() => over.abort());
  const watch = digestWatch(all, place);

  const log: (readonly LogLine[])[] = [];
  const start = async () => {
    const started = await startProcess('serve', folder, settings);
    place.url = String(started.ready.url);
    log.push(started.log);
    return started;
  };
  const done = async (): Promise<number> => (await jobRows(database)).filter(({ state }) => state === 'done').length;
  /** Whether a digest is being made, or nothing is left to be. */
  const isAtWork = async (): Promise<boolean> => {
    const states = (await jobRows(database)).map(({ state }) => state);
    return states.includes('running') || states.filter((state) => state === 'done').length >= DIGESTS;
  };
  let current = await start();
  const offsets = all.map(() => random() * POSTING);
  const posting = all.map(async (posted, n) => {
    await pause(offsets[n], undefined, { signal: over.signal });
    await postUntilAccepted(posted, receiver.url, place, over.signal);
  });
  const looked = new AbortController();
  const working = Promise.all([...posting, watch.keepLooking(looked.signal)]);
  working.catch(() => {}); // awaited below
  for (let kill = 0; kill < KILLS; kill++) {
    // Some while a digest is made, some whenever, and some soon after one is done, while it is told of; that also gets the
    // work on on a slow machine.
    const before = await done();
    const life = LIFE.least + random() * (LIFE.most - LIFE.least);
    if (kill % 3 === 0) await until('work', isAtWork, { within: 30_000, every: 2 });
    else if (kill % 3 === 1) await pause(life);
    else {
      const next = Math.min(before + 1, DIGESTS); // on a quick machine all may be done
      await until('a digest', async () => (await done()) >= next, { within: 30_000 });
      await pause(life / 10);
    }
    current.child.kill('SIGKILL');
    expect(await current.exited).toEqual([null, 'SIGKILL']);
    await expectConsistent(database);
    current = await start();
  }
  await Promise.all(posting);
  await until('all jobs', async () => (await jobRows(database)).every(({ state }) => state === 'done'), {
    within: 60_000,
  });
  // What was sent when its process was killed comes again after a minute, what was not taken after seconds: let them pass.
  await until(
    'all webhooks',
    async () => {
      const later = and(eq(schema.webhooks.state, 'waiting'), gt(schema.webhooks.notBefore, Date.now() + 2_000));
      await database.commit([query.update(schema.webhooks).set({ notBefore: 0 }).where(later)]);
      const rows = await query.select().from(schema.webhooks);
      return rows.every(({ state }) => state === 'delivered');
    },
    { within: 60_000, every: 500 },
  );
  await until('the last look', () => watch.look());
  looked.abort();
  await working;

  // Nobody lost anything that was accepted, nor has it twice.
  const accepted = all.flatMap(({ id }) => id ?? []);
  expect(new Set(accepted).size).toBe(DIGESTS);
  expect([...watch.finished.keys()].sort()).toEqual(accepted.toSorted());
  const digests = await query.select().from(schema.digests);
  const byIntent = groupBy(digests, ({ request }) => String(JSON.parse(request ?? '{}').intent));
  for (const { request, key, id, broken } of all) {
    const made = (byIntent.get(request.intent) ?? []).map((digest) => digest.id);
    expect(made).toContain(id);
    expect(made.length).toBeLessThanOrEqual(key === null ? 1 + broken : 1);
  }
  for (const { key, id, request } of all.filter((posted) => posted.key !== null)) {
    const body = JSON.stringify({ ...request, callbackUrl: receiver.url });
    const replay = await post(place.url, body, key, over.signal);
    if (typeof replay === 'string') throw new Error(replay);
    // 201 where the first answer was lost, and the digest was there when it was asked for again.
    expect([201, 202]).toContain(replay.status);
    expect([replay.json.id, replay.headers.get('idempotent-replayed')]).toEqual([id, 'true']);
  }
  expect(await query.select().from(schema.digests)).toHaveLength(digests.length);

  // Each was made once, however often it was begun: also those whose 202 was lost.
  await expectConsistent(database);
  const jobs = await jobRows(database);
  expect(jobs.filter(({ attempt, crashes, retries }) => attempt !== crashes + 1 || retries !== 3)).toEqual([]);
  const ends = (await eventRows(database)).filter(({ event }) => event === 'digest').map(({ jobId }) => jobId);
  expect(ends.sort()).toEqual(digests.map(({ id }) => id).sort());

  // Each was told of, under one id.
  expect(receiver.wrong).toEqual([]);
  const told = groupBy(receiver.received, ({ digest }) => digest);
  expect([...told.keys()].sort()).toEqual(digests.map(({ id }) => id).sort());
  for (const [digest, copies] of told) {
    expect(new Set(copies.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(copies[0]).toMatchObject({ id: `msg_${digest.slice('dig_'.length)}`, type: 'digest.completed' });
    expect(copies.some(({ status }) => status === 204)).toBe(true);
  }

  current.child.kill('SIGTERM');
  expect([await current.exited, current.other]).toEqual([[0, null], []]);
  const failures = log.flat().filter(({ level }) => Number(level) >= 50);
  expect(failures).toEqual([]);
  // It was a crash test: work was lost and done again, posts met nobody, webhooks came more than once.
  const crashed = jobs.filter(({ crashes }) => crashes > 0).length;
  const refused = all.filter(({ refused }) => refused > 0).length;
  const summary = {
    accepted: accepted.length,
    digests: digests.length,
    crashed,
    maxCrashes: Math.max(...jobs.map(({ crashes }) => crashes)),
    refused,
    broken: all.filter(({ broken }) => broken > 0).length,
    inFlight: all.filter(({ inFlight }) => inFlight > 0).length,
    pendingViews: watch.pending,
    copies: receiver.received.length,
  };
  if (process.env.CRASH_TEST_SUMMARY) process.stdout.write(`${JSON.stringify(summary)}\n`);
  expect(crashed).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
  expect(watch.pending).toBeGreaterThan(0);
  expect(receiver.received.length).toBeGreaterThan(digests.length);
});
