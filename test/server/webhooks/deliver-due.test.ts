import { expect, test, vi } from 'vitest';
import { deliverDue } from '../../../src/server/webhooks/deliver-due.ts';
import type { SendWebhook, WebhookReport } from '../../../src/server/webhooks/deliver-webhook.ts';
import { type Clock, databaseAt, keepWebhook, rowsOf, twoConnections } from './kept-webhooks.ts';

const fine = { status: 200, retryAfter: null };

/** A sender whose calls wait until a test lets them go. */
function gate() {
  const waiting: { readonly id: string; readonly pass: () => void }[] = [];
  const send: SendWebhook = (_, headers) =>
    new Promise((resolve) => waiting.push({ id: headers['webhook-id'], pass: () => resolve(fine) }));
  return { send, waiting };
}

test('one attempt at each message that is due, and none at what is not', async () => {
  const clock: Clock = { now: 1_000 };
  const connection = databaseAt(clock);
  await keepWebhook(connection, 'dig_due');
  await keepWebhook({ ...connection, now: () => 1_001 }, 'dig_later');
  const sent: string[] = [];
  const send: SendWebhook = async (_, headers) => {
    sent.push(headers['webhook-id']);
    return { status: 503, retryAfter: null };
  };
  await deliverDue({ connection, send, random: () => 0.5 }, 10);
  expect(sent).toEqual(['msg_due']); // however it went: the next attempt is for another time
  expect((await rowsOf(connection)).map(({ id, attempt, state }) => [id, attempt, state])).toEqual([
    ['msg_due', 1, 'waiting'],
    ['msg_later', 0, 'waiting'],
  ]);
  clock.now = 1_001;
  await deliverDue({ connection, send }, 10);
  expect(sent).toEqual(['msg_due', 'msg_later']);
});

test('at most so many, those that waited longest, all at once', async () => {
  const clock: Clock = { now: 0 };
  const connection = databaseAt(clock);
  for (const i of [3, 1, 4, 0, 2]) await keepWebhook({ ...connection, now: () => i }, `dig_${i}`);
  clock.now = 10;
  const { send, waiting } = gate();
  const done = deliverDue({ connection, send }, 3);
  await vi.waitFor(() => expect(waiting.map(({ id }) => id).toSorted()).toEqual(['msg_0', 'msg_1', 'msg_2']));
  // What is not under way is not taken from others.
  expect((await rowsOf(connection)).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 0, 0]);
  for (const { pass } of waiting) pass();
  await done;
  expect((await rowsOf(connection)).map(({ state }) => state)).toEqual([
    ...Array(3).fill('delivered'),
    ...Array(2).fill('waiting'),
  ]);
});

test('what is under way is held for three times as long as an attempt may take', async () => {
  const clock: Clock = { now: 5_000 };
  const [one, two] = twoConnections(clock);
  await keepWebhook(one, 'dig_a');
  const { send, waiting } = gate();
  const first = deliverDue({ connection: one, send, timeoutMilliseconds: 1_000 }, 10);
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect(await rowsOf(two)).toMatchObject([{ notBefore: 8_000, attempt: 1 }]);
  clock.now = 7_999;
  await deliverDue({ connection: two, send }, 10);
  expect(waiting).toHaveLength(1);
  clock.now = 8_000; // whoever had it is gone
  const second = deliverDue({ connection: two, send }, 10);
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  for (const { pass } of waiting) pass();
  await Promise.all([first, second]);
  expect(await rowsOf(two)).toMatchObject([{ state: 'delivered', attempt: 2 }]);
});

test('two that deliver at the same time send each message once', async () => {
  const both = twoConnections();
  for (let i = 0; i < 20; i++) await keepWebhook(both[0], `dig_${i}`);
  const ids: string[] = [];
  const send: SendWebhook = async (_, headers) => {
    ids.push(headers['webhook-id']);
    return fine;
  };
  await Promise.all(both.map((connection) => deliverDue({ connection, send }, 15)));
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);
});

test('one that fails or hangs does not keep the others from their end, nor the whole from its own', async () => {
  const connection = databaseAt();
  for (const name of ['fails', 'fine', 'hangs', 'throws']) {
    await keepWebhook(connection, `dig_${name}`, { url: `https://${name}.example/in` });
  }
  const reports: WebhookReport[] = [];
  const send: SendWebhook = (url) => {
    if (url.includes('hangs')) return new Promise(() => {});
    if (url.includes('throws')) throw new Error('at once');
    return url.includes('fails') ? Promise.reject(new Error('later')) : Promise.resolve(fine);
  };
  const report = (each: WebhookReport) => reports.push(each);
  await deliverDue({ connection, send, report, timeoutMilliseconds: 20 }, 10);
  expect((await rowsOf(connection)).map(({ id, state, outcome }) => [id, state, outcome])).toEqual([
    ['msg_fails', 'waiting', 'network-failure'],
    ['msg_fine', 'delivered', '200'],
    ['msg_hangs', 'waiting', 'timeout'],
    ['msg_throws', 'waiting', 'network-failure'],
  ]);
  expect(reports).toHaveLength(4);
});

test('where nothing is due nothing is done; where the database is away it fails', async () => {
  const connection = databaseAt();
  const send = vi.fn<SendWebhook>();
  await deliverDue({ connection, send }, 10);
  expect(send).not.toHaveBeenCalled();
  const failure = new Error('D1 is away');
  const away = { ...connection, write: () => Promise.reject(failure) };
  await expect(deliverDue({ connection: away, send }, 10)).rejects.toBe(failure);
});
