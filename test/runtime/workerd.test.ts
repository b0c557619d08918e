import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Digest } from '../../src/contract/index.ts';
import { EVALUATION_EXAMPLES } from '../../src/evaluation/index.ts';
import { MODEL_STRATEGIES, STRATEGY_NAMES } from '../../src/selection/index.ts';
import { createKey } from '../../src/store/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { behaves } from './behaviour.ts';
import { MANY_SCRIPTS } from './documents.ts';
import { startNode } from './node-runtime.ts';
import { type Order, type Service, serviceOver, soundDigest } from './service.ts';
import { SERVICE, startWorkerd, type WorkerdRuntime } from './workerd-runtime.ts';

const BUILT = fileURLToPath(new URL('../../dist/client', import.meta.url));

/** What a Worker of a caller would be: it finds the service by a binding, or by its address. */
const CALLER = `
import { createClient } from './client/client.js';

const EXPERIMENT = {
  key: 'from-a-worker',
  hypothesis: 'Longer digests are read to the end.',
  variants: [
    { name: 'small', weight: 0.5, options: { selection: { size: { keyPoints: 2 } } } },
    { name: 'large', weight: 0.5, options: { selection: { size: { keyPoints: 4 } } } },
  ],
  metrics: [{ key: 'read', type: 'binomial', direction: 'increase', minimumEffect: 0.02 }],
};

export default {
  async fetch(request, env) {
    const { baseUrl, apiKey, order } = await request.json();
    const options = baseUrl === undefined ? { baseUrl: 'http://service', fetch: (...given) => env.SERVICE.fetch(...given) } : { baseUrl };
    const client = createClient({ ...options, apiKey });
    const refused = await createClient({ ...options, apiKey: 'tsr_live_0' }).digests.create(order).catch(({ name, status }) => ({ name, status }));
    const created = await client.digests.create(order);
    const events = [];
    for await (const event of client.digests.stream(order)) events.push(event);
    const { id } = await client.digests.submit(order);
    const waited = await client.digests.wait(id);
    const selected = await client.selections.create({ digest: created.id, selection: { size: { keyPoints: 2 } } });
    const { keyPoints } = await client.keyPoints.extract({ documents: order.documents });
    const [{ text }] = created.summary.sentences.filter(({ framing }) => !framing);
    const insights = [{ id: 'told', text }, { id: 'untold', text: 'Whales sing.' }];
    const judged = await client.evaluations.create({ metric: 'summhay', digest: created.id, insights });
    const key = EXPERIMENT.key + (baseUrl === undefined ? '-bound' : '-addressed');
    await client.experiments.create({ ...EXPERIMENT, key });
    await client.experiments.start(key);
    const taken = await client.digests.create({ ...order, experiment: { key, subject: 'u1' } });
    await client.experiments.recordOutcomes(key, [{ eventId: 'e1', subject: 'u1', metric: 'read' }]);
    const results = await client.experiments.results(key);
    const listed = [];
    for await (const entry of client.digests.list()) listed.push(entry.id);
    return Response.json({ refused, created, events, id, waited, selected, keyPoints, judged, taken, results, listed });
  },
};
`;

/** A Worker of a caller, with the built client. */
function caller(): WorkerOptions {
  if (!existsSync(join(BUILT, 'client.js'))) throw new Error('run `npm run build` first');
  const module = (path: string, contents = readFileSync(path, 'utf8')) => ({
    type: 'ESModule' as const,
    path,
    contents,
  });
  const files = readdirSync(BUILT).filter((file) => file.endsWith('.js'));
  return {
    name: 'caller',
    compatibilityDate: '2026-04-20',
    modulesRoot: join(BUILT, '..'),
    modules: [module(join(BUILT, '../caller.js'), CALLER), ...files.map((file) => module(join(BUILT, file)))],
    serviceBindings: { SERVICE },
  };
}

let runtime: WorkerdRuntime;
let services: readonly Service[];
beforeAll(async () => {
  runtime = await startWorkerd({ others: [caller()] });
  services = [await startNode(), runtime].map(serviceOver);
});
afterAll(() => Promise.all(services.map((service) => service.runtime.close())));

const STRATEGIES = STRATEGY_NAMES.filter((name) => !MODEL_STRATEGIES.includes(name));
const ORDERS: readonly Order[] = [
  { documents: CITY, intent: CITY_INTENT },
  { documents: CITY },
  { documents: CITY.toReversed(), intent: CITY_INTENT, summary: { format: 'bullets' }, selection: { seed: 3 } },
  { documents: MANY_SCRIPTS, intent: '拥堵费' },
  { documents: [...CITY, ...MANY_SCRIPTS], selection: { size: { words: 60 }, kernel: { form: 'linear' } } },
  ...STRATEGIES.map((strategy): Order => {
    const size = ['all', 'dpp-sample'].includes(strategy) ? {} : { size: { keyPoints: 5 } };
    return { documents: CITY, intent: CITY_INTENT, selection: { strategy, seed: 11, ...size } };
  }),
];

const ITEMS = CITY.map(({ id, text }) => ({ id, text }));
const KERNEL = [
  [2, 0.5],
  [0.5, 1],
];
/** Requests that are answered with nothing that is of one run only, but for times and what was spent. */
const CALLS: [path: string, body?: unknown][] = [
  ...['/openapi.json', '/healthz', '/readyz', '/docs', '/v1/nowhere'].map((path): [string] => [path]),
  ['/v1/key-points', { documents: MANY_SCRIPTS }],
  ['/v1/selections', { items: ITEMS, intent: CITY_INTENT }],
  ['/v1/selections', { embeddings: KERNEL, queryEmbedding: [1, 2], selection: { strategy: 'mmr' } }],
  ['/v1/selections', { kernel: KERNEL, selection: { strategy: 'dpp-sample' }, draws: 50 }],
  ...Object.values(EVALUATION_EXAMPLES.requests).map(({ value }): [string, unknown] => ['/v1/evaluations', value]),
  ['/v1/evaluations', { metric: 'summhay', judge: 'llm', bullets: ['a'], insights: [{ id: 'a', text: 'b' }] }],
  ['/v1/digests', { documents: [{ id: 'a', text: 'half \ud800' }], surplus: 1 }],
  ['/v1/digests', { documents: Array.from({ length: 201 }, (_, i) => ({ id: `d${i}`, text: 'x' })) }],
  ['/v1/digests', { documents: [{ id: 'a', text: ' '.repeat(1_000_001) }] }],
  ['/v1/digests', { documents: [{ id: 'a', text: 'x'.repeat(8 * 1024 * 1024) }] }],
  ...['{', '', '['.repeat(100_000)].map((body): [string, unknown] => ['/v1/digests', body]),
  ['/v1/collections', { name: '' }],
];

/** What is answered, without what is of one run: times, and what was spent. */
async function saidBy({ get, post }: Service, path: string, body: unknown) {
  const response = await (body === undefined ? get(path) : post(path, body));
  const text = await response.text();
  const type = response.headers.get('content-type')?.toLowerCase();
  const { timings: _, usage: __, ...rest }: Partial<Digest> = type?.includes('json') ? JSON.parse(text) : { text };
  return { status: response.status, type, body: rest };
}

describe('the same on both runtimes', () => {
  test.each(ORDERS)('the same digest, case %#', async (order) => {
    const [node, workerd] = await Promise.all(services.map((service) => service.digest(order)));
    expect(node.summary.sentences.length).toBeGreaterThan(0);
    expect(answered(workerd)).toEqual(answered(node));
  });

  test.each(CALLS)('the same answer: %s, case %#', async (path: string, body?: unknown) => {
    const [node, workerd] = await Promise.all(services.map((service) => saidBy(service, path, body)));
    expect(workerd).toEqual(node);
  });
});

behaves(() => services[1], {
  'a caller who hangs up cancels what they waited for':
    'workerd behind Miniflare does not tell a Worker that its caller is gone, whether enable_request_signal is set or not',
});

test.each(['a binding', 'its address'])('a Worker calls the service through %s, by the built client', async (way) => {
  const tenant = way === 'a binding' ? 'bound' : 'addressed';
  const { key: apiKey } = await createKey(runtime.connection, {
    tenant,
    name: 'test',
    scopes: ['digests', 'experiments'],
  });
  const order = { documents: CITY, intent: CITY_INTENT };
  const worker = await runtime.miniflare.getWorker('caller');
  const response = await worker.fetch('http://caller/', {
    method: 'POST',
    body: JSON.stringify({ order, apiKey, ...(tenant === 'addressed' && { baseUrl: runtime.url.href }) }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const told = JSON.parse(text);
  expect(told.refused).toEqual({ name: 'AuthenticationError', status: 401 });
  const created = soundDigest(told.created, order);
  const last = told.events.at(-1);
  expect(told.events.map(({ id }: { id: number }) => id)).toEqual(told.events.map((_: unknown, i: number) => i + 1));
  expect(last.event).toBe('digest');
  expect(answered(last.data)).toEqual(answered(created));
  expect(told.waited.id).toBe(told.id);
  expect(answered(told.waited)).toEqual(answered(created));
  expect(told.selected.selected).toHaveLength(2);
  const extracted = told.keyPoints.map(({ id }: { id: string }) => id);
  expect(extracted).toHaveLength(created.counts?.keyPoints ?? 0);
  expect(extracted).toEqual(expect.arrayContaining(created.keyPoints.map(({ id }) => id)));
  expect(told.judged).toMatchObject({
    coverage: 50,
    insights: [
      { id: 'told', coverage: 100 },
      { id: 'untold', coverage: 0 },
    ],
  });
  const size = { small: 2, large: 4 }[String(told.taken.experiment.variant)];
  expect(told.taken.keyPoints.filter(({ selected }: { selected: boolean }) => selected)).toHaveLength(Number(size));
  expect(told.results).toMatchObject({ exposed: 1, status: 'running' });
  expect(new Set(told.listed)).toEqual(new Set([created.id, last.data.id, told.id, told.taken.id]));
});
