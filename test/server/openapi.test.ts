import { describe, expect, test } from 'vitest';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import { problemSchema } from '../../src/contract/index.ts';
import { EVALUATION_EXAMPLES } from '../../src/evaluation/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { type JsonSchema, misfits, resolveRef } from '../support/json-schema.ts';
import { testApp } from '../support/test-deps.ts';

interface Operation {
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: JsonSchema }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: JsonSchema }> }>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

async function published() {
  const service = testApp();
  const response = await service.app.request('/openapi.json');
  expect(response.status).toBe(200);
  return { ...service, document: (await response.json()) as OpenApi };
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refsIn(item)));
}

function schemaOf(operation: Operation, status: number, type = 'application/json'): JsonSchema {
  const schema = operation.responses[status]?.content?.[type]?.schema;
  if (schema === undefined) throw new Error(`${status} with ${type} is not documented`);
  return schema;
}

test('is OpenAPI 3.1 and names every route', async () => {
  const { document } = await published();
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.info.title).toBe('Tessera');
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((m) => `${m} ${path}`),
  );
  expect(routes.sort()).toEqual([
    'delete /v1/collections/{id}',
    'delete /v1/collections/{id}/documents/{documentId}',
    'delete /v1/digests/{id}',
    'get /healthz',
    'get /metrics',
    'get /readyz',
    'get /v1/collections',
    'get /v1/collections/{id}',
    'get /v1/collections/{id}/documents',
    'get /v1/collections/{id}/documents/{documentId}',
    'get /v1/digests',
    'get /v1/digests/{id}',
    'get /v1/digests/{id}/documents/{documentId}',
    'get /v1/digests/{id}/map',
    'get /v1/digests/{id}/request',
    'get /v1/experiments',
    'get /v1/experiments/{key}',
    'get /v1/experiments/{key}/assignment',
    'get /v1/experiments/{key}/results',
    'get /v1/webhooks',
    'post /v1/collections',
    'post /v1/digests',
    'post /v1/digests/{id}/retry',
    'post /v1/evaluations',
    'post /v1/experiments',
    'post /v1/experiments/{key}/exposures',
    'post /v1/experiments/{key}/outcomes',
    'post /v1/experiments/{key}/start',
    'post /v1/experiments/{key}/stop',
    'post /v1/key-points',
    'post /v1/selections',
    'post /v1/webhooks/{id}/retry',
    'put /v1/collections/{id}/documents/{documentId}',
    'put /v1/experiments/{key}',
  ]);
});

test('every $ref resolves', async () => {
  const { document } = await published();
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(5);
  for (const ref of refs) expect(resolveRef(document, ref), ref).toBeTypeOf('object');
});

test('every documented route is there', async () => {
  const { document, app } = await published();
  expect(await (await app.request('/v1/nowhere')).text()).toContain('No route matches this path.');
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const response = await app.request(
        path.replace('{id}', 'dig_0').replace('{documentId}', 'a').replace('{key}', 'none'),
        {
          method: method.toUpperCase(),
          ...(operation.requestBody && { headers: { 'content-type': 'application/json' }, body: '{}' }),
        },
      );
      expect(Object.keys(operation.responses), `${method} ${path}`).toContain(String(response.status));
      expect(await response.text(), `${method} ${path}`).not.toContain('No route matches this path.');
    }
  }
});

describe('answers are as documented', () => {
  test('of every route, 2xx', async () => {
    const { document, app, post } = await published();
    const { paths } = document;
    const made = await post('/v1/digests', { documents: CITY, intent: CITY_INTENT });
    const answers: [Operation, Response][] = [
      [paths['/v1/digests'].post, made],
      [paths['/v1/digests/{id}'].get, await app.request(String(made.headers.get('location')))],
      ...(await Promise.all(
        ['map', 'request', 'documents/{documentId}'].map(async (part): Promise<[Operation, Response]> => {
          const at = `${made.headers.get('location')}/${part.replace('{documentId}', CITY[0].id)}`;
          return [paths[`/v1/digests/{id}/${part}`].get, await app.request(at)];
        }),
      )),
      [paths['/v1/key-points'].post, await post('/v1/key-points', { documents: CITY })],
      [paths['/v1/selections'].post, await post('/v1/selections', { kernel: [[1]] })],
      [
        paths['/v1/selections'].post,
        await post('/v1/selections', { embeddings: [[1]], selection: { strategy: 'dpp-sample' }, draws: 2 }),
      ],
      ...(await Promise.all(
        Object.values(EVALUATION_EXAMPLES.requests).map(async ({ value }): Promise<[Operation, Response]> => {
          const body = 'digest' in value ? { ...value, digest: Object(await made.clone().json()).id } : value;
          return [paths['/v1/evaluations'].post, await post('/v1/evaluations', body)];
        }),
      )),
      [paths['/v1/experiments'].post, await post('/v1/experiments', NEW_EXPERIMENT)],
      ...(await Promise.all(
        Object.keys(paths)
          .filter((path) => path.includes('{key}') && paths[path].get !== undefined)
          .map(async (path): Promise<[Operation, Response]> => {
            const query = path.endsWith('/assignment') ? '?subject=reader' : '';
            return [paths[path].get, await app.request(path.replace('{key}', NEW_EXPERIMENT.key) + query)];
          }),
      )),
      [paths['/healthz'].get, await app.request('/healthz')],
      [paths['/readyz'].get, await app.request('/readyz')],
    ];
    for (const [operation, response] of answers) {
      expect(misfits(await response.json(), schemaOf(operation, response.status), document)).toEqual([]);
    }
  });

  test('of problems', async () => {
    const { document, app, post } = await published();
    const { post: create } = document.paths['/v1/digests'];
    const { get: read } = document.paths['/v1/digests/{id}'];
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' };
    const answers: [Operation, Response, number][] = [
      [create, await post('/v1/digests', {}), 422],
      [create, await post('/v1/digests', '{'), 400],
      [create, await app.request('/v1/digests', plain), 415],
      [read, await app.request('/v1/digests/x'), 404],
    ];
    for (const [operation, response, status] of answers) {
      expect(response.status).toBe(status);
      const schema = schemaOf(operation, status, 'application/problem+json');
      expect(misfits(await response.json(), schema, document)).toEqual([]);
    }
    expect(Object.keys(create.responses)).toEqual(expect.arrayContaining(['413', '500']));
  });
});

describe('requests as documented', () => {
  /** What a caller who knows only the document would send: examples, or the smallest value of the type. */
  function sample(schema: JsonSchema, root: OpenApi): unknown {
    if (schema.$ref !== undefined) return sample(resolveRef(root, schema.$ref) as JsonSchema, root);
    if (schema.example !== undefined) return schema.example;
    if (schema.anyOf) return sample(schema.anyOf[0], root);
    if (schema.oneOf) return sample(schema.oneOf[0], root);
    if (schema.enum) return schema.enum[0];
    if (schema.type === 'array') return [sample(schema.items ?? {}, root)];
    if (schema.type === 'object') {
      const required = (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {}, root)]);
      return Object.fromEntries(required);
    }
    return schema.type === 'string' ? 'The council approved the charge.' : 1;
  }

  test.each(['/v1/digests', '/v1/key-points'])('the example of %s is served', async (path) => {
    const { document, post } = await published();
    const schema = document.paths[path].post.requestBody?.content['application/json'].schema ?? {};
    const example = sample(schema, document);
    expect(example).toHaveProperty('documents');
    expect(misfits(example, schema, document)).toEqual([]);
    const response = await post(path, example);
    expect(response.ok, await response.clone().text()).toBe(true);
  });

  test('every field that is documented is known, and no other', async () => {
    const { document, post } = await published();
    const { schemas } = document.components;
    for (const [name, at, path = '/v1/digests'] of [
      ['DigestRequest', (fields: object) => fields],
      ['DocumentRequest', (fields: object) => ({ documents: [fields] })],
      ['ReportRequest', (fields: object) => ({ intent: fields })],
      ['SelectionOptions', (fields: object) => ({ selection: fields })],
      ['ExperimentRequest', (fields: object) => fields, '/v1/experiments'],
    ] as const) {
      expect(schemas[name].additionalProperties, name).toBe(false);
      const fields = Object.keys(schemas[name].properties ?? {});
      const odd = Object.fromEntries([...fields, 'surely-unknown'].map((field) => [field, true]));
      const { errors } = problemSchema.parse(await (await post(path, at(odd))).json());
      const unknown = errors?.filter(({ detail }) => detail === 'is not a known field');
      expect(unknown?.map(({ pointer }) => pointer.split('/').at(-1))).toEqual(['surely-unknown']);
    }
  });
});
