import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { ScriptedService } from './scripted-service.ts';

test('selecting from a digest anew sends no idempotency key unless it is given: it makes nothing', async () => {
  const service = await ScriptedService.start(() => ({ body: { selected: [] } }));
  const { selections } = createClient({ baseUrl: service.url });
  await selections.create({ digest: 'dig_1' });
  await selections.create({ digest: 'dig_1' }, { idempotencyKey: 'order-7' });
  await selections.create({ items: [{ id: 'a', text: 'Trams run.' }] });
  const [moved, given, items] = service.sent.map(({ headers }) => headers['idempotency-key']);
  expect([moved, given]).toEqual([undefined, 'order-7']);
  expect(items).toMatch(/^[\da-f-]{36}$/);
});

test('it is tried again all the same', async () => {
  const replies = [{ status: 503, body: {}, headers: { 'retry-after': '0' } }, { body: { selected: [] } }];
  const service = await ScriptedService.start(() => replies.shift() ?? { status: 500, body: {} });
  await createClient({ baseUrl: service.url }).selections.create({ digest: 'dig_1' });
  expect(service.sent).toHaveLength(2);
});
