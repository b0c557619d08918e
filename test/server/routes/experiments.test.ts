import { describe, expect, test } from 'vitest';
import type { RecordedOutcomes } from '../../../src/client/client.ts';
import type { Assignment, Experiment, ExperimentHistory } from '../../../src/client/index.ts';
import { experimentResultsSchema } from '../../../src/contract/index.ts';
import { keyedService } from '../../support/keyed-service.ts';
import { memoryDatabase, TEST_LIMITS, testApp } from '../../support/test-deps.ts';
import { AT, armsOf, put, refused, results, running, SIZES, told } from '../experiments-support.ts';

const outcome = (eventId: string, subject: string, more: object = {}) => ({
  eventId,
  subject,
  metric: 'read',
  ...more,
});

describe('definitions', () => {
  test('are answered in full, with what was left out filled in, listed and read again', async () => {
    const service = testApp();
    const { app, post } = service;
    const made = await post('/v1/experiments', { ...SIZES, layer: { key: 'page', from: 0, to: 0.5 } });
    expect(made.headers.get('location')).toBe(AT);
    const experiment = await told<Experiment>(made, 201);
    expect(experiment).toEqual({
      ...SIZES,
      metrics: SIZES.metrics.map((metric) => ({ minimumEffect: null, ...metric })),
      guardrails: [{ ...SIZES.guardrails[0], minimumEffect: null }],
      version: 1,
      status: 'draft',
      traffic: 1,
      layer: { key: 'page', from: 0, to: 0.5 },
      salt: 'sizes',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      startedAt: null,
      stoppedAt: null,
    });
    const period = { version: 1, status: 'draft', startedAt: null, stoppedAt: null };
    expect(await told(app.request(AT))).toEqual({ ...experiment, versions: [period] });
    expect(await told(app.request('/v1/experiments'))).toEqual({ experiments: [experiment], next: null });
  });

  test('are listed page by page, the newest first', async () => {
    const clock = { time: 1_000_000 };
    const { app, post } = testApp({ database: { ...memoryDatabase(), now: () => clock.time } });
    const keys = ['a', 'b', 'c', 'd', 'e'];
    for (const [i, key] of keys.entries()) {
      clock.time += i % 2; // some at the same time
      await told(post('/v1/experiments', { ...SIZES, key }), 201);
    }
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: { experiments: Experiment[]; next: string | null } = await told(
        app.request(`/v1/experiments?limit=2${next && `&cursor=${next}`}`),
      );
      expect(page.experiments.length).toBeLessThanOrEqual(2);
      seen.push(...page.experiments.map(({ key }) => key));
      next = page.next;
    }
    expect(seen).toEqual(keys.toReversed());
  });

  test('a key is given once', async () => {
    const service = testApp();
    await running(service);
    expect(await refused(service.post('/v1/experiments', SIZES), 409)).toEqual(['/key']);
  });

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
    [['/metrics'], { metrics: [] }],
    [['/metrics/0/type'], { metrics: [{ ...read, type: 'median' }] }],
    [['/metrics/0/minimumEffect'], { metrics: [{ ...read, minimumEffect: 0 }] }],
    [['/metrics/0/key'], { metrics: [{ ...read, key: 'digest.speed' }] }],
    [['/metrics/0/type'], { metrics: [{ ...read, key: 'digest.latency' }] }],
    [['/guardrails/0/key'], { guardrails: [{ ...SIZES.guardrails[0], key: 'read' }] }],
    [['/guardrails/0/margin'], { guardrails: [{ ...SIZES.guardrails[0], margin: undefined }] }],
    [['/traffic'], { traffic: 1.1 }],
    [['/traffic'], { traffic: 0 }],
    [['/layer/to'], { layer: { key: 'page', from: 0.5, to: 0.5 } }],
    [['/salt'], { salt: '\u0000' }],
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

  test('all weights that do not fit are one problem, and numbers that are none are no numbers', async () => {
    const { post } = testApp();
    const text = JSON.stringify({ ...SIZES, traffic: 0.5 });
    expect(await refused(post('/v1/experiments', text.replace('"weight":0.5', '"weight":1e999')), 422)).toEqual([
      '/variants/0/weight',
    ]);
    expect(await refused(post('/v1/experiments', text.replace('"traffic":0.5', '"traffic":"NaN"')), 422)).toEqual([
      '/traffic',
    ]);
  });

  test('what is right only with what requests say is left to them', async () => {
    const { post } = testApp();
    const options = { engine: { extraction: { rounds: 2 } } };
    await told(post('/v1/experiments', { ...SIZES, ...withOptions(options) }), 201);
  });
});

describe('states', () => {
  test('a draft is changed in all, starts and stops; each state allows what it allows', async () => {
    const service = testApp();
    const { app, post } = service;
    const turn = async (to: string) => app.request(`${AT}/${to}`, { method: 'POST' });
    await told(post('/v1/experiments', SIZES), 201);
    expect(await told(put(service, { traffic: 0.25, metrics: SIZES.metrics.slice(0, 1) }))).toMatchObject({
      version: 1,
      status: 'draft',
      traffic: 0.25,
      hypothesis: SIZES.hypothesis,
      metrics: [{ key: 'read' }],
    });
    expect(await refused(turn('stop'), 409)).toEqual([]);
    expect(await told(turn('start'))).toMatchObject({ status: 'running', startedAt: expect.any(String) });
    expect(await refused(turn('start'), 409)).toEqual([]);
    for (const [field, value] of Object.entries({
      variants: SIZES.variants.map((variant, i) => ({ ...variant, weight: [0.4, 0.6][i] })),
      metrics: SIZES.metrics,
      guardrails: [],
      traffic: 0.5,
      layer: { key: 'page', from: 0, to: 1 },
      salt: 'other',
    })) {
      expect(await refused(put(service, { [field]: value }), 409)).toEqual([`/${field}`]);
    }
    expect(await told(put(service, { hypothesis: 'Another.', traffic: 0.25 }))).toMatchObject({
      hypothesis: 'Another.',
      version: 1,
    });
    expect(await told(turn('stop'))).toMatchObject({ status: 'stopped', stoppedAt: expect.any(String) });
    for (const to of ['start', 'stop']) expect(await refused(turn(to), 409)).toEqual([]);
  });

  test('a new version has its own subjects, and the old one stays to be read', async () => {
    const service = testApp();
    const { app } = service;
    await running(service);
    const assigned = await told<Assignment>(service.post(`${AT}/exposures`, { subject: 'a' }));
    expect(assigned).toMatchObject({ version: 1, reason: 'assigned' });
    const changed = await told<Experiment>(put(service, { version: 1, traffic: 0.5, newVersion: true }));
    expect(changed).toMatchObject({ version: 2, status: 'running', traffic: 0.5, salt: 'sizes:2' });
    // As one that is sent again because its answer was lost.
    expect(await refused(put(service, { version: 1, traffic: 0.5, newVersion: true }), 409)).toEqual([]);
    const now = await told<ExperimentHistory>(app.request(AT));
    expect(now).toMatchObject({ ...changed, versions: [{ version: 2, stoppedAt: null }, { version: 1 }] });
    expect(now.versions.map(({ status }) => status)).toEqual(['running', 'stopped']);
    const before = await told<ExperimentHistory>(app.request(`${AT}?version=1`));
    expect(before).toMatchObject({ version: 1, status: 'stopped', traffic: 1, stoppedAt: now.startedAt });
    expect(await results(service)).toMatchObject({ version: 2, status: 'running', exposed: 0 });
    expect(await results(service, '?version=1')).toMatchObject({ version: 1, status: 'stopped', exposed: 1 });
    await refused(app.request(`${AT}/results?version=3`), 404);
  });

  test('of a layer, parts do not meet: what cannot begin does not stay', async () => {
    const service = testApp();
    const { app, post } = service;
    const layer = (from: number, to: number) => ({ layer: { key: 'page', from, to } });
    await running(service, layer(0, 0.5));
    const second = { ...SIZES, key: 'second', ...layer(0.4, 1) };
    expect(await refused(post('/v1/experiments', { ...second, status: 'running' }), 409)).toEqual(['/layer']);
    await refused(app.request('/v1/experiments/second'), 404);
    await told(post('/v1/experiments', second), 201);
    const start = async () => app.request('/v1/experiments/second/start', { method: 'POST' });
    expect(await refused(start(), 409)).toEqual(['/layer']);
    await told(put(service, layer(0.5, 1), '/v1/experiments/second'));
    await told(start());
    const subjects = Array.from({ length: 60 }, (_, i) => `reader ${i}`);
    for (const subject of subjects) {
      const both = [AT, '/v1/experiments/second'].map(async (path) =>
        told<Assignment>(app.request(`${path}/assignment?subject=${encodeURIComponent(subject)}`)),
      );
      const [one, other] = await Promise.all(both);
      expect([one.reason, other.reason].sort()).toEqual(['assigned', 'layer']);
      expect([one.variant, other.variant]).toContain(null);
    }
  });
});

describe('subjects', () => {
  test('are assigned alike with and without a note of it, and noted once', async () => {
    const service = testApp();
    const { app, post } = service;
    await running(service);
    for (const subject of ['a', 'b b', 'ü/ß?&=+', '🙂'.repeat(100)]) {
      const asked = app.request(`${AT}/assignment?${new URLSearchParams({ subject })}`);
      const assigned = await told<Assignment>(asked);
      expect(assigned).toMatchObject({ key: 'sizes', version: 1, reason: 'assigned' });
      for (let i = 0; i < 2; i++) expect(await told(post(`${AT}/exposures`, { subject }))).toEqual(assigned);
    }
    expect(await results(service)).toMatchObject({ exposed: 4, overridden: 0, dataVersion: 4 });
  });

  test.each(['draft', 'stopped'])('are assigned to nothing while it is %s, and nothing is noted', async (reason) => {
    const service = testApp();
    await told(service.post('/v1/experiments', SIZES), 201);
    if (reason === 'stopped') {
      for (const to of ['start', 'stop']) await told(service.app.request(`${AT}/${to}`, { method: 'POST' }));
    }
    const none = { key: 'sizes', version: 1, variant: null, reason };
    expect(await told(service.post(`${AT}/exposures`, { subject: 'a' }))).toEqual(none);
    expect(await results(service)).toMatchObject({ exposed: 0, verdict: 'none' });
  });

  test.each(['', 'x'.repeat(201), 'half \ud800', '\u0000', 'a\nb'])('cannot be named %j', async (subject) => {
    const service = testApp();
    await running(service);
    expect(await refused(service.post(`${AT}/exposures`, { subject }), 422)).toEqual(['/subject']);
    const wrong = { outcomes: [outcome('e', subject)] };
    expect(await refused(service.post(`${AT}/outcomes`, wrong), 422)).toEqual(['/outcomes/0/subject']);
    const sent = { documents: [{ id: 'a', text: 'It lands.' }], experiment: { key: 'sizes', subject } };
    expect(await refused(service.post('/v1/digests', sent), 422)).toEqual(['/experiment/subject']);
    expect(await results(service)).toMatchObject({ exposed: 0, dataVersion: 0 });
  });
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
      outcome('3', 'a', { metric: 'none' }),
      outcome('4', 'a', { metric: 'seconds', value: 12.5 }),
      outcome('5', 'a', { metric: 'seconds' }),
      outcome('6', 'a', { value: 0.5 }),
      outcome('7', 'a', { at: '2026-01-09T00:00:00+01:00' }),
      outcome('8', 'a', { metric: 'share', value: 3, denominator: 4 }),
      outcome('9', 'a', { denominator: 4 }),
      outcome('10', 'a', { metric: 'digest.cost', value: 0 }),
      outcome('11', 'a', { at: '2026-02-01T00:00:00Z' }),
    );
    expect(first).toMatchObject({ accepted: 3, duplicates: 1, ignored: { beforeExposure: 1, afterStop: 0 } });
    expect(first.problems.map(({ index, pointer }) => [index, pointer])).toEqual(
      [
        [1, 'subject'],
        [3, 'metric'],
        [5, 'value'],
        [6, 'value'],
        [9, 'denominator'],
        [10, 'metric'],
        [11, 'at'],
      ].map(([index, field]) => [index, `/outcomes/${index}/${field}`]),
    );
    expect(await send(outcome('1', 'a'), outcome('12', 'a', { metric: 'clicks' }))).toMatchObject({
      accepted: 1,
      duplicates: 1,
      problems: [],
    });
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

  test('where none is right, each is told', async () => {
    const service = testApp();
    await running(service);
    const wrong = { outcomes: [outcome('1', 'nobody'), outcome('2', 'nobody', { value: 1e16 })] };
    const pointers = ['/outcomes/0/subject', '/outcomes/1/value'];
    expect(await refused(service.post(`${AT}/outcomes`, wrong), 422)).toEqual(pointers);
    expect(await results(service)).toMatchObject({ dataVersion: 0 });
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

  test('of JavaScript’s numbers that are none, and of things that are no outcomes, each is told', async () => {
    const service = testApp();
    const { post } = service;
    await running(service);
    await told(post(`${AT}/exposures`, { subject: 'a' }));
    const seconds = (eventId: string, value: unknown) => outcome(eventId, 'a', { metric: 'seconds', value });
    const batch = [seconds('1', Number.NaN), seconds('2', 3), seconds('3', '4'), null, [], 'x', { value: 1, odd: 2 }];
    const recorded = await told<RecordedOutcomes>(post(`${AT}/outcomes`, { outcomes: batch }));
    expect(recorded).toMatchObject({ accepted: 1 });
    expect(recorded.problems.map(({ index, pointer }) => [index, pointer])).toEqual([
      [0, '/outcomes/0/value'],
      [2, '/outcomes/2/value'],
      [3, '/outcomes/3'],
      [4, '/outcomes/4'],
      [5, '/outcomes/5'],
      ...['eventId', 'subject', 'metric', 'odd'].map((field) => [6, `/outcomes/6/${field}`]),
    ]);
    const { variant } = await told<Assignment>(service.app.request(`${AT}/assignment?subject=a`));
    expect(armsOf(await results(service), 'seconds')[String(variant)].mean).toBe(3);
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

  test('of an experiment that is not there are not found, whatever is wrong with them', async () => {
    expect(await refused(testApp().post(`${AT}/outcomes`, { outcomes: [null] }), 404)).toEqual([]);
  });

  test('after the end are kept out, those before it still count', async () => {
    const clock = { time: Date.UTC(2026, 0, 10) };
    const service = testApp({ database: { ...memoryDatabase(), now: () => clock.time } });
    const { app, post } = service;
    await running(service);
    await told(post(`${AT}/exposures`, { subject: 'a' }));
    clock.time += 1000;
    await told(app.request(`${AT}/stop`, { method: 'POST' }));
    clock.time += 1000;
    const late = new Date(clock.time - 1500).toISOString();
    const sent = { outcomes: [outcome('1', 'a'), outcome('2', 'a', { at: late })] };
    expect(await told(post(`${AT}/outcomes`, sent))).toMatchObject({ accepted: 1, ignored: { afterStop: 1 } });
    expect(await results(service)).toMatchObject({ status: 'stopped', ignored: { afterStop: 1 } });
  });
});

test('with an idempotency key all is done once, and answered alike', async () => {
  const service = testApp();
  const { post } = service;
  const calls: [string, unknown][] = [
    ['/v1/experiments', SIZES],
    [`${AT}/start`, {}],
    [`${AT}/exposures`, { subject: 'a' }],
    [`${AT}/outcomes`, { outcomes: [outcome('1', 'a')] }],
    [`${AT}/stop`, {}],
  ];
  for (const [i, [path, body]] of calls.entries()) {
    const [first, again] = [
      await post(path, body, { 'idempotency-key': `k-${i}` }),
      await post(path, body, { 'idempotency-key': `k-${i}` }),
    ];
    expect([first.ok, again.status], path).toEqual([true, first.status]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
  }
  expect(await results(service)).toMatchObject({ exposed: 1, ignored: { duplicates: 0 }, dataVersion: 2 });
});

describe('results', () => {
  test('follow the options, and what is written', async () => {
    const service = testApp();
    const { post, app } = service;
    await running(service);
    const sides: Record<string, number> = {};
    const outcomes: object[] = [];
    for (let i = 0; i < 240; i++) {
      const { variant } = await told<Assignment>(post(`${AT}/exposures`, { subject: `s${i}` }));
      const nth = (sides[String(variant)] ?? 0) + 1;
      sides[String(variant)] = nth;
      if (variant === 'large' ? nth % 4 !== 0 : nth % 3 === 0) outcomes.push(outcome(`e${i}`, `s${i}`));
    }
    expect(await told(post(`${AT}/outcomes`, { outcomes }))).toMatchObject({ accepted: outcomes.length });
    const shown = await results(service);
    const arms = armsOf(shown, 'read');
    const { small, large } = sides;
    expect(arms.small).toMatchObject({ n: small, conversions: Math.floor(small / 3) });
    expect(arms.large).toMatchObject({ n: large, conversions: large - Math.floor(large / 4) });
    expect(shown).toMatchObject({ exposed: 240, alpha: 0.05, correction: 'holm', status: 'running' });
    expect(shown.verdict).toBe('winner');
    expect(shown.conclusion).toMatch(/^"large" [^\n]{20,}\.$/);
    const wide = await results(service, '?alpha=0.01&correction=benjamini-hochberg');
    expect(wide).toMatchObject({ alpha: 0.01, correction: 'benjamini-hochberg', dataVersion: shown.dataVersion });
    const width = ({ metrics }: typeof shown) => {
      const { interval } = metrics[0].comparisons[0];
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(width(wide)).toBeGreaterThan(width(shown) * 1.2);
    const late = { outcomes: [outcome('late', 's0', { metric: 'clicks' })] };
    expect(await told(post(`${AT}/outcomes`, late))).toMatchObject({ accepted: 1 });
    expect((await results(service)).dataVersion).toBeGreaterThan(shown.dataVersion);
    expect(await refused(app.request(`${AT}/results?alpha=1`), 422)).toEqual(['/alpha']);
  });
});

test('results of the largest values there may be are numbers, or told to be none', async () => {
  const service = testApp();
  await running(service);
  const values = [1e15, -1e15, 1e-300, 0, 5e-324, 1e15];
  const outcomes = Array.from({ length: 24 }, (_, i) => ({
    eventId: `e${i}`,
    subject: `s${i}`,
    metric: i % 2 === 0 ? 'seconds' : 'share',
    value: values[i % values.length],
    ...(i % 2 === 1 && { denominator: Math.abs(values[(i + 1) % values.length]) }),
  }));
  for (let i = 0; i < 24; i++) await told(service.post(`${AT}/exposures`, { subject: `s${i}` }));
  expect(await told(service.post(`${AT}/outcomes`, { outcomes }))).toMatchObject({ accepted: 24 });
  expect(experimentResultsSchema.parse(await results(service)).metrics.length).toBeGreaterThan(4);
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
