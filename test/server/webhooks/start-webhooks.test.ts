import { expect, onTestFinished, test, vi } from 'vitest';
import { type SendWebhook, startWebhooks, type WebhookDeps } from '../../../src/server/webhooks/deliver.ts';
import { waitingWebhooks } from '../../../src/store/index.ts';
import { databaseAt, keepWebhook, rowsOf } from './kept-webhooks.ts';

const fine = { status: 200, retryAfter: null };

function start(deps: WebhookDeps) {
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
    reportError: (error) => void errors.push(error),
  });
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(2));
  expect(errors.slice(0, 3).every((error) => error === failure)).toBe(true);
  isBroken = false;
  await vi.waitFor(async () => expect(await waitingWebhooks(connection)).toBe(0));
});
