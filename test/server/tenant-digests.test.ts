import { expect, test } from 'vitest';
import { TEST_LIMITS, testApp } from '../support/test-deps.ts';

test('however many ask at once, a tenant has no more digests under way than it may', async () => {
  const { post, app } = testApp({ slots: 0, app: { limits: { ...TEST_LIMITS, digestsPerTenant: 5 } } });
  const body = { documents: [{ id: 'a', text: 'The council approved the charge.' }] };
  const ask = () => post('/v1/digests', body, { prefer: 'respond-async' });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(202), ...Array(15).fill(429)]);
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.json()).toMatchObject({ type: 'urn:tessera:problem:too-many-digests', status: 429 });

  const [accepted] = answers.filter(({ status }) => status === 202);
  await app.request(String(accepted.headers.get('location')), { method: 'DELETE' });
  expect((await ask()).status).toBe(202);
  expect((await ask()).status).toBe(429);
});
