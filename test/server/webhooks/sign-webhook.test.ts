import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signWebhook } from '../../../src/server/webhooks/deliver-webhook.ts';
import { webhookPayload } from '../../../src/server/webhooks/webhook-payload.ts';
import { newWebhookSecret } from '../../../src/store/webhooks.ts';

/** The signature by the words of the specification. */
function byHand(secret: string, id: string, seconds: number, payload: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${payload}`, 'utf8').digest('base64')}`;
}

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

test('any message: as computed by hand, and as the library of receivers checks it', () => {
  fc.assert(
    fc.property(fc.json(), fc.uuid(), fc.integer({ min: 1, max: 3 }), (payload, uuid, count) => {
      const now = Date.now();
      const id = `msg_${uuid}`;
      const secrets = Array.from({ length: count }, newWebhookSecret);
      const headers = signWebhook({ id, payload }, now, secrets);
      expect(headers['webhook-signature']).toBe(
        secrets.map((secret) => byHand(secret, id, Math.floor(now / 1000), payload)).join(' '),
      );
      for (const secret of secrets) {
        expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload));
        expect(() => new Webhook(secret).verify(`${payload} `, headers)).toThrow('No matching signature');
        expect(() => new Webhook(secret).verify(payload, { ...headers, 'webhook-id': 'msg_other' })).toThrow();
      }
      expect(() => new Webhook(newWebhookSecret()).verify(payload, headers)).toThrow('No matching signature');
    }),
    { numRuns: 60, seed: 6 },
  );
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
