import { describe, expect, test } from 'vitest';
import type { Assignment, Digest, Experiment } from '../../src/client/index.ts';
import { AUTOMATIC_METRICS } from '../../src/server/experiments/experiment.ts';
import { readDigestRequest } from '../../src/store/index.ts';
import { experimentEvents, experiments, jobs } from '../../src/store/schema.ts';
import { heldEngine } from '../support/held-ranking.ts';
import { idIn } from '../support/keyed-service.ts';
import { eventsIn } from '../support/model-app.ts';
import { memoryDatabase, TEST_LIMITS, type TestApp, testApp } from '../support/test-deps.ts';
import { AT, armsOf, digestFor, digestOf, put, refused, results, running, SIZES, told } from './experiments-support.ts';

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

test('from a draft to its results: digests follow their variants, and outcomes tell which is better', async () => {
  const service = testApp();
  const { app, post } = service;
  await told(post('/v1/experiments', SIZES), 201);
  const idle = await digestOf(service, 'u0');
  expect(idle.experiment).toEqual({ key: 'sizes', version: 1, variant: null, overridden: false });
  await told(app.request(`${AT}/start`, { method: 'POST' }));

  const digests = await Promise.all(Array.from({ length: 24 }, async (_, i) => digestOf(service, `u${i}`)));
  const by: Record<string, Digest[]> = { small: [], large: [] };
  for (const [i, digest] of digests.entries()) {
    const variant = variantOf(digest);
    expect(digest.selection).toMatchObject(OPTIONS[variant]);
    expect(digest.keyPoints.filter(({ selected }) => selected)).toHaveLength(OPTIONS[variant].size.keyPoints);
    expect(digest.experiment).toEqual({ key: 'sizes', version: 1, variant, overridden: false });
    expect(await told(app.request(`${AT}/assignment?subject=u${i}`))).toMatchObject({ variant });
    expect(await told(app.request(`/v1/digests/${digest.id}`))).toEqual(digest);
    by[variant].push(digest);
  }
  expect(Math.min(by.small.length, by.large.length)).toBeGreaterThan(4);

  const outcomes = digests.flatMap((digest, i) => [
    { eventId: `s${i}`, subject: `u${i}`, metric: 'seconds', value: variantOf(digest) === 'large' ? 60 + i : 20 + i },
    ...(variantOf(digest) === 'large' ? [{ eventId: `r${i}`, subject: `u${i}`, metric: 'read' }] : []),
  ]);
  expect(await told(post(`${AT}/outcomes`, { outcomes }))).toMatchObject({ accepted: outcomes.length, problems: [] });
  const shown = await results(service);
  expect(shown).toMatchObject({ status: 'running', exposed: 24, overridden: 0 });
  const [read, seconds] = [armsOf(shown, 'read'), armsOf(shown, 'seconds')];
  expect([read.small.conversions, read.large.conversions]).toEqual([0, by.large.length]);
  for (const variant of ['small', 'large']) {
    const given = outcomes.filter(({ metric, subject }) => {
      return metric === 'seconds' && by[variant].includes(digests[Number(subject.slice(1))]);
    });
    const sum = given.reduce((all, each) => all + ('value' in each ? each.value : 0), 0);
    expect(seconds[variant].mean).toBeCloseTo(sum / by[variant].length, 9);
  }
  expect(shown.metrics[1].comparisons[0]).toMatchObject({ variant: 'large', better: true, significant: true });

  // What digests record by themselves is what they said.
  for (const variant of ['small', 'large']) {
    const meanOf = (value: (digest: Digest) => number) =>
      by[variant].reduce((all, digest) => all + value(digest), 0) / by[variant].length;
    const recorded = (key: string) => armsOf(shown, key)[variant].mean;
    expect(recorded('digest.documentCoverage')).toBeCloseTo(
      meanOf(({ metrics }) => metrics.documentCoverage),
      9,
    );
    expect(recorded('digest.redundancy')).toBeCloseTo(
      meanOf(({ metrics }) => metrics.redundancy ?? 0),
      9,
    );
    expect(recorded('digest.compression')).toBeCloseTo(
      meanOf(({ metrics }) => metrics.compression),
      9,
    );
    expect(recorded('digest.tokens')).toBe(0);
    const latency = Number(recorded('digest.latency'));
    expect(latency).toBeGreaterThan(0);
    expect(latency).toBeLessThan(10_000);
  }
  expect(service.parts.jobFailures).toEqual([]);

  await told(app.request(`${AT}/stop`, { method: 'POST' }));
  expect(await results(service)).toMatchObject({ status: 'stopped', exposed: 24, verdict: 'none' });
  const stopped = await digestOf(service, 'u0');
  expect(stopped.experiment).toEqual({ key: 'sizes', version: 1, variant: null, overridden: false });
  const next = await told<Experiment>(put(service, { traffic: 1, newVersion: true }));
  expect(next).toMatchObject({ version: 2, status: 'running' });
  expect((await digestOf(service, 'u0')).experiment).toMatchObject({ version: 2, overridden: false });
  expect(await results(service, '?version=1')).toMatchObject({ exposed: 24, status: 'stopped' });
  expect(await results(service)).toMatchObject({ exposed: 1, version: 2 });
});

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
    expect(await eventCount(service)).toBe(overridden ? 0 : 2 * AUTOMATIC_METRICS.length);
  });

  const [small, large] = SIZES.variants;
  test.each<[string, object, object]>([
    ['a size that its strategy does not take', { selection: { strategy: 'dpp-sample' } }, {}],
    ['an extraction without its extractor', {}, { engine: { extraction: { rounds: 2 } } }],
  ])('%s of one variant lets subjects of both be served alike, outside of the analysis', async (_, more, options) => {
    const service = testApp();
    const [control, other] = [
      { ...small, options: {} },
      { ...large, options: { selection: { size: { keyPoints: 3 } }, ...options } },
    ];
    await running(service, { variants: [control, other] });
    const plain = await digestOf(service, '', { ...more, experiment: undefined });
    const subjects = await subjectsOf(service, 2);
    for (const [variant, names] of Object.entries(subjects)) {
      for (const subject of names) {
        const digest = await digestOf(service, subject, more);
        expect(digest.experiment).toMatchObject({ variant, overridden: true });
        expect(digest.selection).toEqual(plain.selection);
      }
    }
    expect(await results(service)).toMatchObject({ exposed: 0, overridden: 4 });
  });

  test('a variant that this service cannot serve at all is told, and leaves nobody out', async () => {
    const database = memoryDatabase();
    const other = { ...large, options: { selection: { size: { keyPoints: 501 } } } };
    await running(testApp({ database }), { variants: [{ ...small, options: {} }, other] });
    const service = testApp({ database, app: { limits: { ...TEST_LIMITS, keyPoints: 500 } } });
    for (const [subject] of Object.values(await subjectsOf(service, 1))) {
      expect(await refused(service.post('/v1/digests', digestFor(subject)), 422)).toEqual(['/experiment/key']);
    }
    expect(await results(service)).toMatchObject({ exposed: 0, overridden: 0 });
  });

  test('beside a preset of a variant, any part of a selection overrides', async () => {
    const service = testApp();
    await running(service, { variants: [small, { ...large, options: { selection: { preset: 'default' } } }] });
    for (const [subject] of Object.values(await subjectsOf(service, 1))) {
      const { experiment } = await digestOf(service, subject, { selection: { seed: 7 } });
      expect(experiment).toMatchObject({ overridden: true });
    }
  });

  test('once it overrides, the subject is outside with all that it did', async () => {
    const service = testApp();
    await running(service);
    await digestOf(service, 'u0');
    await told(service.post(`${AT}/outcomes`, { outcomes: [{ eventId: 'e', subject: 'u0', metric: 'read' }] }));
    expect(await results(service)).toMatchObject({ exposed: 1, overridden: 0 });
    await digestOf(service, 'u0', { selection: { size: { keyPoints: 3 } } });
    const shown = await results(service);
    expect(shown).toMatchObject({ exposed: 0, overridden: 1 });
    expect(Object.values(armsOf(shown, 'read')).map(({ conversions }) => conversions)).toEqual([0, 0]);
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
    expect([before.exposed, events]).toEqual([1, AUTOMATIC_METRICS.length]);
    for (let i = 0; i < 3; i++) {
      const again = await service.post('/v1/digests', body, keyed);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([status, 'true']);
      expect(await again.text()).toContain(id);
    }
    expect(await results(service)).toEqual(before);
    expect(await eventCount(service)).toBe(events);
  });

  test('a refused digest leaves none', async () => {
    const service = testApp({ slots: 0 });
    const { parts, post } = service;
    await running(service);
    expect(await refused(post('/v1/digests', digestFor('u1', { engine: { encoder: 'none' } })), 422)).toEqual([
      '/engine/encoder',
    ]);
    const full = { limits: { ...TEST_LIMITS, digestsPerTenant: 0 } };
    const other = testApp({ database: parts.database, slots: 0, app: full });
    await refused(other.post('/v1/digests', digestFor('u1')), 429);
    expect(await results(service)).toMatchObject({ exposed: 0, dataVersion: 0 });
  });

  test('what cannot be served by itself is refused, with nothing of a variant', async () => {
    const service = testApp();
    await running(service);
    const own = { engine: { extraction: { rounds: 3 } } };
    expect(await refused(service.post('/v1/digests', digestFor('u1', own)), 422)).toEqual(['/engine/extraction']);
    expect(await results(service)).toMatchObject({ exposed: 0, dataVersion: 0 });
  });

  test('no experiment, no digest', async () => {
    const service = testApp();
    expect(await refused(service.post('/v1/digests', digestFor('u1')), 422)).toEqual(['/experiment/key']);
    expect(await refused(service.post('/v1/digests', digestFor('u1', { experiment: {} })), 422)).toEqual([
      '/experiment/key',
      '/experiment/subject',
    ]);
    expect(await told(service.app.request('/v1/digests'))).toEqual({ digests: [], next: null });
    expect((await digestOf(service, '', { experiment: undefined })).experiment).toBeNull();
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

  test('also as goals and guardrails of the experiment', async () => {
    const service = testApp();
    const automatic = { type: 'ratio', direction: 'decrease' } as const;
    await running(service, {
      metrics: [{ ...automatic, key: 'digest.compression', minimumEffect: 0.1 }],
      guardrails: [{ ...automatic, key: 'digest.latency', margin: 0.2 }],
    });
    const digest = await digestOf(service, 'u1');
    const shown = await results(service);
    expect(shown.metrics.slice(0, 2).map(({ key, role }) => [key, role])).toEqual([
      ['digest.compression', 'goal'],
      ['digest.latency', 'guardrail'],
    ]);
    expect(armsOf(shown, 'digest.compression')[variantOf(digest)].mean).toBeCloseTo(digest.metrics.compression, 12);
    expect(await eventCount(service)).toBe(AUTOMATIC_METRICS.length);
  });

  test('also where the experiment ended meanwhile', async () => {
    const service = testApp({ slots: 0 });
    await running(service);
    const id = await idIn(await service.post('/v1/digests', digestFor('u1'), later));
    await told(service.app.request(`${AT}/stop`, { method: 'POST' }));
    const digest = await ended(testApp({ database: service.parts.database }), id);
    expect(digest.experiment).toMatchObject({ version: 1, overridden: false });
    expect(armsOf(await results(service), 'digest.documentCoverage')[variantOf(digest)].mean).toBeGreaterThan(0);
  });

  test('not by an attempt that another has taken over', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    await running(service);
    const id = await idIn(await service.post('/v1/digests', digestFor('u1'), later));
    const { query } = service.parts.database;
    await expect.poll(async () => (await query.select().from(jobs))[0].state, { interval: 5 }).toBe('running');
    await query.update(jobs).set({ attempt: 2 });
    release();
    await service.parts.worker.stop(2000);
    expect(await told(service.app.request(`/v1/digests/${id}`))).toMatchObject({ status: 'running' });
    expect(await eventCount(service)).toBe(0);
  });

  test('not of one that was cancelled', async () => {
    const { engine, release } = heldEngine();
    const service = testApp({ engine });
    await running(service);
    const id = await idIn(await service.post('/v1/digests', digestFor('u1'), later));
    await told(service.app.request(`/v1/digests/${id}`, { method: 'DELETE' }));
    release();
    await service.parts.worker.stop(2000);
    expect(await eventCount(service)).toBe(0);
    expect(await results(service)).toMatchObject({ exposed: 1 });
  });

  test('a digest does not fail because they do', async () => {
    const service = testApp({ slots: 0 });
    await running(service);
    const id = await idIn(await service.post('/v1/digests', digestFor('u1'), later));
    await service.parts.database.query.delete(experiments);
    const worker = testApp({ database: service.parts.database });
    expect((await ended(worker, id)).status).toBe('completed');
    expect(worker.parts.jobFailures).toMatchObject([{ id, failure: { code: 'not-found' } }]);
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
