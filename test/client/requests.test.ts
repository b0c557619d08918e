import { expect, onTestFinished, test, vi } from 'vitest';
import { type Client, createClient, type ExperimentInput, ValidationError } from '../../src/client/index.ts';
import { DIGEST, eventText, PENDING, problem, type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const KEY = 'tsr_live_0123456789abcdef';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DOCUMENTS = [{ id: 'd1', text: 'Trams run.' }];

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const NEW: ExperimentInput = {
  key: 'a',
  hypothesis: 'h',
  variants: ['b', 'c'].map((name) => ({ name, weight: 0.5 })),
  metrics: [{ key: 'read', type: 'count', direction: 'increase' }],
};
const OUTCOMES = [{ eventId: 'e', subject: 's', metric: 'read', at: '2026-05-01T10:00:00Z' }];
const ITEMS = [{ id: 'a', text: 'Trams run.' }];
const ASKED = { documents: DOCUMENTS, intent: 'Trams?' };
const LATER = { collection: 'col_1', callbackUrl: 'https://app.test/hook' };
const SCORED = { metric: 'summhay', bullets: [], insights: ITEMS } as const;
const CHANGE = { traffic: 0.5, newVersion: true };

/** A call by what it sends: the request line, and its body if it has one. */
type Case = [sent: string, call: (client: Client) => Promise<unknown>, body?: unknown];

const CASES: readonly Case[] = [
  ['POST /v1/digests', ({ digests }) => digests.create(ASKED), ASKED],
  ['GET /v1/digests/dig_1', ({ digests }) => digests.get('dig_1')],
  ['GET /v1/digests/dig_1', ({ digests }) => digests.cancel('dig_1')], // which is finished
  ['DELETE /v1/digests/dig_1', ({ digests }) => digests.delete('dig_1')],
  [
    'GET /v1/digests?limit=5&cursor=a+b&status=queued',
    ({ digests }) => all(digests.list({ limit: 5, cursor: 'a b', status: 'queued' })),
  ],
  ['GET /v1/digests/dig_1/request', ({ digests }) => digests.request('dig_1')],
  ['GET /v1/digests/dig_1/documents/a%2Fb%20%C3%BC', ({ digests }) => digests.document('dig_1', 'a/b ü')],
  ['POST /v1/selections', ({ selections }) => selections.create({ items: ITEMS }), { items: ITEMS }],
  ['POST /v1/evaluations', ({ evaluations }) => evaluations.create(SCORED), SCORED],
  ['POST /v1/key-points', ({ keyPoints }) => keyPoints.extract({ documents: DOCUMENTS }), { documents: DOCUMENTS }],
  ['POST /v1/collections', ({ collections }) => collections.create({ name: 'City' }), { name: 'City' }],
  ['POST /v1/collections', ({ collections }) => collections.create(), {}],
  ['GET /v1/collections/col_1', ({ collections }) => collections.get('col_1')],
  ['GET /v1/collections', ({ collections }) => all(collections.list())],
  ['DELETE /v1/collections/col_1', ({ collections }) => collections.delete('col_1')],
  [
    'PUT /v1/collections/col_1/documents/a%2Fb',
    ({ collections }) => collections.putDocument('col_1', { id: 'a/b', text: 'Trams run.', title: 'T' }),
    { text: 'Trams run.', title: 'T' },
  ],
  [
    'POST /v1/collections/col_1/documents',
    ({ collections }) => collections.putDocuments('col_1', [{ id: 'a', text: 'Trams run.' }]),
    { documents: [{ id: 'a', text: 'Trams run.' }] },
  ],
  ['GET /v1/collections/col_1/documents/%C3%A4%3F', ({ collections }) => collections.getDocument('col_1', 'ä?')],
  [
    'GET /v1/collections/col_1/documents?limit=1',
    ({ collections }) => all(collections.listDocuments('col_1', { limit: 1 })),
  ],
  ['DELETE /v1/collections/col_1/documents/d1', ({ collections }) => collections.deleteDocument('col_1', 'd1')],
  ['POST /v1/experiments', ({ experiments }) => experiments.create(NEW), NEW],
  ['GET /v1/experiments/a', ({ experiments }) => experiments.get('a')],
  ['GET /v1/experiments/%C3%A4?version=2', ({ experiments }) => experiments.get('ä', { version: 2 })],
  ['GET /v1/experiments?limit=2', ({ experiments }) => all(experiments.list({ limit: 2 }))],
  ['PUT /v1/experiments/a', ({ experiments }) => experiments.update('a', CHANGE), CHANGE],
  ['POST /v1/experiments/a/start', ({ experiments }) => experiments.start('a'), {}],
  ['POST /v1/experiments/a/stop', ({ experiments }) => experiments.stop('a'), {}],
  ['GET /v1/experiments/a/assignment?subject=u+1%26', ({ experiments }) => experiments.assignment('a', 'u 1&')],
  ['POST /v1/experiments/a/exposures', ({ experiments }) => experiments.expose('a', 'u'), { subject: 'u' }],
  [
    'POST /v1/experiments/a/outcomes',
    ({ experiments }) => experiments.recordOutcomes('a', OUTCOMES),
    { outcomes: OUTCOMES },
  ],
  [
    'GET /v1/experiments/a/results?version=1&alpha=0.1&correction=holm',
    ({ experiments }) => experiments.results('a', { version: 1, alpha: 0.1, correction: 'holm' }),
  ],
  [
    'POST /v1/subscriptions',
    ({ subscriptions }) => subscriptions.create({ collection: 'col_1', intent: 'New?', engine: { writer: 'compose' } }),
    { collection: 'col_1', intent: 'New?', engine: { writer: 'compose' } },
  ],
  ['GET /v1/subscriptions/sub_1', ({ subscriptions }) => subscriptions.get('sub_1')],
  ['GET /v1/subscriptions?limit=1', ({ subscriptions }) => all(subscriptions.list({ limit: 1 }))],
  [
    'PATCH /v1/subscriptions/sub_1',
    ({ subscriptions }) => subscriptions.update('sub_1', { state: 'paused' }),
    { state: 'paused' },
  ],
  ['DELETE /v1/subscriptions/sub_1', ({ subscriptions }) => subscriptions.delete('sub_1')],
  ['GET /v1/webhooks?status=failed', ({ webhooks }) => all(webhooks.list({ status: 'failed' }))],
  ['POST /v1/webhooks/msg_1/retry', ({ webhooks }) => webhooks.retry('msg_1'), {}],
];

/** An answer that any call understands. */
const LISTS = ['digests', 'collections', 'documents', 'experiments', 'subscriptions', 'webhooks'].map((field) => [
  field,
  [PENDING],
]);
const ANSWER = { ...DIGEST, ...Object.fromEntries(LISTS), next: null };

test.each<Case>(CASES)('%s', async (sent, call, body) => {
  const isDelete = sent.startsWith('DELETE');
  const service = await ScriptedService.start(() => (isDelete ? { status: 204 } : { body: ANSWER }));
  const answer = await call(createClient({ baseUrl: service.url, apiKey: KEY }));
  expect(answer).toEqual(isDelete ? undefined : Array.isArray(answer) ? [PENDING] : ANSWER);
  expect(service.sent).toHaveLength(1);
  const [{ method, path, headers, ...rest }] = service.sent;
  expect([`${method} ${path}`, rest.body]).toEqual([sent, body]);
  expect(headers).toMatchObject({
    authorization: `Bearer ${KEY}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  });
  if (method === 'POST') expect(headers['idempotency-key']).toMatch(UUID);
  else expect(headers).not.toHaveProperty('idempotency-key');
  expect(headers).not.toHaveProperty('prefer');
});

test('documents are put with progress, by one POST whose end is the answer', async () => {
  const progress = { stage: 'encode', done: 1, total: 2 };
  const answer = { documents: [PENDING] };
  const events = [eventText(1, 'progress', progress), eventText(2, 'weather', {}), eventText(3, 'documents', answer)];
  const service = await ScriptedService.start(() => ({ headers: STREAM, body: events.join('') }));
  const { collections } = createClient({ baseUrl: service.url });
  const onProgress = vi.fn();
  expect(await collections.putDocuments('col_1', ITEMS, { onProgress })).toEqual(answer);
  expect(onProgress.mock.calls).toEqual([[progress]]);
  expect(service.sent).toMatchObject([{ headers: { accept: 'text/event-stream' }, body: { documents: ITEMS } }]);
  // With a key, the service would send the events only at the end.
  expect(service.sent[0].headers).not.toHaveProperty('idempotency-key');
});

test('a refusal that a stream tells is the same error as one that is answered', async () => {
  const told = { type: 'about:blank', title: 'Collection full', status: 422, code: 'collection-full' };
  const events = eventText(1, 'error', told);
  const service = await ScriptedService.start(() => ({ headers: STREAM, body: events }));
  const { collections } = createClient({ baseUrl: service.url });
  const put = collections.putDocuments('col_1', ITEMS, { onProgress: () => {} });
  await expect(put).rejects.toBeInstanceOf(ValidationError);
  await expect(put).rejects.toMatchObject({ status: 422, problem: told });
});

test('without a key nothing is said of one, and a path of the base is kept', async () => {
  const service = await ScriptedService.start(() => ({ body: PENDING }));
  await createClient({ baseUrl: `${service.url}/tessera/` }).digests.get('dig_1');
  expect(service.sent[0].path).toBe('/tessera/v1/digests/dig_1');
  expect(service.sent[0].headers).not.toHaveProperty('authorization');
});

test("a digest is only asked for, with the caller's idempotency key", async () => {
  const service = await ScriptedService.start(() => ({ status: 202, body: PENDING }));
  const { digests } = createClient({ baseUrl: service.url });
  expect(await digests.submit(LATER, { idempotencyKey: 'order-7' })).toEqual(PENDING);
  expect(service.sent).toMatchObject([
    { headers: { 'idempotency-key': 'order-7', prefer: 'respond-async' }, body: LATER },
  ]);
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

test('selecting from a digest anew sends no idempotency key unless it is given, as it makes nothing, and is tried again all the same', async () => {
  const unready: Reply = { status: 503, body: {}, headers: { 'retry-after': '0' } };
  const service = await ScriptedService.start((_, index) => (index === 0 ? unready : { body: { selected: [] } }));
  const { selections } = createClient({ baseUrl: service.url });
  await selections.create({ digest: 'dig_1' });
  await selections.create({ digest: 'dig_1' }, { idempotencyKey: 'order-7' });
  const keys = service.sent.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([undefined, undefined, 'order-7']);
});
