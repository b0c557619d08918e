import { describe, expect, test, vi } from 'vitest';
import { pendingDigestSchema } from '../../../src/contract/index.ts';
import { preferenceIn } from '../../../src/server/middleware/http-fields.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { heldEngine } from '../../support/held-ranking.ts';
import { expectSound } from '../../support/promises.ts';
import { memoryDatabase, testApp } from '../../support/test-deps.ts';

const request = { documents: CITY, intent: CITY_INTENT };
const NONE = { wait: null, applied: null };

describe('preferences', () => {
  test.each([
    [undefined, NONE],
    ['', NONE],
    ['respond-async', { wait: 0, applied: 'respond-async' }],
    ['Respond-Async', { wait: 0, applied: 'respond-async' }],
    ['respond-async; origin=app', { wait: 0, applied: 'respond-async' }],
    ['wait=10', { wait: 10, applied: 'wait=10' }],
    ['WAIT=10', { wait: 10, applied: 'wait=10' }],
    ['wait="10"', { wait: 10, applied: 'wait=10' }],
    ['wait = 10', { wait: 10, applied: 'wait=10' }],
    ['wait=010', { wait: 10, applied: 'wait=10' }],
    ['wait=0', { wait: 0, applied: 'wait=0' }],
    ['respond-async, wait=10', { wait: 10, applied: 'respond-async, wait=10' }],
    ['wait=10,respond-async', { wait: 10, applied: 'respond-async, wait=10' }],
    ['return=minimal, wait=10, handling=lenient', { wait: 10, applied: 'wait=10' }],
    ['wait=10, wait=20', { wait: 10, applied: 'wait=10' }],
  ])('%s is understood', (header, preference) => {
    expect(preferenceIn(header)).toEqual(preference);
  });

  test.each(
    'wait|wait=|wait=-1|wait=1.5|wait=1e3|wait=soon|wait=0x10|wait=9999999|wait=٣|await=10|respond|return=x|, ,|;'.split(
      '|',
    ),
  )('%s is nothing that is known here', (header) => {
    expect(preferenceIn(header)).toEqual(NONE);
  });
});

describe('respond-async', () => {
  test('answers at once with where the digest will be, and it will be there', async () => {
    const { engine, release } = heldEngine();
    const { app, post } = testApp({ engine });
    const accepted = await post('/v1/digests', request, { prefer: 'respond-async' });
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    const pending = pendingDigestSchema.strict().parse(await accepted.json());
    const location = `/v1/digests/${pending.id}`;
    expect(accepted.headers.get('location')).toBe(location);
    const read = async () => Object(await (await app.request(location)).json());
    await vi.waitFor(async () => {
      const { id, createdAt } = pending;
      const progress = { stage: expect.any(String) };
      expect(await read()).toMatchObject({ id, createdAt, status: 'running', progress });
    });
    release();
    await vi.waitFor(async () => expect(await read()).toMatchObject({ status: 'completed' }), { interval: 5 });
    const digest = await read();
    expectSound(digest, CITY);
    const { id: _, timings: __, ...waited } = Object(await (await testApp().post('/v1/digests', request)).json());
    expect(digest).toMatchObject(waited);
  });

  test('gives way to those who wait, and is tried again where they are not', async () => {
    const database = memoryDatabase();
    const service = testApp({
      database,
      slots: 0,
      app: { limits: { ...testApp().parts.limits, waitMilliseconds: 1 } },
    });
    for (const headers of [
      { prefer: 'respond-async' },
      { prefer: 'wait=5' },
      { prefer: 'respond-async, wait=5' },
      {},
    ]) {
      expect((await service.post('/v1/digests', request, { ...headers })).status).toBe(202);
    }
    const jobs = await database.query.query.jobs.findMany();
    const rows = jobs.map(({ priority, retries }) => [priority, retries]);
    expect(rows.sort()).toEqual([
      [0, 3],
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
  });
});

test('wait=N answers with the digest where it is made in time; two headers are as good as one', async () => {
  const { app } = testApp();
  const headers = new Headers({ 'content-type': 'application/json' });
  headers.append('prefer', 'respond-async');
  headers.append('prefer', 'wait=10');
  const response = await app.request('/v1/digests', { method: 'POST', headers, body: JSON.stringify(request) });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([201, 'respond-async, wait=10']);
  expectSound(Object(await response.json()), CITY);
});
