import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { CITY } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

test('a full disk: 507 and not ready, reads go on, and it is over by itself once there is room', async () => {
  const { app, post, parts } = testApp();
  const { query } = parts.database;
  const made = await post('/v1/digests', { documents: CITY });
  const path = String(made.headers.get('location'));
  const [{ page_count: pages }] = await query.all<{ page_count: number }>(sql`pragma page_count`);
  await query.run(sql.raw(`pragma max_page_count = ${pages}`));
  const large = { documents: [{ id: 'large', text: 'The council approved a charge of four euros. '.repeat(5000) }] };
  const refused = await post('/v1/digests', large, { prefer: 'respond-async' });
  expect(refused.status).toBe(507);
  expect(await refused.json()).toMatchObject({ type: 'urn:tessera:problem:insufficient-storage', status: 507 });
  expect((await app.request('/readyz')).status).toBe(507);
  expect((await app.request('/healthz')).status).toBe(200);
  expect((await app.request(path)).status).toBe(200);
  expect(parts.errors.map(({ path }) => path)).toContain('/v1/digests');
  await query.run(sql`pragma max_page_count = 1000000`);
  expect((await app.request('/readyz')).status).toBe(200);
  expect((await post('/v1/digests', large, { prefer: 'respond-async' })).status).toBe(202);
});
