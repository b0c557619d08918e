import { expect, test } from 'vitest';
import { rotateWebhookSecret, webhookSecrets } from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

onBothStores(({ open }) => {
  test('a secret is made once, however many ask at once, and the one before it signs as well for a while', async () => {
    const clock = { time: 1000 };
    const database = { ...(await open()), now: () => clock.time };
    const all = await Promise.all(Array.from({ length: 5 }, () => webhookSecrets(database)));
    expect(new Set(all.flat()).size).toBe(1);
    const [first] = all[0];
    const second = await rotateWebhookSecret(database, 500);
    expect(second).not.toBe(first);
    expect(await webhookSecrets(database)).toEqual([second, first]);
    clock.time += 500;
    expect(await webhookSecrets(database)).toEqual([second]);
    expect(await webhookSecrets({ ...database, tenant: 'other' })).not.toContain(second);
  });
});
