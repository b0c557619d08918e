import { expect } from 'vitest';
import { DEFAULT_TENANT, forTenant, webhookSecrets } from '../../../src/store/index.ts';
import { until } from '../../support/until.ts';
import { type ReceiverOptions, type WebhookReceiver, webhookReceiver } from '../../support/webhook-receiver.ts';
import { refusal, type Service, type Suite, told } from '../service.ts';
import { freshOrder } from './jobs.ts';

export async function receiver({ runtime }: Service, answer?: ReceiverOptions['answer']): Promise<WebhookReceiver> {
  const [secret] = await webhookSecrets(forTenant(runtime.connection, DEFAULT_TENANT));
  return webhookReceiver({ secret, ...(answer && { answer }) });
}

/** Messages to callers when their digests end. */
export const webhooks: Suite = (holds) => {
  holds('who gave an address is told once, signed, of a digest that is made later or waited for', async (service) => {
    const there = await receiver(service);
    const order = { ...freshOrder(), callbackUrl: there.url };
    const later = await service.submit(order);
    await service.ended(later);
    const waited = await service.digest({ ...freshOrder(), callbackUrl: there.url });
    await until('both messages', () => there.received.length >= 2);
    await service.runtime.everyMinute();
    expect(there.received.map(({ digest, type }) => [digest, type]).sort()).toEqual(
      [later, waited.id].map((id) => [id, 'digest.completed']).sort(),
    );
    expect(there.wrong).toEqual([]);
  });

  holds('an address that fails is tried again when it is due', async (service) => {
    const there = await receiver(service, (n) => ({ status: n === 0 ? 503 : 204, delay: 0 }));
    const id = await service.submit({ ...freshOrder(), callbackUrl: there.url });
    await until('the first attempt', () => there.received.length >= 1);
    await until(
      'the second attempt',
      async () => {
        await service.runtime.everyMinute();
        return there.received.length >= 2;
      },
      { every: 250 },
    );
    const [first, second] = there.received;
    expect([first.digest, second.digest]).toEqual([id, id]);
    expect(second).toMatchObject({ id: first.id, body: first.body });
    expect(there.wrong).toEqual([]);
  });

  holds(
    'one that was given up is listed with why, and is sent again under its id when it is retried',
    async (service) => {
      const { get, post } = service;
      const there = await receiver(service, (n) => ({ status: n === 0 ? 410 : 204, delay: 0 }));
      const id = await service.submit({ ...freshOrder(), callbackUrl: there.url });
      const listed = async (status: string) =>
        (await told<{ webhooks: { digest: string }[] }>(get(`/v1/webhooks?status=${status}`))).webhooks.find(
          ({ digest }) => digest === id,
        );
      const failed = await until('the refusal', () => listed('failed'));
      const message = { id: id.replace('dig_', 'msg_'), target: new URL(there.url).origin, outcome: '410' };
      expect(failed).toMatchObject({ ...message, status: 'failed', attempts: 1, nextAttemptAt: null });
      expect(await told(post(`/v1/webhooks/${message.id}/retry`), 202)).toMatchObject({
        ...message,
        status: 'waiting',
        attempts: 0,
        endedAt: null,
      });
      await until('the delivery', async () => {
        await service.runtime.everyMinute();
        return listed('delivered');
      });
      expect(there.received.map((each) => [each.id, each.status])).toEqual([
        [message.id, 410],
        [message.id, 204],
      ]);
      await refusal(post(`/v1/webhooks/${message.id}/retry`), 409, 'webhook-not-failed');
    },
  );
};
