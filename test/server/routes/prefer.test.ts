import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { pendingDigestSchema } from '../../../src/contract/index.ts';
import { preferenceIn } from '../../../src/server/routes/prefer.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { heldEngine } from '../../support/held-ranking.ts';
import { eventsIn } from '../../support/model-app.ts';
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

  test('whatever is sent, it waits for a number of seconds or does not say', () => {
    const piece = fc.constantFrom('wait', '=', 'respond-async', ',', ';', '"', ' ', '7', '-', '99999', 'x');
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (sent) => {
        const { wait, applied } = preferenceIn(sent);
        if (wait === null) expect(applied).toBeNull();
        else {
          expect(Number.isSafeInteger(wait) && wait >= 0).toBe(true);
          // What it says it did is what it understood, and is understood as the same.
          expect(preferenceIn(String(applied))).toEqual({ wait, applied });
        }
      }),
      { numRuns: 500, seed: 6 },
    );
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

  test('waits its turn where nobody is free', async () => {
    const service = testApp({ slots: 0 });
    const { pending } = await expectPending(
      await service.post('/v1/digests', request, { prefer: 'respond-async' }),
      'respond-async',
    );
    expect(pending).toMatchObject({ status: 'queued', progress: null });
  });

  test('does not hang on its client', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    const gone = new AbortController();
    const accepted = await service.app.request(
      new Request('http://localhost/v1/digests', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'respond-async' },
        body: JSON.stringify(request),
        signal: gone.signal,
      }),
    );
    const { location } = await expectPending(accepted, 'respond-async');
    gone.abort();
    release();
    await made(service, location);
  });

  test('says what is wrong at once, and takes nothing on', async () => {
    const service = testApp();
    for (const body of [{ documents: [] }, { ...request, engine: { encoder: 'none' } }, { collection: 'col_0' }]) {
      const refused = await service.post('/v1/digests', body, { prefer: 'respond-async' });
      expect([404, 422]).toContain(refused.status);
      expect(refused.headers.get('preference-applied')).toBeNull();
      expect(refused.headers.get('location')).toBeNull();
    }
    expect(await service.parts.database.query.query.jobs.findMany()).toEqual([]);
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

  test('is no preference where a stream is asked for', async () => {
    const response = await testApp().post('/v1/digests', request, {
      prefer: 'respond-async',
      accept: 'text/event-stream',
    });
    expect(response.status).toBe(200);
    expect(eventsIn(await response.text()).at(-1)?.event).toBe('digest');
  });

  test('changes nothing of what is answered at once anyway', async () => {
    const { post } = testApp();
    const response = await post('/v1/key-points', { documents: CITY }, { prefer: 'respond-async' });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null]);
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

  test('wait=0 does not wait', async () => {
    const service = testApp();
    const { location } = await expectPending(
      await service.post('/v1/digests', request, { prefer: 'wait=0' }),
      'wait=0',
    );
    await made(service, location);
  });

  test('wait=2 waits for two seconds, then answers where it will be', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      let answered: Response | undefined;
      const asked = service.post('/v1/digests', request, { prefer: 'wait=2' }).then((response) => {
        answered = response;
      });
      await vi.advanceTimersByTimeAsync(1990);
      expect(answered).toBeUndefined();
      await vi.advanceTimersByTimeAsync(20);
      await asked;
    } finally {
      vi.useRealTimers();
    }
    release();
  });
});
