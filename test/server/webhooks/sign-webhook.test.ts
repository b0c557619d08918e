import { expect, test } from 'vitest';
import { signWebhook, webhookPayload } from '../../../src/server/webhooks/deliver.ts';

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
