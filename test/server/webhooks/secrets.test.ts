import { expect, test } from 'vitest';
import { webhookSecret } from '../../../src/cli/tenants.node.ts';
import { forTenant, rotateWebhookSecret, tenants, webhookSecrets } from '../../../src/store/index.ts';
import { databaseAt, twoConnections } from './kept-webhooks.ts';

const DAY = 24 * 60 * 60 * 1000;

test('who makes it a moment later goes on with the one that is there', async () => {
  const [one, two] = twoConnections();
  const row = { tenant: 'default', webhookSecret: 'whsec_first', createdAt: 0 };
  const query = new Proxy(two.query, {
    get(target, name) {
      if (name === 'insert') void one.query.insert(tenants).values(row).run();
      return Reflect.get(target, name);
    },
  });
  expect(await webhookSecrets({ ...two, query })).toEqual(['whsec_first']);
  expect(await webhookSecrets(one)).toEqual(['whsec_first']);
});

test('after a rotation both hold, until the old one has had its time', async () => {
  const clock = { now: 1000 };
  const database = databaseAt(clock);
  const other = forTenant(database, 'other');
  const [others] = await webhookSecrets(other);
  const [old] = await webhookSecrets(database);
  const made = await rotateWebhookSecret(database, DAY);
  expect(made).not.toBe(old);
  expect(await webhookSecrets(database)).toEqual([made, old]);
  clock.now += DAY - 1;
  expect(await webhookSecrets(database)).toEqual([made, old]);
  clock.now += 1;
  expect(await webhookSecrets(database)).toEqual([made]);
  const newest = await rotateWebhookSecret(database, 0);
  expect(await webhookSecrets(database)).toEqual([newest]);
  expect(await webhookSecrets(other)).toEqual([others]);
});

test('the command tells the secret, and rotates it for a day', async () => {
  const clock = { now: 1000 };
  const database = databaseAt(clock);
  const told = await webhookSecret(database, false);
  expect(await webhookSecret(database, false)).toBe(told);
  const made = await webhookSecret(database, true);
  expect(await webhookSecrets(database)).toEqual([made, told]);
  clock.now += DAY;
  expect(await webhookSecrets(database)).toEqual([made]);
  expect(await webhookSecret(database, false)).toBe(made);
});
