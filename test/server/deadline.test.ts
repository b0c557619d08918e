import { describe, expect, test, vi } from 'vitest';
import { pendingDigestSchema } from '../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { heldEngine } from '../support/held-ranking.ts';
import { expectSound } from '../support/promises.ts';
import { TEST_LIMITS, type TestApp, testApp } from '../support/test-deps.ts';

const request = { documents: CITY, intent: CITY_INTENT };
/** A service in which nobody waits for longer than this. */
const impatient = (waitMilliseconds = 40) => ({ limits: { ...TEST_LIMITS, waitMilliseconds } });

async function pendingOf(response: Response) {
  expect(response.status).toBe(202);
  const pending = pendingDigestSchema.strict().parse(await response.json());
  expect(response.headers.get('location')).toBe(`/v1/digests/${pending.id}`);
  return pending;
}

async function isMade({ app }: TestApp, id: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const digest = Object(await (await app.request(`/v1/digests/${id}`)).json());
      expect(digest.status).toBe('completed');
      expectSound(digest, CITY);
    },
    { interval: 5, timeout: 3000 },
  );
}

async function hasBegun({ parts }: TestApp): Promise<void> {
  await vi.waitFor(async () => {
    expect(await parts.database.query.query.jobs.findMany()).toMatchObject([{ state: 'running' }]);
  });
}

describe('who waits for longer than callers may', () => {
  test('is answered 202, and the digest is made', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine, app: impatient() });
    const start = performance.now();
    const response = await service.post('/v1/digests', request);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
    expect(response.headers.get('preference-applied')).toBeNull();
    const { id, status } = await pendingOf(response);
    expect(status).toBe('running');
    release();
    await isMade(service, id);
    expect(await service.parts.database.query.query.jobs.findMany()).toMatchObject([{ id, state: 'done', attempt: 1 }]);
    expect(service.parts.errors).toEqual([]);
    expect(service.parts.jobFailures).toEqual([]);
  });
});

describe('while a caller waits', () => {
  test('the digest may be cancelled: 409 says so, and the work ends', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    const asked = service.post('/v1/digests', request);
    await hasBegun(service);
    const { digests } = Object(await (await service.app.request('/v1/digests')).json());
    const path = `/v1/digests/${digests[0].id}`;
    expect((await service.app.request(path, { method: 'DELETE' })).status).toBe(200);
    const response = await asked;
    expect([response.status, response.headers.get('content-type')]).toEqual([409, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ type: 'urn:tessera:problem:digest-cancelled' });
    release();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await (await service.app.request(path)).json()).toMatchObject({ status: 'cancelled' });
    expect(service.parts.jobFailures).toEqual([]);
  });
});

describe('a server that stops while a caller waits', () => {
  test('still serves those who wait as long as it can, and begins with nothing else', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    const asked = service.post('/v1/digests', request);
    await hasBegun(service);
    service.parts.worker.drain();
    const [late, queued] = [
      service.post('/v1/digests', request),
      await service.post('/v1/digests', request, { prefer: 'respond-async' }),
    ];
    release();
    for (const response of await Promise.all([asked, late])) {
      expect(response.status).toBe(201);
      expectSound(Object(await response.json()), CITY);
    }
    const { id } = await pendingOf(queued);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await (await service.app.request(`/v1/digests/${id}`)).json()).toMatchObject({ status: 'queued' });
  });
});
