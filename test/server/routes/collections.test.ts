import { OpenAPIHono } from '@hono/zod-openapi';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  collectionDocumentsSchema,
  collectionTextSchema,
  type Problem,
  putDocumentSchema,
} from '../../../src/contract/index.ts';
import { admission } from '../../../src/server/middleware/admission.ts';
import { jsonOnly } from '../../../src/server/middleware/bodies.ts';
import { onInvalid, problemOf, respond } from '../../../src/server/problem.ts';
import { type CollectionDeps, collectionRoutes } from '../../../src/server/routes/collections.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { CITY } from '../../support/documents.ts';
import { testDeps } from '../../support/test-deps.ts';

/** The routes alone, for callers who say in a header which tenant they are. */
function service(more: Pick<CollectionDeps, 'maxCollectionDocuments'> = {}) {
  const parts = testDeps();
  const app = new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid });
  app.onError((error) => respond(problemOf(error)));
  app.use(async (context, next) => {
    const tenant = context.req.header('x-tenant') ?? 'own';
    context.set('requestId', 'req_1');
    context.set('caller', { tenant, key: `key of ${tenant}`, scopes: ['digests'] });
    await next();
  });
  app.use(jsonOnly);
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'Collections', version: '0' } });
  const routed = app.route('/', collectionRoutes({ ...parts, ...more }, admission({ concurrency: 4, most: 60_000 })));

  /** Asks; `body` where there is one. */
  async function ask(method: string, path: string, body?: unknown, tenant = 'own') {
    const response = await routed.request(path, {
      method,
      headers: { 'x-tenant': tenant, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const told = await response.text();
    return { status: response.status, headers: response.headers, body: told === '' ? null : JSON.parse(told) };
  }
  async function make(tenant = 'own', name?: string): Promise<string> {
    const { status, body } = await ask('POST', '/v1/collections', { ...(name !== undefined && { name }) }, tenant);
    expect(status).toBe(201);
    return body.id;
  }
  return { ask, make, app: routed };
}

const at = (collection: string, document?: string): string =>
  `/v1/collections/${collection}/documents${document === undefined ? '' : `/${encodeURIComponent(document)}`}`;

type Service = ReturnType<typeof service>;
let ask: Service['ask'];
let make: Service['make'];
beforeEach(() => {
  ({ ask, make } = service());
});

function pointers({ body }: { readonly body: Problem }): (string | undefined)[] {
  return body.errors?.map(({ pointer }) => pointer) ?? [];
}

describe('collections', () => {
  test.each([
    ['an unknown field', { title: 'x' }, '/title'],
    ['no name in it', { name: '' }, '/name'],
    ['a long name', { name: 'x'.repeat(201) }, '/name'],
    ['half a character', { name: 'a\ud800' }, '/name'],
    ['another kind', { name: 3 }, '/name'],
    ['no object', [], ''],
  ])('are refused with %s', async (_, body, pointer) => {
    const refused = await ask('POST', '/v1/collections', body);
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(pointers(refused)).toEqual([pointer]);
  });
});

describe('documents', () => {
  const [{ text, title, publishedAt }] = CITY;
  const full = { title, url: 'https://example.org/a', publishedAt, weight: 0.5, text };

  test('are put, replaced, read, listed and deleted', async () => {
    const id = await make();
    const path = at(id, 'council');
    const put = await ask('PUT', path, full);
    expect(put.status).toBe(201);
    const { status, error, ...said } = putDocumentSchema.parse(put.body);
    expect({ status, error }).toEqual({ status: 'ok', error: null });
    const { text: _, ...fields } = full;
    expect(said).toMatchObject({ id: 'council', ...fields, characters: text.length });
    expect(said.keyPoints).toBeGreaterThan(3);
    expect(await ask('PUT', path, full)).toMatchObject({ status: 200, body: { keyPoints: said.keyPoints } });
    const { body: read } = await ask('GET', path);
    expect(collectionTextSchema.parse(read)).toMatchObject({ id: 'council', ...full });

    expect(await ask('PUT', path, { text: 'Trams run.' })).toMatchObject({ status: 200, body: { characters: 10 } });
    const { body: listed } = await ask('GET', at(id));
    expect(collectionDocumentsSchema.parse(listed)).toEqual({
      documents: [{ id: 'council', characters: 10, keyPoints: 1, updatedAt: expect.any(String) }],
      next: null,
    });
    expect((await ask('GET', `/v1/collections/${id}`)).body).toMatchObject({ documents: 1 });
    expect(await ask('DELETE', path)).toMatchObject({ status: 204, body: null });
    for (const method of ['GET', 'DELETE']) expect((await ask(method, path)).status).toBe(404);
    expect((await ask('GET', `/v1/collections/${id}`)).body).toMatchObject({ documents: 0 });
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
  ])('are refused with %s', async (_, body, pointer) => {
    const id = await make();
    const refused = await ask('PUT', at(id, 'a'), body);
    expect(refused.status).toBe(422);
    expect(pointers(refused)).toEqual([pointer]);
    expect((await ask('GET', at(id))).body).toMatchObject({ documents: [] });
  });

  test('have ids of at most 200 characters', async () => {
    const id = await make();
    expect((await ask('PUT', at(id, 'ä'.repeat(200)), { text })).status).toBe(201);
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const refused = await ask(method, at(id, 'ä'.repeat(201)), method === 'PUT' ? { text } : undefined);
      expect(refused.status).toBe(422);
      expect(pointers(refused)).toEqual(['/documentId']);
    }
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
  ])('may be called %j', async (name) => {
    const id = await make();
    expect(await ask('PUT', at(id, name), { text })).toMatchObject({ status: 201, body: { id: name } });
    expect(await ask('GET', at(id, name))).toMatchObject({ status: 200, body: { id: name } });
    expect((await ask('GET', at(id))).body.documents).toMatchObject([{ id: name }]);
    expect((await ask('DELETE', at(id, name))).status).toBe(204);
  });
});
