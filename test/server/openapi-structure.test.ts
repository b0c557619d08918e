import type { SchemaObject } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { testApp } from '../support/test-deps.ts';
import { bodiesOf, servedContract } from './contract.ts';

async function served() {
  const contract = await servedContract(testApp().app);
  return { contract, operations: contract.operations, bodies: bodiesOf(contract.operations) };
}

test('the objects of an OpenAPI 3.1 document hold what they must, and nothing else', async () => {
  const { contract, operations } = await served();
  const { document } = contract;
  const known = (value: object, allowed: string, where: string) => {
    const fields = new Set(allowed.split(' '));
    expect(
      Object.keys(value).filter((field) => !fields.has(field) && !field.startsWith('x-')),
      where,
    ).toEqual([]);
  };
  known(document, 'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs', '');
  known(document.info, 'title summary description termsOfService contact license version', 'info');
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info.title.length * document.info.version.length).toBeGreaterThan(0);
  expect(operations.length).toBeGreaterThanOrEqual(28);
  const tags = document.tags?.map(({ name }) => name) ?? [];
  expect(new Set(tags).size).toBe(tags.length);
  const schemes = Object.keys(document.components?.securitySchemes ?? {});
  for (const requirement of document.security ?? [])
    expect(schemes).toEqual(expect.arrayContaining(Object.keys(requirement)));
  for (const group of Object.values(document.components ?? {})) {
    for (const name of Object.keys(group)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
  }
  // Operations are read from these.
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, object>>>>;
  for (const { name, method, path, parameters, responses } of operations) {
    known(
      paths[path][method],
      'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
      name,
    );
    expect(path, name).toMatch(/^\//);
    const templated = [...path.matchAll(/\{([^}]+)\}/g)].map(([, part]) => part);
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map((parameter) => parameter.name).sort(), name).toEqual(templated.sort());
    expect(
      inPath.every(({ required }) => required === true),
      name,
    ).toBe(true);
    expect(new Set(parameters.map((each) => `${each.in} ${each.name.toLowerCase()}`)).size).toBe(parameters.length);
    for (const parameter of parameters) {
      known(
        parameter,
        'name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content',
        `${name} ${parameter.name}`,
      );
      expect(['path', 'query', 'header', 'cookie']).toContain(parameter.in);
      expect(parameter.schema, `${name} ${parameter.name}`).toBeTypeOf('object');
    }
    expect(Object.keys(responses).length, name).toBeGreaterThan(0);
    for (const [status, response] of Object.entries(responses)) {
      known(response, 'description headers content links', `${name} ${status}`);
      expect(status).toMatch(/^(?:[1-5]\d\d|[1-5]XX|default)$/);
      expect(response.description, `${name} ${status}`).toMatch(/\w/);
      for (const header of Object.values(response.headers ?? {})) {
        known(
          header,
          'description required deprecated style explode schema example examples content',
          `${name} ${status}`,
        );
        expect(header.schema).toBeTypeOf('object');
      }
    }
  }
  for (const { name, type, media } of bodiesOf(operations)) {
    known(media, 'schema example examples encoding', name);
    expect(type, name).toMatch(/^[a-z]+\/[a-z+.-]+$/);
    expect('example' in media && 'examples' in media, name).toBe(false);
    for (const example of Object.values(media.examples ?? {})) {
      known(example, 'summary description value externalValue', name);
      expect(example, name).toHaveProperty('value');
    }
  }
});

test('every schema in it is one of JSON Schema 2020-12', async () => {
  const { contract, bodies, operations } = await served();
  // Compiling is what says no: nothing has to fit.
  for (const { pointer } of bodies) contract.misfits(pointer, null);
  for (const { parameters, responses } of operations) {
    for (const { schema } of parameters) contract.misfitsOf(schema, null);
    for (const { headers = {} } of Object.values(responses)) {
      for (const { schema } of Object.values(headers)) contract.misfitsOf(schema, null);
    }
  }
  for (const name of Object.keys(contract.document.components?.schemas ?? {})) {
    contract.misfits(['components', 'schemas', name], null);
  }
  expect(() => contract.misfitsOf({ type: 'strin' }, null)).toThrow();
});

test('every property of a component has a type', async () => {
  const { contract } = await served();
  const untyped = (schema: SchemaObject, where: string): string[] => {
    if (schema.$ref !== undefined || schema.const !== undefined || schema.enum !== undefined) return [];
    const parts: SchemaObject[] | undefined = schema.anyOf ?? schema.oneOf;
    if (parts !== undefined) return parts.flatMap((part, i) => untyped(part, `${where}/${i}`));
    if (schema.allOf !== undefined) return untyped(schema.allOf[0], `${where}/0`);
    const inside: [string, SchemaObject][] = Object.entries(schema.properties ?? {});
    if (typeof schema.items === 'object') inside.push(['items', schema.items]);
    if (typeof schema.additionalProperties === 'object') inside.push(['*', schema.additionalProperties]);
    return [
      ...(schema.type === undefined ? [where] : []),
      ...(schema.type === 'array' && schema.items === undefined ? [`${where}/items`] : []),
      ...inside.flatMap(([name, each]) => untyped(each, `${where}/${name}`)),
    ];
  };
  const schemas = Object.entries(contract.document.components?.schemas ?? {});
  expect(schemas.length).toBeGreaterThan(20);
  expect(schemas.flatMap(([name, schema]) => untyped(schema as SchemaObject, name))).toEqual([]);
  expect(untyped({ type: 'object', properties: { a: {} } }, 'x')).toEqual(['x/a']);
});
