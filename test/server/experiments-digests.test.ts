import { describe, expect, test } from 'vitest';
import type { Assignment, Digest } from '../../src/client/index.ts';
import { AUTOMATIC_METRICS } from '../../src/server/experiments/experiment.ts';
import { readDigestRequest } from '../../src/store/index.ts';
import { experimentEvents } from '../../src/store/schema.ts';
import { idIn } from '../support/keyed-service.ts';
import { eventsIn } from '../support/model-app.ts';
import { memoryDatabase, type TestApp, testApp } from '../support/test-deps.ts';
import { AT, armsOf, digestFor, digestOf, results, running, told } from './experiments-support.ts';

const AUTOMATIC = Object.keys(AUTOMATIC_METRICS);
const OPTIONS = {
  small: { size: { keyPoints: 2 }, strategy: 'dpp-map' },
  large: { size: { keyPoints: 4 }, strategy: 'relevance' },
} as const;
const later = { prefer: 'respond-async' };

function variantOf({ experiment }: Digest): keyof typeof OPTIONS {
  if (experiment?.variant !== 'small' && experiment?.variant !== 'large') throw new Error('no variant');
  return experiment.variant;
}

/** Names of subjects of each variant, without a note of them. */
async function subjectsOf({ app }: TestApp, count: number): Promise<Record<keyof typeof OPTIONS, string[]>> {
  const found = { small: [] as string[], large: [] as string[] };
  for (let i = 0; Math.min(found.small.length, found.large.length) < count; i++) {
    const { variant } = await told<Assignment>(app.request(`${AT}/assignment?subject=u${i}`));
    if (variant === 'small' || variant === 'large') found[variant].push(`u${i}`);
  }
  return { small: found.small.slice(0, count), large: found.large.slice(0, count) };
}

async function ended({ app }: TestApp, id: string): Promise<Digest> {
  const read = async () => (await app.request(`/v1/digests/${id}`)).json();
  await expect.poll(async () => 'summary' in Object(await read()), { interval: 5, timeout: 5000 }).toBe(true);
  return told<Digest>(app.request(`/v1/digests/${id}`));
}

const eventCount = async ({ parts }: TestApp) => (await parts.database.query.select().from(experimentEvents)).length;

describe('what the request says itself', () => {
  test.each<[string, object, object, boolean]>([
    ['goes before the variant', { selection: { size: { keyPoints: 3 } } }, { size: { keyPoints: 3 } }, true],
    [
      'overrides also where only another variant sets it',
      { selection: { strategy: 'mmr' } },
      { strategy: 'mmr' },
      true,
    ],
    ['stays beside it where no variant sets it', { selection: { seed: 7 } }, { seed: 7 }, false],
    ['stays beside it in another part', { summary: { format: 'bullets' } }, {}, false],
  ])('%s', async (_, more, selection, overridden) => {
    const service = testApp();
    await running(service);
    const { small, large } = await subjectsOf(service, 1);
    for (const [variant, [subject]] of Object.entries({ small, large })) {
      const digest = await digestOf(service, subject, more);
      expect(digest.experiment).toMatchObject({ variant, overridden });
      expect(digest.selection).toMatchObject({ ...OPTIONS[variantOf(digest)], ...selection });
    }
    const counts = overridden ? { exposed: 0, overridden: 2 } : { exposed: 2, overridden: 0 };
    expect(await results(service)).toMatchObject(counts);
    expect(await eventCount(service)).toBe(overridden ? 0 : 2 * AUTOMATIC.length);
  });
});

describe('an exposure is written with its digest, or not at all', () => {
  test.each([
    ['that is waited for', {}, 201],
    ['that is not', later, 202],
    ['that is streamed', { accept: 'text/event-stream' }, 200],
  ])('by one %s, and a replay notes nothing again', async (_, headers, status) => {
    const service = testApp();
    await running(service);
    const keyed = { ...headers, 'idempotency-key': 'k-1' };
    const body = digestFor('u1', { selection: { seed: 3 } });
    const first = await service.post('/v1/digests', body, keyed);
    expect(first.status).toBe(status);
    const text = await first.text();
    const id = /dig_[0-9a-f]{32}/.exec(text)?.[0] ?? '';
    const digest = await ended(service, id);
    if (status === 200) expect(eventsIn(text).at(-1)?.data).toEqual(digest);
    const before = await results(service);
    const events = await eventCount(service);
    expect([before.exposed, events]).toEqual([1, AUTOMATIC.length]);
    for (let i = 0; i < 3; i++) {
      const again = await service.post('/v1/digests', body, keyed);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([status, 'true']);
      expect(await again.text()).toContain(id);
    }
    expect(await results(service)).toEqual(before);
    expect(await eventCount(service)).toBe(events);
  });
});

describe('outcomes of a digest are written with its end, or not at all', () => {
  test('by whichever process makes it, with the latency since it was accepted', async () => {
    const clock = { time: Date.UTC(2026, 0, 10) };
    const database = { ...memoryDatabase(), now: () => clock.time };
    const service = testApp({ database, slots: 0 });
    await running(service);
    const id = await idIn(await service.post('/v1/digests', digestFor('u1'), later));
    expect(await results(service)).toMatchObject({ exposed: 1 });
    clock.time += 5000;
    const worker = testApp({ database });
    const digest = await ended(worker, id);
    const variant = variantOf(digest);
    expect(digest.selection).toMatchObject(OPTIONS[variant]);
    expect(armsOf(await results(service), 'digest.latency')[variant].mean).toBe(5000);
  });
});

test('who the subject was is not kept with the digest', async () => {
  const service = testApp();
  await running(service);
  const { id } = await digestOf(service, 'reader-4711');
  const request = await readDigestRequest(service.parts.database, id);
  expect(request).toContain('"experiment":{"key":"sizes"');
  expect(request).not.toContain('reader-4711');
});
