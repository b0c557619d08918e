import { OpenAPIHono } from '@hono/zod-openapi';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  collectionDocumentRequestSchema,
  collectionDocumentsSchema,
  collectionRequestSchema,
  collectionSchema,
  collectionsSchema,
  collectionTextSchema,
  type Problem,
  putDocumentSchema,
} from '../../../src/contract/index.ts';
import { problem, respond } from '../../../src/server/index.ts';
import { admission } from '../../../src/server/middleware/admission.ts';
import { jsonOnly } from '../../../src/server/middleware/json-only.ts';
import { problemOf } from '../../../src/server/problem.ts';
import { onInvalid } from '../../../src/server/respond.ts';
import { type CollectionDeps, collectionRoutes } from '../../../src/server/routes/collections.ts';
import type { ServiceEnv } from '../../../src/server/service-env.ts';
import { NotFoundError } from '../../../src/server/stored/not-found-error.ts';
import { CITY } from '../../support/documents.ts';
import { testDeps } from '../../support/test-deps.ts';

/** The routes alone, for callers who say in a header which tenant they are. */
function service(more: Pick<CollectionDeps, 'maxCollectionDocuments'> = {}) {
  const parts = testDeps();
  const app = new OpenAPIHono<ServiceEnv>({ defaultHook: onInvalid });
  app.onError((error) =>
    respond(error instanceof NotFoundError ? problem(404, error.code, 'Not found', error.message) : problemOf(error)),
  );
  app.notFound(() => respond(problem(404, 'no-route', 'Not found', 'No route matches this path.')));
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
  return { ask, make, parts, app: routed };
}

const at = (collection: string, document?: string): string =>
  `/v1/collections/${collection}/documents${document === undefined ? '' : `/${encodeURIComponent(document)}`}`;

type Service = ReturnType<typeof service>;
let ask: Service['ask'];
let make: Service['make'];
let parts: Service['parts'];
beforeEach(() => {
  ({ ask, make, parts } = service());
});

function pointers({ body }: { readonly body: Problem }): (string | undefined)[] {
  return body.errors?.map(({ pointer }) => pointer) ?? [];
}

describe('collections', () => {
  test('are made, read, listed and deleted', async () => {
    const made = await ask('POST', '/v1/collections', { name: 'Minutes' });
    expect(made.status).toBe(201);
    const collection = collectionSchema.parse(made.body);
    expect(collection).toMatchObject({
      id: expect.stringMatching(/^col_[0-9a-f]{32}$/),
      name: 'Minutes',
      documents: 0,
    });
    const location = String(made.headers.get('location'));
    expect(location).toBe(`/v1/collections/${collection.id}`);
    expect(await ask('GET', location)).toMatchObject({ status: 200, body: collection });
    const listed = await ask('GET', '/v1/collections');
    expect(listed.status).toBe(200);
    expect(collectionsSchema.parse(listed.body)).toEqual({ collections: [collection], next: null });
    expect(await ask('DELETE', location)).toMatchObject({ status: 204, body: null });
    expect(await ask('GET', location)).toMatchObject({ status: 404 });
    expect(await ask('DELETE', location)).toMatchObject({ status: 404 });
  });

  test('need no name', async () => {
    expect((await ask('POST', '/v1/collections', {})).body).toMatchObject({ name: null });
  });

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

  test('are listed by pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await make());
    const seen: string[] = [];
    let path: string | null = '/v1/collections?limit=2';
    for (let pages = 0; path !== null; pages++) {
      const { body } = await ask('GET', path);
      const { collections, next } = collectionsSchema.parse(body);
      seen.push(...collections.map(({ id }) => id));
      path = next === null ? null : `/v1/collections?limit=2&cursor=${next}`;
      expect(pages).toBeLessThan(3);
    }
    expect([...seen].sort()).toEqual([...ids].sort());
  });
});

describe('pages', () => {
  test.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=many', '/limit'],
    ['limit=', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['cursor=abc', '/cursor'],
    ['cursor=', '/cursor'],
    [`cursor=${'a'.repeat(4001)}`, '/cursor'],
    ['page=2', '/page'],
  ])('of %s are refused', async (query, pointer) => {
    const id = await make();
    for (const path of ['/v1/collections', at(id)]) {
      const refused = await ask('GET', `${path}?${query}`);
      expect(refused.status, path).toBe(422);
      expect(pointers(refused)).toEqual([pointer]);
    }
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

  test('that say nothing, and that cannot be read, say so', async () => {
    const id = await make();
    expect((await ask('PUT', at(id, 'a'), { text: '' })).body).toMatchObject({ status: 'empty', error: null });
    parts.engine.unreadable.add(text);
    const failed = await ask('PUT', at(id, 'b'), { text });
    expect(failed.status).toBe(201);
    expect(putDocumentSchema.parse(failed.body)).toMatchObject({
      status: 'failed',
      keyPoints: 0,
      error: { code: 'extraction-failed' },
    });
    expect((await ask('GET', at(id, 'b'))).body).toMatchObject({ text });
  });

  test('with the same text are not read again (P9)', async () => {
    const id = await make();
    await ask('PUT', at(id, 'a'), { text });
    parts.engine.extracted.length = 0;
    parts.engine.encoder.calls.length = 0;
    expect((await ask('PUT', at(id, 'a'), { text })).status).toBe(200);
    expect((await ask('PUT', at(await make(), 'b'), { text })).status).toBe(201);
    expect(parts.engine.extracted).toEqual([]);
    expect(parts.engine.encoder.calls).toEqual([]);
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

  test('may be called anything that an address can end with, and are told apart', async () => {
    const id = await make();
    const known = new Set<string>();
    const names = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((name) => name !== '.' && name !== '..' && name.length <= 200);
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { status, body } = await ask('PUT', at(id, name), { text: 'Trams run.' });
        expect({ status, name: body.id }).toEqual({ status: known.has(name) ? 200 : 201, name });
        known.add(name);
      }),
      { numRuns: 30 },
    );
    expect((await ask('GET', `/v1/collections/${id}`)).body).toMatchObject({ documents: known.size });
  });

  test('fit in up to a bound', async () => {
    const bounded = service({ maxCollectionDocuments: 2 });
    const id = await bounded.make();
    for (const name of ['a', 'b']) expect((await bounded.ask('PUT', at(id, name), { text })).status).toBe(201);
    const refused = await bounded.ask('PUT', at(id, 'c'), { text });
    expect(refused).toMatchObject({ status: 422, body: { type: 'urn:tessera:problem:collection-full' } });
    expect((await bounded.ask('PUT', at(id, 'b'), { text: 'Trams run.' })).status).toBe(200);
  });

  test('300 of them are listed once each, whatever the page', async () => {
    const id = await make();
    const names = Array.from({ length: 300 }, (_, i) => `d/${(i * 7919) % 1000}`);
    await Promise.all(names.map((name) => ask('PUT', at(id, name), { text: 'Trams run at night.' })));
    expect(parts.engine.extracted).toHaveLength(1);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: 100 }), async (limit) => {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          if (seen.length > names.length) throw new Error('the pages have no end');
          const { body } = await ask('GET', `${at(id)}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
          const page = collectionDocumentsSchema.parse(body);
          expect(page.documents.length).toBeGreaterThan(0);
          seen.push(...page.documents.map((document) => document.id));
          cursor = page.next;
        }
        expect(seen).toEqual([...names].sort());
      }),
      { numRuns: 8, examples: [[100]] },
    );
  });
});

describe('what is not there', () => {
  test('answers 404 on every route, alike for what is of another tenant', async () => {
    const foreign = await make('other', 'secret plans');
    await ask('PUT', at(foreign, 'd'), { text: 'Secret.' }, 'other');
    const own = await make();
    const before = await ask('GET', at(foreign, 'd'), undefined, 'other');
    for (const [method, path, body] of [
      ['GET', (id: string) => `/v1/collections/${id}`],
      ['DELETE', (id: string) => `/v1/collections/${id}`],
      ['GET', (id: string) => at(id)],
      ['PUT', (id: string) => at(id, 'd'), { text: 'Mine.' }],
      ['PUT', (id: string) => at(id, 'e'), { text: 'Mine.' }],
      ['GET', (id: string) => at(id, 'd')],
      ['DELETE', (id: string) => at(id, 'd')],
    ] as const) {
      const [unknown, others] = await Promise.all(['col_0', foreign].map((id) => ask(method, path(id), body)));
      expect(unknown, path('x')).toMatchObject({ status: 404, body: { type: 'urn:tessera:problem:not-found' } });
      expect(unknown.headers.get('content-type')).toBe('application/problem+json');
      expect({ ...others, headers: null }, path('x')).toEqual({ ...unknown, headers: null });
    }
    expect(parts.engine.extracted).toEqual(['Secret.']);
    for (const method of ['GET', 'DELETE']) expect((await ask(method, at(own, 'd'))).status).toBe(404);
    const { body: listed } = await ask('GET', '/v1/collections');
    expect(listed.collections.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect({ ...(await ask('GET', at(foreign, 'd'), undefined, 'other')), headers: null }).toEqual({
      ...before,
      headers: null,
    });
    expect((await ask('GET', `/v1/collections/${foreign}`, undefined, 'other')).body).toMatchObject({ documents: 1 });
  });

  test('of another tenant stays hidden behind its own cursors', async () => {
    for (let i = 0; i < 3; i++) await make('other');
    const { body } = await ask('GET', '/v1/collections?limit=1', undefined, 'other');
    const stolen = await ask('GET', `/v1/collections?cursor=${body.next}`);
    expect(stolen).toMatchObject({ status: 200, body: { collections: [], next: null } });
  });
});

describe('as documented', () => {
  test.each([
    ['CollectionRequest', collectionRequestSchema],
    ['Collection', collectionSchema],
    ['Collections', collectionsSchema],
    ['CollectionDocumentRequest', collectionDocumentRequestSchema],
    ['PutDocument', putDocumentSchema],
    ['CollectionDocumentWithText', collectionTextSchema],
    ['CollectionDocuments', collectionDocumentsSchema],
  ])('the example of %s is valid', async (name, schema) => {
    const { body: document } = await ask('GET', '/openapi.json');
    const { example } = document.components.schemas[name];
    expect(schema.parse(example)).toEqual(example);
    const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));
    ajv.addSchema(document, 'api');
    const check = ajv.compile({ $ref: `api#/components/schemas/${name}` });
    expect(check(example), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...example, surely: 'unknown' })).toBe(false);
  });

  test('the examples are served, and every answer is documented', async () => {
    const { body: document } = await ask('GET', '/openapi.json');
    const { schemas } = document.components;
    const made = await ask('POST', '/v1/collections', schemas.CollectionRequest.example);
    const put = await ask('PUT', at(made.body.id, 'minutes'), schemas.CollectionDocumentRequest.example);
    const { characters, keyPoints } = schemas.PutDocument.example;
    expect(put).toMatchObject({ status: 201, body: { characters, keyPoints, status: 'ok' } });
    const statuses = Object.fromEntries(
      Object.entries<Record<string, { responses: object }>>(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => [`${method} ${path}`, Object.keys(responses).sort()]),
      ),
    );
    const collection = '/v1/collections/{id}';
    const always = ['401', '403', '429', '431', '500'];
    const body = ['400', '413', '415', '507'];
    for (const [route, expected] of [
      ['post /v1/collections', ['201', ...body, '409', '422']],
      ['get /v1/collections', ['200', '422']],
      [`get ${collection}`, ['200', '404']],
      [`delete ${collection}`, ['204', '404', '507']],
      [`get ${collection}/documents`, ['200', '404', '422']],
      [`put ${collection}/documents/{documentId}`, ['200', '201', '404', ...body, '422', '503']],
      [`get ${collection}/documents/{documentId}`, ['200', '404', '422']],
      [`delete ${collection}/documents/{documentId}`, ['204', '404', '422', '507']],
    ] as const) {
      expect(statuses[route], route).toEqual([...expected, ...always].sort());
    }
    expect(Object.keys(statuses)).toHaveLength(8);
  });
});
