import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  deliverWebhook,
  type SendWebhook,
  signWebhook,
  type WebhookReport,
  webhookPayload,
} from '../../../src/server/webhooks/deliver.ts';
import {
  type ClaimedWebhook,
  type Connection,
  claimWebhooks,
  forTenant,
  nextDue,
  webhookSecrets,
} from '../../../src/store/index.ts';
import { type Clock, databaseAt, keepWebhook, rowsOf } from './kept-webhooks.ts';

const LEASE = 60_000;
const HOUR = 3_600_000;

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A sender that keeps what it was given and answers in turn; the last answer stays. */
function recorder(...answers: (number | Error)[]): { readonly sent: Sent[]; readonly send: SendWebhook } {
  const sent: Sent[] = [];
  return {
    sent,
    async send(url, headers, body) {
      sent.push({ url, headers, body });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return { status: answer, retryAfter: null };
    },
  };
}

async function claimOne(connection: Connection): Promise<ClaimedWebhook> {
  const [webhook] = await claimWebhooks(connection, 1, LEASE);
  return webhook;
}

test('a message goes out signed with the secret of its tenant, and is kept as delivered', async () => {
  const clock = { now: Date.now() };
  const connection = databaseAt(clock);
  const { sent, send } = recorder(204);
  const reports: WebhookReport[] = [];
  await keepWebhook(connection, 'dig_a', { tenant: 'acme' });
  await keepWebhook(connection, 'dig_b', { tenant: 'other' });
  for (const webhook of await claimWebhooks(connection, 2, LEASE)) {
    await deliverWebhook({ connection, send, report: (report) => reports.push(report) }, webhook);
  }
  const [acme] = await webhookSecrets(forTenant(connection, 'acme'));
  const [other] = await webhookSecrets(forTenant(connection, 'other'));
  const [toAcme, toOther] = sent.sort((a, b) => a.body.localeCompare(b.body));
  expect(toAcme).toMatchObject({ url: 'https://hooks.example/in', body: '{"of":"dig_a"}' });
  expect(new Webhook(acme).verify(toAcme.body, toAcme.headers)).toEqual({ of: 'dig_a' });
  expect(new Webhook(other).verify(toOther.body, toOther.headers)).toEqual({ of: 'dig_b' });
  expect(() => new Webhook(other).verify(toAcme.body, toAcme.headers)).toThrow('No matching signature');
  expect(await rowsOf(connection)).toMatchObject([
    { id: 'msg_a', state: 'delivered', outcome: '204', attempt: 1, endedAt: clock.now },
    { id: 'msg_b', state: 'delivered', outcome: '204', attempt: 1, endedAt: clock.now },
  ]);
  expect(reports.find(({ tenant }) => tenant === 'acme')).toEqual({
    id: 'msg_a',
    tenant: 'acme',
    digestId: 'dig_a',
    origin: 'https://hooks.example',
    attempt: 1,
    state: 'delivered',
    outcome: '204',
    waitMilliseconds: null,
  });
});

test('a receiver that never answers well is tried ten times in three days, by one id, and then no more', async () => {
  const start = Date.UTC(2026, 10, 21);
  const clock: Clock = { now: start };
  const connection = databaseAt(clock);
  const { sent, send } = recorder(500);
  await keepWebhook(connection, 'dig_a');
  const times: number[] = [];
  for (let due = await nextDue(connection); due !== null; due = await nextDue(connection)) {
    clock.now = due;
    times.push(due - start);
    await deliverWebhook({ connection, send, random: () => 0.5 }, await claimOne(connection));
  }
  expect(times).toHaveLength(10);
  expect(times[9]).toBe(75 * HOUR + 35 * 60_000 + 5000);
  expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['msg_a']));
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(await rowsOf(connection)).toMatchObject([
    { state: 'failed', outcome: '500', attempt: 10, endedAt: clock.now },
  ]);
});

test('410 ends it at once', async () => {
  const connection = databaseAt();
  await keepWebhook(connection, 'dig_a');
  await deliverWebhook({ connection, send: recorder(410).send }, await claimOne(connection));
  expect(await rowsOf(connection)).toMatchObject([{ state: 'failed', outcome: '410', attempt: 1 }]);
});

test('what the receiver asks to wait is waited', async () => {
  const connection = databaseAt({ now: 1000 });
  await keepWebhook(connection, 'dig_a');
  const send: SendWebhook = async () => ({ status: 503, retryAfter: 120_000 });
  await deliverWebhook({ connection, send }, await claimOne(connection));
  expect(await rowsOf(connection)).toMatchObject([{ state: 'waiting', outcome: '503', notBefore: 121_000 }]);
});

test('the example that the reference libraries publish', () => {
  expect(
    signWebhook({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', payload: '{"test": 2432232314}' }, 1614265330_999, [
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ]),
  ).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each([
  ['completed', 'digest.completed'],
  ['partial', 'digest.partial'],
  ['failed', 'digest.failed'],
  ['cancelled', 'digest.cancelled'],
] as const)('the body of a digest that is %s', (status, type) => {
  const payload = webhookPayload('dig_3f0c', status, Date.UTC(2026, 10, 21, 17, 30, 0, 7));
  expect(payload).toBe(
    `{"type":"${type}","timestamp":"2026-11-21T17:30:00.007Z",` +
      `"data":{"id":"dig_3f0c","status":"${status}","url":"/v1/digests/dig_3f0c"}}`,
  );
  expect(payload.length).toBeLessThan(20_000);
});
