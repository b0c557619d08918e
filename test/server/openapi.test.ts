import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type JsonSchema, resolveRef } from '../support/json-schema.ts';
import { testApp } from '../support/test-deps.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
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

test('every $ref resolves', async () => {
  const { document } = await published();
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(5);
  for (const ref of refs) expect(resolveRef(document, ref), ref).toBeTypeOf('object');
});

test('operations have short titles, ids of their own and known tags; the first is to make a digest', async () => {
  const { document } = await published();
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(operations[0].summary).toBe('Make a digest');
  expect(document.info.version).toBe(manifest.version);
  const tags = document.tags.map(({ name }) => name);
  for (const { summary, tags: own } of operations) {
    expect(summary).toMatch(/^[A-Z].{3,40}$/);
    expect(tags).toEqual(expect.arrayContaining([...own]));
  }
});
