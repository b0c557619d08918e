import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/store/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { soundDigest } from './service.ts';
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

let runtime: WorkerdRuntime;
beforeAll(async () => {
  if (!existsSync(join(BUILT, 'client.js'))) throw new Error('run `npm run build` first');
  const files = readdirSync(BUILT).filter((file) => file.endsWith('.js'));
  const caller = { type: 'ESModule' as const, path: join(BUILT, '../caller.js'), contents: CALLER };
  const modules = files.map((file) => ({
    type: 'ESModule' as const,
    path: join(BUILT, file),
    contents: readFileSync(join(BUILT, file), 'utf8'),
  }));
  runtime = await startWorkerd({
    others: [
      {
        name: 'caller',
        compatibilityDate: '2026-04-20',
        modulesRoot: join(BUILT, '..'),
        modules: [caller, ...modules],
        serviceBindings: { SERVICE },
      },
    ],
  });
});
afterAll(() => runtime.close());

test.each(['a binding', 'its address'])('a Worker calls the service through %s, by the built client', async (way) => {
  const tenant = way === 'a binding' ? 'bound' : 'addressed';
  const { key: apiKey } = await createKey(runtime.connection, {
    tenant,
    name: 'test',
    scopes: ['digests', 'experiments'],
  });
  const order = { documents: CITY, intent: CITY_INTENT };
  const caller = await runtime.miniflare.getWorker('caller');
  const response = await caller.fetch('http://caller/', {
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
  expect(told.keyPoints.map(({ id }: { id: string }) => id)).toEqual(created.keyPoints.map(({ id }) => id));
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
