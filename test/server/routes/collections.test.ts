import { expect, test } from 'vitest';
import {
  collectionDocumentsSchema,
  collectionTextSchema,
  problemSchema,
  putDocumentSchema,
  putDocumentsSchema,
} from '../../../src/contract/index.ts';
import { WORK_HERE } from '../../../src/server/service-deps.ts';
import { CITY } from '../../support/documents.ts';
import { idIn } from '../../support/keyed-service.ts';
import { eventsIn } from '../../support/model-app.ts';
import { TEST_LIMITS, type TestOptions, testApp } from '../../support/test-deps.ts';

/** A service with a collection, and calls of its documents. */
async function service() {
  const { app, post } = testApp();
  const id = await idIn(await post('/v1/collections', {}));
  const ask = async (method: string, document: string | null = null, body?: unknown) => {
    const path = `/v1/collections/${id}/documents${document === null ? '' : `/${encodeURIComponent(document)}`}`;
    const headers = { 'content-type': 'application/json' };
    const response = await app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const told = await response.text();
    return { status: response.status, body: told === '' ? null : JSON.parse(told) };
  };
  const count = async () => Object(await (await app.request(`/v1/collections/${id}`)).json()).documents;
  return { ask, count };
}

const [{ text, title, publishedAt }] = CITY;
const full = { title, url: 'https://example.org/a', publishedAt, weight: 0.5, text };

test('documents are put, replaced, read, listed and deleted', async () => {
  const { ask, count } = await service();
  const put = await ask('PUT', 'council', full);
  expect(put.status).toBe(201);
  const { status, error, ...said } = putDocumentSchema.parse(put.body);
  expect({ status, error }).toEqual({ status: 'ok', error: null });
  const { text: _, ...fields } = full;
  expect(said).toMatchObject({ id: 'council', ...fields, characters: text.length });
  expect(said.keyPoints).toBeGreaterThan(3);
  expect(await ask('PUT', 'council', full)).toMatchObject({ status: 200, body: { keyPoints: said.keyPoints } });
  expect(collectionTextSchema.parse((await ask('GET', 'council')).body)).toMatchObject({ id: 'council', ...full });
  expect(await ask('PUT', 'council', { text: 'Trams run.' })).toMatchObject({ status: 200, body: { characters: 10 } });
  expect(collectionDocumentsSchema.parse((await ask('GET')).body)).toEqual({
    documents: [{ id: 'council', characters: 10, keyPoints: 1, updatedAt: expect.any(String) }],
    next: null,
  });
  expect(await count()).toBe(1);
  expect(await ask('DELETE', 'council')).toMatchObject({ status: 204, body: null });
  for (const method of ['GET', 'DELETE']) expect((await ask(method, 'council')).status).toBe(404);
  expect(await count()).toBe(0);
});

test('a list of documents is put as one by one, all or none, with events for who asks', async () => {
  const { ask } = await service();
  const documents = CITY.map(({ id, text }) => ({ id, text }));
  await ask('PUT', CITY[0].id, { text: 'Trams run.' });
  const put = await ask('POST', null, { documents: [...documents, { id: 'blank', text: '—' }] });
  const { documents: told } = putDocumentsSchema.parse(put.body);
  expect(told.map(({ id, status, isNew }) => [id, status, isNew])).toEqual([
    ...documents.map(({ id }, n) => [id, 'ok', n > 0]),
    ['blank', 'empty', true],
  ]);
  const alone = await service();
  for (const { id, text } of documents) {
    const { status, error, ...one } = (await alone.ask('PUT', id, { text })).body;
    const { isNew: _, ...same } = told.find((each) => each.id === id) ?? {};
    expect({ ...one, status, error, updatedAt: '' }).toEqual({ ...same, updatedAt: '' });
  }
  const refused = await ask('POST', null, {
    documents: [
      { id: 'fine', text: 'Trams run.' },
      { id: 'long', text: 3 },
    ],
  });
  expect([refused.status, (await ask('GET', 'fine')).status]).toEqual([422, 404]);
});

test('events tell how far a list of documents is, and end with what came of it', async () => {
  const { app, post } = testApp();
  const path = `/v1/collections/${await idIn(await post('/v1/collections', {}))}/documents`;
  const documents = CITY.map(({ id, text }) => ({ id, text }));
  const response = await post(path, { documents }, { accept: 'text/event-stream' });
  const events = eventsIn(await response.text());
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['progress', 'documents']));
  const { documents: told } = putDocumentsSchema.parse(events.at(-1)?.data);
  expect(told.map(({ id }) => id)).toEqual(documents.map(({ id }) => id));
  expect((await (await app.request(path)).json()).documents).toHaveLength(documents.length);
});

/** A service with a collection, and a put of lines into it. */
async function lineService(options: TestOptions = {}) {
  const { app, post, parts } = testApp(options);
  const path = `/v1/collections/${await idIn(await post('/v1/collections', {}))}/documents`;
  const put = (body: string, headers = {}) => post(path, body, { 'content-type': 'application/x-ndjson', ...headers });
  const listed = async () => (await (await app.request(path)).json()).documents;
  return { post, path, put, listed, parts };
}

const inLines = (documents: readonly object[]) => documents.map((each) => JSON.stringify(each)).join('\n');

test('documents are put one a line as in a list, with blank lines, events and a key', async () => {
  const documents = CITY.map(({ id, text, title }) => ({ id, text, title }));
  const list = await lineService();
  const { documents: expected } = await (await list.post(list.path, { documents })).json();
  const { put, listed, parts } = await lineService();
  const body = `\ufeff\r\n${inLines(documents).replaceAll('\n', '\r\n \n')}\n`;
  const type = { 'content-type': 'Application/X-NDJSON; charset=utf-8' };
  const events = eventsIn(await (await put(body, { ...type, accept: 'text/event-stream' })).text());
  expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['progress', 'documents']));
  const sameTime = (rows: object[]) => rows.map((row) => ({ ...row, updatedAt: '' }));
  const { documents: told } = putDocumentsSchema.parse(events.at(-1)?.data);
  expect(sameTime(told)).toEqual(sameTime(expected));
  expect(await listed()).toHaveLength(documents.length);

  const key = { 'idempotency-key': 'k-1' };
  const first = await put(body, key);
  const again = await put(body, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.text()).toBe(await first.text());
  expect((await put(inLines(documents), key)).status).toBe(422);
  expect(parts.errors).toEqual([]);
});

const LINE = '{"id":"fine","text":"Trams run."}';
const SMALL = { ...TEST_LIMITS, documents: 2, documentCharacters: 10 };

test.each<[string, string, number, string, string?]>([
  ['is no JSON', `${LINE}\n\n{"id":"b",\n"text":"c"}`, 400, 'Line 3 is not valid JSON.'],
  ['holds two documents', `${LINE} ${LINE}`, 400, 'Line 1 is not valid JSON.'],
  ['lacks its text', `\n${LINE}\n\n{"id":"b"}`, 422, 'is missing (line 4)', '/documents/1/text'],
  [
    'has an unknown field',
    `{"id":"b","text":"c","tags":[]}`,
    422,
    'is not a known field (line 1)',
    '/documents/0/tags',
  ],
  ['has the id of another', `${LINE}\n\n${LINE}`, 422, 'is a duplicate id (line 3)', '/documents/1/id'],
  ['is a list', `[${LINE}]\n${LINE}`, 422, 'must be an object (line 1)', '/documents/0'],
  ['is too long', `${LINE}\n{"id":"b","text":"12345678901"}`, 422, 'at most 10 are read (line 2)', '/documents/1/text'],
  ['is not fetched', `${LINE}\n{"id":"b","url":"https://a.example"}`, 422, '(line 2)', '/documents/1/url'],
  ['is one too many', `${LINE}\n{"id":"b","text":"c"}\n{"id":"d","text":"e"}`, 422, 'at most 2 are', '/documents'],
  ['is blank, and all others', '\n \n', 422, 'must have at least 1 entry', '/documents'],
  ['is one of too many', '\n'.repeat(100_001), 422, 'at most 100000 lines'],
  ['has too many fields', `${LINE}\n{"id":"b","tags":[${'0,'.repeat(100_000)}0]}`, 422, 'at most 100000 fields'],
  ['fills the body', `${LINE}\n${' '.repeat(1_000_000)}`, 413, 'at most 1000000 bytes'],
])('of lines of which one %s, none is put', async (_, body, status, detail, pointer) => {
  const { put, listed, parts } = await lineService({ maxBodyBytes: 1_000_000, app: { limits: SMALL } });
  const refused = await put(body);
  const { errors, ...problem } = problemSchema.parse(await refused.json());
  expect([refused.status, problem.status, problem.detail]).toEqual([status, status, expect.stringContaining(detail)]);
  expect(errors?.[0].pointer).toBe(pointer);
  expect([await listed(), parts.errors]).toEqual([[], []]);
});

test('the contract has an example of lines, and it is taken; other routes take none', async () => {
  const { app } = testApp();
  const { paths } = Object(await (await app.request('/openapi.json')).json());
  const { required, content } = paths['/v1/collections/{id}/documents'].post.requestBody;
  expect([required, Object.keys(content)]).toEqual([true, ['application/json', 'application/x-ndjson']]);
  const { example } = content['application/x-ndjson'];
  const { put, listed, post } = await lineService();
  expect((await put(example)).status).toBe(200);
  expect(await listed()).toHaveLength(2);
  for (const address of ['/v1/digests', '/v1/collections', '/mcp']) {
    expect((await post(address, example, { 'content-type': 'application/x-ndjson' })).status).toBe(415);
  }
});

test('more documents than a collection may hold are refused, and none of them is put', async () => {
  const { app, post } = testApp({ app: { maxCollectionDocuments: 2 } });
  const path = `/v1/collections/${await idIn(await post('/v1/collections', {}))}/documents`;
  const put = (...ids: string[]) => post(path, { documents: ids.map((id) => ({ id, text: 'Trams run.' })) });
  expect((await put('a', 'b')).status).toBe(200);
  expect([(await put('b', 'c')).status, (await put('a', 'b')).status]).toEqual([422, 200]);
  expect((await (await app.request(path)).json()).documents.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']);
});

test.each([
  ['no text', {}, '/text'],
  ['an id in the body', { id: 'a', text: 'a' }, '/id'],
  ['an unknown field', { text: 'a', tags: [] }, '/tags'],
  ['half a character', { text: 'a\udc00' }, '/text'],
  ['a long text', { text: 'a'.repeat(2_000_001) }, '/text'],
  ['a bad address', { text: 'a', url: 'nowhere' }, '/url'],
  ['a bad date', { text: 'a', publishedAt: '2026-02-30' }, '/publishedAt'],
  ['a bad weight', { text: 'a', weight: 0 }, '/weight'],
])('a document with %s is refused', async (_, body, pointer) => {
  const { ask, count } = await service();
  const refused = await ask('PUT', 'a', body);
  expect([refused.status, refused.body.errors[0].pointer, await count()]).toEqual([422, pointer, 0]);
});

test.each([
  'a/b',
  'é',
  '?',
  '#',
  '%',
  '%2F',
  'a b',
  '+',
  '\\',
  '\n',
  '\0',
  '😀',
  '...',
  '{id}',
  ':id',
  '*',
  'ﬁ',
  'e\u0301',
  'ä'.repeat(200),
])('a document may be called %j', async (name) => {
  const { ask } = await service();
  expect(await ask('PUT', name, { text })).toMatchObject({ status: 201, body: { id: name } });
  expect(await ask('GET', name)).toMatchObject({ status: 200, body: { id: name } });
  expect((await ask('GET')).body.documents).toMatchObject([{ id: name }]);
  expect((await ask('DELETE', name)).status).toBe(204);
});

test('a caller who leaves while a document is processed ends that, and puts nothing', async () => {
  const leaving = new AbortController();
  const prepareDocuments: typeof WORK_HERE.prepareDocuments = async (_, __, ___, signal) => {
    leaving.abort();
    signal?.throwIfAborted();
    throw new Error('the work goes on');
  };
  const { app, post, parts } = testApp({ app: { work: { ...WORK_HERE, prepareDocuments } } });
  const path = `/v1/collections/${await idIn(await post('/v1/collections', {}))}`;
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(full) };
  const left = await app.request(`${path}/documents/a`, { ...put, signal: leaving.signal });
  expect({ status: left.status, errors: parts.errors }).toEqual({ status: 499, errors: [] });
  expect(await (await app.request(path)).json()).toMatchObject({ documents: 0 });
});
