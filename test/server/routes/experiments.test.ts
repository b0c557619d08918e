import { describe, expect, test } from 'vitest';
import type { RecordedOutcomes } from '../../../src/client/client.ts';
import type { Assignment } from '../../../src/client/index.ts';
import { keyedService } from '../../support/keyed-service.ts';
import { memoryDatabase, TEST_LIMITS, testApp } from '../../support/test-deps.ts';
import { AT, armsOf, refused, results, running, SIZES, told } from '../experiments-support.ts';

const outcome = (eventId: string, subject: string, more: object = {}) => ({
  eventId,
  subject,
  metric: 'read',
  ...more,
});

describe('definitions', () => {
  const [small, large] = SIZES.variants;
  const [read] = SIZES.metrics;
  test.each<[string[], object]>([
    [['/key'], { key: 'a/b' }],
    [['/key'], { key: 'ü' }],
    [['/key'], { key: 'x'.repeat(101) }],
    [['/hypothesis'], { hypothesis: '' }],
    [['/hypothesis'], { hypothesis: 'half \ud800' }],
    [['/variants'], { variants: [small] }],
    [['/variants'], { variants: [small, { ...large, weight: 0.6 }] }],
    [['/variants'], { variants: [small, { ...large, weight: 0.5000001 }] }],
    [['/variants/0/weight'], { variants: [{ ...small, weight: -0.5 }, large] }],
    [['/variants/1/name'], { variants: [small, { ...large, name: 'small' }] }],
    [['/variants/1/options/documents'], { variants: [small, { ...large, options: { documents: [] } }] }],
    [['/variants/1/options/selection/strategy'], withOptions({ selection: { strategy: 'best' } })],
    [['/variants/1/options/selection/strategy'], withOptions({ selection: { strategy: 'llm' } })],
    [['/variants/1/options/selection/size/keyPoints'], withOptions({ selection: { size: { keyPoints: 501 } } })],
    [['/variants/1/options/engine/encoder'], withOptions({ engine: { encoder: 'unheard-of' } })],
    [['/variants/1/options/engine/writer'], withOptions({ engine: { writer: 'llm' } })],
    [['/variants/1/weight'], { variants: [small, { ...large, weight: 1e-5 }] }],
    [['/metrics'], { metrics: [] }],
    [['/metrics/0/direction'], { metrics: [{ ...read, direction: 'up' }] }],
    [['/guardrails/0/margin'], { guardrails: [{ ...SIZES.guardrails[0], margin: -0.1 }] }],
    [['/metrics/0/type'], { metrics: [{ ...read, type: 'median' }] }],
    [['/metrics/0/minimumEffect'], { metrics: [{ ...read, minimumEffect: 0 }] }],
    [['/metrics/0/key'], { metrics: [{ ...read, key: 'digest.speed' }] }],
    [['/metrics/0/type'], { metrics: [{ ...read, key: 'digest.latency' }] }],
    [['/guardrails/0/key'], { guardrails: [{ ...SIZES.guardrails[0], key: 'read' }] }],
    [['/guardrails/0/margin'], { guardrails: [{ ...SIZES.guardrails[0], margin: undefined }] }],
    [['/traffic'], { traffic: 1.1 }],
    [['/traffic'], { traffic: 0 }],
    [['/layer'], { layer: { key: 'page', from: 0, to: 1 } }],
    [['/salt'], { salt: '\u0000' }],
    [['/metrics/1/key'], { metrics: [read, read] }],
    [['/key', '/variants/1/name', '/variants'], { key: '-', variants: [small, { ...small, weight: 0.6 }] }],
    [['/status'], { status: 'stopped' }],
    [['/version'], { version: 2 }],
    [['/variants/0/name', '/variants', '/traffic'], { traffic: 2, variants: [{ name: '', weight: 0.5 }] }],
  ])('%j is told, case %#', async (pointers, wrong) => {
    const service = testApp({ app: { limits: { ...TEST_LIMITS, keyPoints: 500 } } });
    const found = await refused(service.post('/v1/experiments', { ...SIZES, ...wrong }), 422);
    expect(found.sort()).toEqual(pointers.sort());
    expect(await told(service.app.request('/v1/experiments'))).toEqual({ experiments: [], next: null });
  });

  function withOptions(options: object) {
    return { variants: [SIZES.variants[0], { ...SIZES.variants[1], options }] };
  }
});

describe('outcomes', () => {
  test('count once; what is wrong with some keeps none of the others out', async () => {
    const clock = { time: Date.UTC(2026, 0, 10) };
    const service = testApp({ database: { ...memoryDatabase(), now: () => clock.time } });
    const { post } = service;
    await running(service);
    await told(post(`${AT}/exposures`, { subject: 'a' }));
    clock.time += 1000;
    const send = async (...outcomes: unknown[]) => told<RecordedOutcomes>(post(`${AT}/outcomes`, { outcomes }));
    const first = await send(
      outcome('1', 'a'),
      outcome('2', 'nobody'),
      outcome('1', 'a'),
      outcome('3', 'a', { metric: 'seconds', value: 12.5 }),
      outcome('4', 'a', { at: '2026-01-09T00:00:00+01:00' }),
      outcome('5', 'a', { metric: 'share', value: 3, denominator: 4 }),
      outcome('6', 'a', { at: '2026-02-01T00:00:00Z' }),
    );
    expect(first).toMatchObject({ accepted: 3, duplicates: 1, ignored: { beforeExposure: 1, afterStop: 0 } });
    const pointers = first.problems.map(({ index, pointer }) => [index, pointer]);
    expect(pointers).toEqual([
      [1, '/outcomes/1/subject'],
      [6, '/outcomes/6/at'],
    ]);
    const again = await send(outcome('1', 'a'), outcome('7', 'a', { metric: 'clicks' }));
    expect(again).toMatchObject({ accepted: 1, duplicates: 1, problems: [] });
    const shown = await results(service);
    const { variant } = await told<Assignment>(service.app.request(`${AT}/assignment?subject=a`));
    const of = (key: string) => armsOf(shown, key)[String(variant)];
    expect([of('read').conversions, of('seconds').mean, of('share').mean, of('clicks').mean]).toEqual([
      1, 12.5, 0.75, 1,
    ]);
    expect(shown.ignored).toEqual({ beforeExposure: 1, afterStop: 0, overridden: 0, duplicates: 2 });
    const ignored = { beforeExposure: 1, afterStop: 0, overridden: 0 };
    expect(first.ignored).toEqual(ignored);
  });

  test.each<[string, string]>([
    ['/outcomes/1/value', '{"value":1e999}'],
    ['/outcomes/1/value', '{"value":-1e999}'],
    ['/outcomes/1/value', '{"value":"NaN"}'],
    ['/outcomes/1/value', '{"value":null}'],
    ['/outcomes/1/denominator', '{"denominator":-1}'],
    ['/outcomes/1/at', '{"at":"yesterday"}'],
    ['/outcomes/1/at', '{"at":1767225600000}'],
    ['/outcomes/1/eventId', '{"eventId":""}'],
    ['/outcomes/1/time', '{"time":1}'],
    ['/outcomes/1/__proto__', '{"__proto__":{"value":1}}'],
    ['/outcomes/1/subject', '{"subject":"half \\ud800"}'],
    ['/outcomes/1/metric', '{"metric":7}'],
    ['/outcomes/1/eventId', '{"eventId":null}'],
  ])('%s that is none of its type keeps nothing else out: %s', async (pointer, more) => {
    const service = testApp();
    await running(service);
    await told(service.post(`${AT}/exposures`, { subject: 'a' }));
    const [good, bad] = [
      JSON.stringify(outcome('1', 'a')),
      `{"eventId":"2","subject":"a","metric":"read",${more.slice(1)}`,
    ];
    const last = JSON.stringify(outcome('3', 'nobody'));
    const sent = async (...each: string[]) => service.post(`${AT}/outcomes`, `{"outcomes":[${each.join(',')}]}`);
    const recorded = await told<RecordedOutcomes>(sent(good, bad, last));
    expect(recorded).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(recorded.problems.map((problem) => [problem.index, problem.pointer])).toEqual([
      [1, pointer],
      [2, '/outcomes/2/subject'],
    ]);
    // An id that was refused may come again.
    expect(await told(service.post(`${AT}/outcomes`, { outcomes: [outcome('2', 'a')] }))).toMatchObject({
      accepted: 1,
    });
    expect(await refused(sent(last, bad), 422)).toEqual(['/outcomes/0/subject', pointer]);
  });

  test.each<[string, unknown]>([
    ['/outcomes', { outcomes: {} }],
    ['/outcomes', { outcomes: null }],
    ['/outcomes', { outcomes: [] }],
    ['/outcomes', { outcomes: Array.from({ length: 1001 }, () => null) }],
    ['/outcomes', {}],
    ['/more', { outcomes: [outcome('1', 'a')], more: 1 }],
  ])('%s of a batch that is none is refused, case %#', async (pointer, batch) => {
    const service = testApp();
    await running(service);
    await told(service.post(`${AT}/exposures`, { subject: 'a' }));
    expect(await refused(service.post(`${AT}/outcomes`, batch), 422)).toEqual([pointer]);
    expect(await results(service)).toMatchObject({ dataVersion: 1 });
  });
});

test('keys are for digests or for experiments, or for both', async () => {
  const { keyFor, ask } = keyedService();
  const [digests, experiments] = [await keyFor('own', 'digests'), await keyFor('own', 'experiments')];
  const both = await keyFor('own', 'digests', 'experiments');
  const make = async (key: string, name: string) =>
    ask(key, 'POST', '/v1/experiments', { body: { ...SIZES, key: name, status: 'running' } });
  const body = { documents: [{ id: 'a', text: 'It lands.' }], experiment: { key: 'one', subject: 'a' } };
  expect((await make(digests, 'one')).status).toBe(403);
  expect((await make(experiments, 'one')).status).toBe(201);
  expect((await make(both, 'two')).status).toBe(201);
  expect((await ask(experiments, 'GET', '/v1/experiments')).status).toBe(200);
  for (const path of ['/v1/experiments', '/v1/experiments/one', '/v1/experiments/one/results', '/v1/%65xperiments']) {
    expect((await ask(digests, 'GET', path)).status, path).toBe(403);
  }
  expect((await ask(experiments, 'POST', '/v1/digests', { body })).status).toBe(403);
  // Who makes digests may make them as an experiment has it.
  for (const key of [digests, both]) expect((await ask(key, 'POST', '/v1/digests', { body })).status).toBe(201);
});
