import { describe, expect, test, vi } from 'vitest';
import { pendingDigestSchema } from '../../../src/contract/index.ts';
import { preferenceIn } from '../../../src/server/middleware/http-fields.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { heldEngine } from '../../support/held-ranking.ts';
import { expectSound } from '../../support/promises.ts';
import { memoryDatabase, type TestApp, testApp } from '../../support/test-deps.ts';

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

  test.each([
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=1e3',
    'wait=soon',
    'wait=0x10',
    'wait=9999999',
    'wait=٣',
    'await=10',
    'respond-async-later',
    'respond',
    'return=representation',
    ', ,',
    ';',
  ])('%s is nothing that is known here', (header) => {
    expect(preferenceIn(header)).toEqual(NONE);
  });
});

/** The digest, once it is made. */
async function made({ app }: TestApp, location: string): Promise<unknown> {
  return vi.waitFor(
    async () => {
      const digest = Object(await (await app.request(location)).json());
      expect(digest.status).toBe('completed');
      return digest;
    },
    { interval: 5 },
  );
}

async function expectPending(response: Response, applied: string | null) {
  expect(response.status).toBe(202);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('preference-applied')).toBe(applied);
  const json = await response.json();
  const pending = pendingDigestSchema.strict().parse(json);
  expect(response.headers.get('location')).toBe(`/v1/digests/${pending.id}`);
  expect(['queued', 'running']).toContain(pending.status);
  expect(Math.abs(Date.parse(pending.createdAt) - Date.now())).toBeLessThan(60_000);
  return { pending, location: `/v1/digests/${pending.id}` };
}

describe('respond-async', () => {
  test('answers at once with where the digest will be, and it will be there', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    const accepted = await service.post('/v1/digests', request, { prefer: 'respond-async' });
    const { pending, location } = await expectPending(accepted, 'respond-async');
    const underWay = await vi.waitFor(async () => {
      const told = pendingDigestSchema.parse(await (await service.app.request(location)).json());
      expect(told).toMatchObject({ status: 'running', progress: { stage: expect.any(String) } });
      return told;
    });
    expect(underWay).toMatchObject({ id: pending.id, createdAt: pending.createdAt });
    release();
    const digest = Object(await made(service, location));
    expect(digest.id).toBe(pending.id);
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

describe('wait=N', () => {
  test.each(['wait=10', 'respond-async, wait=10'])(
    '%s answers with the digest where it is made in time',
    async (prefer) => {
      const response = await testApp().post('/v1/digests', request, { prefer });
      expect([response.status, response.headers.get('preference-applied')]).toEqual([201, prefer]);
      const digest = Object(await response.json());
      expectSound(digest, CITY);
      expect(response.headers.get('location')).toBe(`/v1/digests/${digest.id}`);
    },
  );

  test('two headers are as good as one', async () => {
    const { app } = testApp();
    const headers = new Headers({ 'content-type': 'application/json' });
    headers.append('prefer', 'respond-async');
    headers.append('prefer', 'wait=10');
    const response = await app.request('/v1/digests', { method: 'POST', headers, body: JSON.stringify(request) });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([201, 'respond-async, wait=10']);
  });
});
