import { describe, expect, test } from 'vitest';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import { EVALUATION_EXAMPLES } from '../../src/evaluation/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { type JsonSchema, misfits, resolveRef } from '../support/json-schema.ts';
import { testApp } from '../support/test-deps.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: JsonSchema }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: JsonSchema }> }>;
}

interface OpenApi {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
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

test('every $ref resolves', async () => {
  const { document } = await published();
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(5);
  for (const ref of refs) expect(resolveRef(document, ref), ref).toBeTypeOf('object');
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

test('operations have short titles, ids of their own and known tags; the first is to make a digest', async () => {
  const { document } = await published();
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations[0].summary).toBe('Make a digest');
  const tags = document.tags.map(({ name }) => name);
  for (const { summary, tags: own } of operations) {
    expect(summary).toMatch(/^[A-Z].{3,40}$/);
    expect(tags).toEqual(expect.arrayContaining([...own]));
  }
});
