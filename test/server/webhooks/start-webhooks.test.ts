import { expect, onTestFinished, test, vi } from 'vitest';
import type { SendWebhook } from '../../../src/server/webhooks/deliver-webhook.ts';
import { startWebhooks, type WebhookDeps, type Webhooks } from '../../../src/server/webhooks/start-webhooks.ts';
import { claimWebhooks, waitingWebhooks } from '../../../src/store/index.ts';
import { type Clock, databaseAt, keepWebhook, rowsOf, twoConnections } from './kept-webhooks.ts';

/** Longer than any test: what happens before it happens for another reason. */
const NEVER = 600_000;
const fine = { status: 200, retryAfter: null };

function start(deps: WebhookDeps): Webhooks {
  const webhooks = startWebhooks(deps);
  onTestFinished(() => webhooks.stop());
  return webhooks;
}

/** A sender whose calls wait until a test lets them go. */
function gate(): { readonly send: SendWebhook; readonly waiting: (() => void)[]; readonly most: () => number } {
  const waiting: (() => void)[] = [];
  let under = 0;
  let most = 0;
  return {
    waiting,
    most: () => most,
    send: () =>
      new Promise((resolve) => {
        under += 1;
        most = Math.max(most, under);
        waiting.push(() => {
          under -= 1;
          resolve(fine);
        });
      }),
  };
}

test('what waits at the start is delivered, and what comes later when it is woken', async () => {
  const connection = databaseAt();
  const ids: string[] = [];
  const send: SendWebhook = async (_url, headers) => {
    ids.push(headers['webhook-id']);
    return fine;
  };
  await keepWebhook(connection, 'dig_a');
  const webhooks = start({ connection, send, pollMilliseconds: NEVER });
  await vi.waitFor(() => expect(ids).toEqual(['msg_a']));
  await keepWebhook(connection, 'dig_b');
  webhooks.wake();
  webhooks.wake();
  await vi.waitFor(async () => expect(await waitingWebhooks(connection)).toBe(0));
  expect(ids).toEqual(['msg_a', 'msg_b']);
});

test('without being woken it looks by itself', async () => {
  const connection = databaseAt();
  start({ connection, send: async () => fine, pollMilliseconds: 5 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await keepWebhook(connection, 'dig_a');
  await vi.waitFor(async () => expect(await waitingWebhooks(connection)).toBe(0));
});

test('a message that becomes due is delivered then, however long the pauses are', async () => {
  const late = { ...databaseAt(), now: () => Date.now() };
  await keepWebhook({ ...late, now: () => Date.now() + 60 }, 'dig_a');
  const before = Date.now();
  const times: number[] = [];
  start({
    connection: late,
    pollMilliseconds: NEVER,
    async send() {
      times.push(Date.now() - before);
      return fine;
    },
  });
  await vi.waitFor(() => expect(times).toHaveLength(1));
  expect(times[0]).toBeGreaterThanOrEqual(55);
});

test('no more attempts at once than it may make, and a place that is free is used at once', async () => {
  const connection = databaseAt();
  const { send, waiting, most } = gate();
  for (let i = 0; i < 10; i++) await keepWebhook(connection, `dig_${i}`);
  start({ connection, send, concurrency: 3, pollMilliseconds: NEVER });
  for (let done = 0; done < 10; done++) {
    await vi.waitFor(() => expect(waiting).toHaveLength(Math.min(done + 3, 10)));
    // Only what is under way is taken: the rest is left for other processes.
    expect((await rowsOf(connection)).filter(({ attempt }) => attempt > 0)).toHaveLength(waiting.length);
    waiting[done]();
  }
  await vi.waitFor(async () => expect(await waitingWebhooks(connection)).toBe(0));
  expect(most()).toBe(3);
});

test('one that hangs does not hold up the others', async () => {
  const connection = databaseAt();
  const { send: hang, waiting } = gate();
  const done: string[] = [];
  await keepWebhook(connection, 'dig_0', { url: 'https://hanging.example' });
  for (let i = 1; i < 6; i++) await keepWebhook(connection, `dig_${i}`);
  start({
    connection,
    concurrency: 2,
    pollMilliseconds: NEVER,
    async send(url, ...rest) {
      if (url.includes('hanging')) return hang(url, ...rest);
      done.push(url);
      return fine;
    },
  });
  await vi.waitFor(() => expect(done).toHaveLength(5));
  waiting[0]();
});

test('stopping waits for what is under way, and takes nothing more', async () => {
  const connection = databaseAt();
  const { send, waiting } = gate();
  for (let i = 0; i < 3; i++) await keepWebhook(connection, `dig_${i}`);
  const webhooks = start({ connection, send, concurrency: 2, pollMilliseconds: 1 });
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  let isStopped = false;
  const stopped = webhooks.stop().then(() => {
    isStopped = true;
  });
  waiting[0]();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isStopped).toBe(false);
  waiting[1]();
  await stopped;
  webhooks.wake();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(waiting).toHaveLength(2);
  expect((await rowsOf(connection)).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'waiting']);
  await webhooks.stop();
});

test('stopping at once does no harm', async () => {
  const connection = databaseAt();
  await keepWebhook(connection, 'dig_a');
  await startWebhooks({ connection, send: async () => fine }).stop();
  const [row] = await rowsOf(connection);
  expect(row.state === 'delivered' || row.attempt === 0).toBe(true);
});

test('a sender that hangs keeps nobody from stopping for longer than an attempt may take', async () => {
  const connection = databaseAt();
  let sent = 0;
  await keepWebhook(connection, 'dig_a');
  const webhooks = start({
    connection,
    timeoutMilliseconds: 30,
    send: () => {
      sent += 1;
      return new Promise(() => {});
    },
  });
  await vi.waitFor(() => expect(sent).toBe(1));
  await webhooks.stop();
  expect(await rowsOf(connection)).toMatchObject([{ state: 'waiting', outcome: 'timeout', attempt: 1 }]);
});

test('a process that died with messages in hand: another delivers all of them when the lease has ended', async () => {
  const clock: Clock = { now: 0 };
  const [dead, alive] = twoConnections(clock);
  for (let i = 0; i < 5; i++) await keepWebhook(dead, `dig_${i}`);
  const lost = await claimWebhooks(dead, 3, 60_000); // and nothing further is heard of it
  const ids: string[] = [];
  const webhooks = start({
    connection: alive,
    pollMilliseconds: NEVER,
    async send(_url, headers) {
      ids.push(headers['webhook-id']);
      return fine;
    },
  });
  await vi.waitFor(async () => expect(await waitingWebhooks(alive)).toBe(3));
  expect(ids).toHaveLength(2);
  clock.now = 60_000;
  webhooks.wake();
  await vi.waitFor(async () => expect(await waitingWebhooks(alive)).toBe(0));
  expect(ids.slice(2).sort()).toEqual(lost.map(({ id }) => id).sort());
  expect(ids).toHaveLength(5);
});

test('two processes deliver each message once', async () => {
  const both = twoConnections();
  const ids: string[] = [];
  for (let i = 0; i < 60; i++) await keepWebhook(both[0], `dig_${i}`);
  for (const connection of both) {
    start({
      connection,
      concurrency: 3,
      pollMilliseconds: 1,
      async send(_url, headers) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        ids.push(headers['webhook-id']);
        return fine;
      },
    });
  }
  await vi.waitFor(async () => expect(await waitingWebhooks(both[0])).toBe(0), 5000);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
});

test('a database that fails for a while, and reports that throw, do not end it', async () => {
  const connection = databaseAt();
  const errors: unknown[] = [];
  let isBroken = true;
  const failure = new Error('disk');
  await keepWebhook(connection, 'dig_a');
  await keepWebhook(connection, 'dig_b');
  start({
    connection: {
      ...connection,
      get query() {
        if (isBroken) throw failure;
        return connection.query;
      },
    },
    pollMilliseconds: 2,
    send: async () => fine,
    report() {
      throw new Error('no log');
    },
    reportError(error) {
      errors.push(error);
      throw new Error('no log either');
    },
  });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(2));
  expect(errors.every((error) => error === failure)).toBe(true);
  isBroken = false;
  await vi.waitFor(async () => expect(await waitingWebhooks(connection)).toBe(0));
});
