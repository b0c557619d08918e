import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, createClient, type ExperimentInput } from '../../src/client/index.ts';
import { DIGEST, eventText, PENDING, problem, type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const KEY = 'tsr_live_0123456789abcdef';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DOCUMENTS = [{ id: 'd1', text: 'Trams run.' }];
const COLLECTION = { id: 'col_1', name: 'City', documents: 0, createdAt: '2026-05-01T10:00:00Z' };
const PUT = { id: 'a/b', characters: 10, keyPoints: 1, status: 'ok', error: null, updatedAt: '2026-05-01T10:00:00Z' };

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

interface Case {
  readonly call: (client: Client) => Promise<unknown>;
  readonly reply: Reply;
  readonly sent: { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

const CASES: Readonly<Record<string, Case>> = {
  'digests.create': {
    call: ({ digests }) => digests.create({ documents: DOCUMENTS, intent: 'Trams?' }),
    reply: { status: 201, headers: { location: '/v1/digests/dig_1' }, body: DIGEST },
    sent: { method: 'POST', path: '/v1/digests', body: { documents: DOCUMENTS, intent: 'Trams?' } },
    answer: DIGEST,
  },
  'digests.submit': {
    call: ({ digests }) => digests.submit({ collection: 'col_1', callbackUrl: 'https://app.test/hook' }),
    reply: { status: 202, body: PENDING },
    sent: {
      method: 'POST',
      path: '/v1/digests',
      body: { collection: 'col_1', callbackUrl: 'https://app.test/hook' },
    },
    headers: { prefer: 'respond-async' },
    answer: PENDING,
  },
  'digests.stream': {
    call: ({ digests }) => all(digests.stream({ documents: DOCUMENTS })),
    reply: { headers: STREAM, body: eventText(1, 'digest', DIGEST) },
    sent: { method: 'POST', path: '/v1/digests', body: { documents: DOCUMENTS } },
    headers: { accept: 'text/event-stream' },
    answer: [{ event: 'digest', id: 1, data: DIGEST }],
  },
  'digests.get': {
    call: ({ digests }) => digests.get('dig_1'),
    reply: { body: PENDING },
    sent: { method: 'GET', path: '/v1/digests/dig_1' },
    answer: PENDING,
  },
  'digests.wait': {
    call: ({ digests }) => digests.wait('dig_1'),
    reply: { headers: STREAM, body: eventText(7, 'digest', DIGEST) },
    sent: { method: 'GET', path: '/v1/digests/dig_1' },
    headers: { accept: 'text/event-stream' },
    answer: DIGEST,
  },
  'digests.cancel of a finished digest': {
    call: ({ digests }) => digests.cancel('dig_1'),
    reply: { body: DIGEST },
    sent: { method: 'GET', path: '/v1/digests/dig_1' },
    answer: DIGEST,
  },
  'digests.delete': {
    call: ({ digests }) => digests.delete('dig_1'),
    reply: { status: 204 },
    sent: { method: 'DELETE', path: '/v1/digests/dig_1' },
    answer: undefined,
  },
  'digests.list': {
    call: ({ digests }) => all(digests.list({ limit: 5, cursor: 'a b', status: 'queued' })),
    reply: { body: { digests: [PENDING], next: null } },
    sent: { method: 'GET', path: '/v1/digests?limit=5&cursor=a+b&status=queued' },
    answer: [PENDING],
  },
  'digests.map': {
    call: ({ digests }) => digests.map('dig_1', { dimensions: 2 }),
    reply: { body: { digest: 'dig_1', points: [] } },
    sent: { method: 'GET', path: '/v1/digests/dig_1/map?dimensions=2' },
    answer: { digest: 'dig_1', points: [] },
  },
  'digests.map of the usual dimensions': {
    call: ({ digests }) => digests.map('dig_1'),
    reply: { body: { digest: 'dig_1', points: [] } },
    sent: { method: 'GET', path: '/v1/digests/dig_1/map' },
    answer: { digest: 'dig_1', points: [] },
  },
  'digests.request': {
    call: ({ digests }) => digests.request('dig_1'),
    reply: { body: { digest: 'dig_1', documents: [] } },
    sent: { method: 'GET', path: '/v1/digests/dig_1/request' },
    answer: { digest: 'dig_1', documents: [] },
  },
  'digests.document': {
    call: ({ digests }) => digests.document('dig_1', 'a/b ü'),
    reply: { body: { id: 'a/b ü', text: 'Trams run.' } },
    sent: { method: 'GET', path: '/v1/digests/dig_1/documents/a%2Fb%20%C3%BC' },
    answer: { id: 'a/b ü', text: 'Trams run.' },
  },
  'selections.create': {
    call: ({ selections }) => selections.create({ items: [{ id: 'a', text: 'Trams run.' }] }),
    reply: { body: { selected: [] } },
    sent: { method: 'POST', path: '/v1/selections', body: { items: [{ id: 'a', text: 'Trams run.' }] } },
    answer: { selected: [] },
  },
  'evaluations.create': {
    call: ({ evaluations }) =>
      evaluations.create({ metric: 'summhay', bullets: [], insights: [{ id: 'a', text: 'Trams run.' }] }),
    reply: { body: { metric: 'summhay' } },
    sent: {
      method: 'POST',
      path: '/v1/evaluations',
      body: { metric: 'summhay', bullets: [], insights: [{ id: 'a', text: 'Trams run.' }] },
    },
    answer: { metric: 'summhay' },
  },
  'keyPoints.extract': {
    call: ({ keyPoints }) => keyPoints.extract({ documents: DOCUMENTS }),
    reply: { body: { keyPoints: [] } },
    sent: { method: 'POST', path: '/v1/key-points', body: { documents: DOCUMENTS } },
    answer: { keyPoints: [] },
  },
  'collections.create': {
    call: ({ collections }) => collections.create({ name: 'City' }),
    reply: { status: 201, body: COLLECTION },
    sent: { method: 'POST', path: '/v1/collections', body: { name: 'City' } },
    answer: COLLECTION,
  },
  'collections.create without a name': {
    call: ({ collections }) => collections.create(),
    reply: { status: 201, body: COLLECTION },
    sent: { method: 'POST', path: '/v1/collections', body: {} },
    answer: COLLECTION,
  },
  'collections.get': {
    call: ({ collections }) => collections.get('col_1'),
    reply: { body: COLLECTION },
    sent: { method: 'GET', path: '/v1/collections/col_1' },
    answer: COLLECTION,
  },
  'collections.list': {
    call: ({ collections }) => all(collections.list()),
    reply: { body: { collections: [COLLECTION], next: null } },
    sent: { method: 'GET', path: '/v1/collections' },
    answer: [COLLECTION],
  },
  'collections.delete': {
    call: ({ collections }) => collections.delete('col_1'),
    reply: { status: 204 },
    sent: { method: 'DELETE', path: '/v1/collections/col_1' },
    answer: undefined,
  },
  'collections.putDocument': {
    call: ({ collections }) => collections.putDocument('col_1', { id: 'a/b', text: 'Trams run.', title: 'T' }),
    reply: { status: 201, body: PUT },
    sent: {
      method: 'PUT',
      path: '/v1/collections/col_1/documents/a%2Fb',
      body: { text: 'Trams run.', title: 'T' },
    },
    answer: PUT,
  },
  'collections.getDocument': {
    call: ({ collections }) => collections.getDocument('col_1', 'ä?'),
    reply: { body: { ...PUT, text: 'Trams run.' } },
    sent: { method: 'GET', path: '/v1/collections/col_1/documents/%C3%A4%3F' },
    answer: { ...PUT, text: 'Trams run.' },
  },
  'collections.listDocuments': {
    call: ({ collections }) => all(collections.listDocuments('col_1', { limit: 1 })),
    reply: { body: { documents: [PUT], next: null } },
    sent: { method: 'GET', path: '/v1/collections/col_1/documents?limit=1' },
    answer: [PUT],
  },
  'collections.deleteDocument': {
    call: ({ collections }) => collections.deleteDocument('col_1', 'd1'),
    reply: { status: 204 },
    sent: { method: 'DELETE', path: '/v1/collections/col_1/documents/d1' },
    answer: undefined,
  },
};

const EXPERIMENT = { key: 'a', status: 'draft' };
const VARIANTS = ['b', 'c'].map((name) => ({ name, weight: 0.5 }));
const NEW: ExperimentInput = {
  key: 'a',
  hypothesis: 'h',
  variants: VARIANTS,
  metrics: [{ key: 'read', type: 'count', direction: 'increase' }],
};
const OUTCOMES = [{ eventId: 'e', subject: 's', metric: 'read', at: '2026-05-01T10:00:00Z' }];
const ofExperiment = (method: string, path: string, body?: unknown) => ({
  reply: { body: EXPERIMENT },
  sent: { method, path: `/v1/experiments${path}`, ...(body !== undefined && { body }) },
  answer: EXPERIMENT,
});

const EXPERIMENT_CASES: Readonly<Record<string, Case>> = {
  create: { call: ({ experiments }) => experiments.create(NEW), ...ofExperiment('POST', '', NEW) },
  get: { call: ({ experiments }) => experiments.get('a'), ...ofExperiment('GET', '/a') },
  'get, of a version': {
    call: ({ experiments }) => experiments.get('ä', { version: 2 }),
    ...ofExperiment('GET', '/%C3%A4?version=2'),
  },
  list: {
    call: ({ experiments }) => all(experiments.list({ limit: 2 })),
    reply: { body: { experiments: [EXPERIMENT], next: null } },
    sent: { method: 'GET', path: '/v1/experiments?limit=2' },
    answer: [EXPERIMENT],
  },
  update: {
    call: ({ experiments }) => experiments.update('a', { traffic: 0.5, newVersion: true }),
    ...ofExperiment('PUT', '/a', { traffic: 0.5, newVersion: true }),
  },
  start: { call: ({ experiments }) => experiments.start('a'), ...ofExperiment('POST', '/a/start', {}) },
  stop: { call: ({ experiments }) => experiments.stop('a'), ...ofExperiment('POST', '/a/stop', {}) },
  assignment: {
    call: ({ experiments }) => experiments.assignment('a', 'u 1&'),
    ...ofExperiment('GET', '/a/assignment?subject=u+1%26'),
  },
  expose: {
    call: ({ experiments }) => experiments.expose('a', 'u'),
    ...ofExperiment('POST', '/a/exposures', { subject: 'u' }),
  },
  recordOutcomes: {
    call: ({ experiments }) => experiments.recordOutcomes('a', OUTCOMES),
    ...ofExperiment('POST', '/a/outcomes', { outcomes: OUTCOMES }),
  },
  results: {
    call: ({ experiments }) => experiments.results('a', { version: 1, alpha: 0.1, correction: 'holm' }),
    ...ofExperiment('GET', '/a/results?version=1&alpha=0.1&correction=holm'),
  },
};

const ALL = { ...CASES, ...prefixed(EXPERIMENT_CASES) };

function prefixed(cases: typeof CASES): typeof CASES {
  return Object.fromEntries(Object.entries(cases).map(([name, each]) => [`experiments.${name}`, each]));
}

test.each(Object.entries(ALL))('%s sends its request and answers what came', async (_, each) => {
  const service = await ScriptedService.start(() => each.reply);
  expect(await each.call(createClient({ baseUrl: service.url, apiKey: KEY }))).toEqual(each.answer);
  expect(service.sent).toHaveLength(1);
  const [{ method, path, body, headers }] = service.sent;
  expect({ method, path, ...(body !== undefined && { body }) }).toEqual(each.sent);
  expect(headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...each.headers,
  });
  if (method === 'POST') expect(headers['idempotency-key']).toMatch(UUID);
  else expect(headers).not.toHaveProperty('idempotency-key');
  if (each.headers?.prefer === undefined) expect(headers).not.toHaveProperty('prefer');
});

test('without a key nothing is said of one, and a path of the base is kept', async () => {
  const service = await ScriptedService.start(() => ({ body: PENDING }));
  await createClient({ baseUrl: `${service.url}/tessera/` }).digests.get('dig_1');
  expect(service.sent[0].path).toBe('/tessera/v1/digests/dig_1');
  expect(service.sent[0].headers).not.toHaveProperty('authorization');
});

test("the caller's idempotency key is sent", async () => {
  const service = await ScriptedService.start(() => ({ status: 202, body: PENDING }));
  await createClient({ baseUrl: service.url }).digests.submit({ documents: DOCUMENTS }, { idempotencyKey: 'order-7' });
  expect(service.sent[0].headers['idempotency-key']).toBe('order-7');
});

test('a list is read page by page, from a cursor on, and every walk reads anew', async () => {
  const service = await ScriptedService.start(({ path }) => {
    const number = Number(new URL(path, 'http://x').searchParams.get('cursor') ?? 0);
    const digests = number === 1 ? [] : [{ id: `dig_${number}`, status: 'completed', createdAt: 'now' }];
    return { body: { digests, next: number < 3 ? String(number + 1) : null } };
  });
  const list = createClient({ baseUrl: service.url }).digests.list({ limit: 1 });
  expect((await all(list)).map(({ id }) => id)).toEqual(['dig_0', 'dig_2', 'dig_3']);
  expect((await all(list.pages())).map(({ items, next }) => [items.length, next])).toEqual([
    [1, '1'],
    [0, '2'],
    [1, '3'],
    [1, null],
  ]);
  expect(await all(createClient({ baseUrl: service.url }).digests.list({ cursor: '3' }))).toHaveLength(1);
  expect(service.sent).toHaveLength(9);
  // Who stops early reads no further page.
  for await (const { id } of list) if (id === 'dig_0') break;
  expect(service.sent).toHaveLength(10);
});

test.each(['', '.', '..'])('the id %j, which would name another resource, is not sent', async (id) => {
  const service = await ScriptedService.start(() => ({ status: 204 }));
  const { collections, digests } = createClient({ baseUrl: service.url });
  await expect(collections.deleteDocument('col_1', id)).rejects.toThrow(TypeError);
  await expect(collections.delete(id)).rejects.toThrow(TypeError);
  await expect(digests.delete(id)).rejects.toThrow(TypeError);
  await expect(digests.wait(id)).rejects.toThrow(TypeError);
  await expect(digests.map(id)).rejects.toThrow(TypeError);
  await expect(digests.request(id)).rejects.toThrow(TypeError);
  await expect(digests.document('dig_1', id)).rejects.toThrow(TypeError);
  await expect(all(collections.listDocuments(id))).rejects.toThrow(TypeError);
  expect(service.sent).toEqual([]);
});

test('cancel gives up a digest that is under way', async () => {
  const cancelled = { ...PENDING, status: 'cancelled' };
  const service = await ScriptedService.start(({ method }) => ({ body: method === 'GET' ? PENDING : cancelled }));
  expect(await createClient({ baseUrl: service.url }).digests.cancel('dig_1')).toEqual(cancelled);
  expect(service.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/digests/dig_1',
    'DELETE /v1/digests/dig_1',
  ]);
});

test('cancel answers alike where the answer was lost and the next attempt removed the digest', async () => {
  const replies: Reply[] = [{ body: PENDING }, { ...problem(502, 'bad-gateway') }, { status: 204 }];
  replies[1] = { ...replies[1], headers: { 'retry-after': '0' } };
  const service = await ScriptedService.start((_, index) => replies[index]);
  const state = await createClient({ baseUrl: service.url }).digests.cancel('dig_1');
  expect(state).toEqual({ ...PENDING, status: 'cancelled' });
});

test('delete removes what it had to cancel first', async () => {
  const service = await ScriptedService.start((_, index) =>
    index === 0 ? { body: { ...PENDING, status: 'cancelled' } } : { status: 204 },
  );
  await createClient({ baseUrl: service.url }).digests.delete('dig_1');
  expect(service.sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
});

test('a short time for an attempt has the service answer before', async () => {
  const service = await ScriptedService.start(() => ({ status: 201, body: DIGEST }));
  for (const timeoutMilliseconds of [20_000, 900, 150_000]) {
    await createClient({ baseUrl: service.url, timeoutMilliseconds }).digests.create({ documents: DOCUMENTS });
  }
  expect(service.sent.map(({ headers }) => headers.prefer)).toEqual(['wait=16', 'respond-async', undefined]);
});

test('fetch is called as a plain function, as some runtimes demand, and as it is at the time', async () => {
  const callers: unknown[] = [];
  const answer = async function (this: unknown): Promise<Response> {
    callers.push(this);
    return Response.json(PENDING);
  };
  await createClient({ baseUrl: 'http://service.test', fetch: answer }).digests.get('dig_1');
  expect(callers).toEqual([undefined]);
  const client = createClient({ baseUrl: 'http://service.test' });
  vi.stubGlobal('fetch', async () => Response.json(DIGEST));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  expect(await client.digests.get('dig_1')).toEqual(DIGEST);
});
