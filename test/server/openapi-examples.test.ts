import type { SchemaObject } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { eventParser } from '../../src/client/parse-events.ts';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import { digestSchema } from '../../src/contract/index.ts';
import { EVALUATION_EXAMPLES } from '../../src/evaluation/index.ts';
import { testApp } from '../support/test-deps.ts';
import { bodiesOf, type Contract, examplesOf, type Operation, servedContract } from './contract.ts';

const JSON_TYPE = /^application\/(?:problem\+)?json$/;

async function served() {
  const service = testApp();
  const contract = await servedContract(service.app);
  return { ...service, contract, operations: contract.operations, bodies: bodiesOf(contract.operations) };
}

function operationOf({ operations }: Contract, name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`${name} is not in the contract`);
  return found;
}

function requestsOf(contract: Contract, name: string): Readonly<Record<string, unknown>> {
  const { body } = operationOf(contract, name);
  if (body === undefined) throw new Error(`${name} asks for no body`);
  return examplesOf(body, contract);
}

function answersOf(contract: Contract, name: string, status: number, type = 'application/json') {
  const media = operationOf(contract, name).responses[status]?.content?.[type];
  if (media === undefined) throw new Error(`${name} answers no ${status} of ${type}`);
  return examplesOf(media, contract);
}

describe('every operation', () => {
  test('has a tag that is explained, a summary, and the statuses that apply', async () => {
    const { contract, operations } = await served();
    const tags = contract.document.tags?.map(({ name }) => name) ?? [];
    for (const { name, method, path, tags: own, summary, body, responses, security, parameters } of operations) {
      expect(own, name).toHaveLength(1);
      expect(tags, name).toContain(own[0]);
      expect(summary, name).toMatch(/^[A-Z].{10,}/);
      const isOpen = Array.isArray(security) && security.length === 0;
      const isWork =
        ['/v1/digests', '/v1/selections', '/v1/key-points', '/v1/evaluations'].includes(path) && method === 'post';
      const needed = [
        ...(isOpen ? [] : ['401', '403', '429', '500']),
        ...(body === undefined ? [] : ['400', '413', '415', '422']),
        ...(method === 'post' ? ['409'] : []),
        ...(parameters.some((parameter) => parameter.in === 'path') ? ['404'] : []),
        ...(parameters.some((parameter) => parameter.in === 'query') ? ['422'] : []),
        ...(isWork ? ['502', '503'] : []),
      ];
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(needed));
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true);
      const answered = Object.entries(responses).filter(([status]) => !status.startsWith('2'));
      for (const [, { content = {} }] of answered)
        expect(Object.keys(content), name).toEqual(['application/problem+json']);
      if (method === 'post')
        expect(
          parameters.map((each) => each.name),
          name,
        ).toContain('idempotency-key');
    }
  });

  test('has an example of each body that it asks for or answers', async () => {
    const { contract, bodies } = await served();
    const lacking = bodies.filter(({ media }) => Object.keys(examplesOf(media, contract)).length === 0);
    expect(lacking.map(({ name }) => name)).toEqual([]);
    expect(Object.keys(requestsOf(contract, 'POST /v1/digests'))).toEqual([
      'documents',
      'texts',
      'collection',
      'reportRequest',
      'update',
      'experiment',
    ]);
    expect(Object.keys(requestsOf(contract, 'POST /v1/selections'))).toEqual([
      'items',
      'embeddings',
      'kernel',
      'digest',
      'draws',
    ]);
    expect(Object.keys(answersOf(contract, 'POST /v1/selections', 200))).toEqual(['selection', 'draws']);
    const measures = ['summhay', 'keyPointRecall', 'argue', 'sourceCoverage'];
    const asked = Object.keys(requestsOf(contract, 'POST /v1/evaluations'));
    expect(asked.toSorted()).toEqual([...measures, 'digest', 'markedText'].toSorted());
    expect(Object.keys(answersOf(contract, 'POST /v1/evaluations', 200))).toEqual(measures);
  });
});

describe('every example is valid', () => {
  test('of bodies', async () => {
    const { contract, bodies } = await served();
    const wrong = bodies.flatMap(({ name, pointer, media }) =>
      Object.entries(examplesOf(media, contract)).flatMap(([example, value]) =>
        contract.misfits(pointer, value).map((misfit) => `${name}, ${example}: ${misfit}`),
      ),
    );
    expect(wrong).toEqual([]);
    // The other way round: that a body which does not fit would be found.
    expect(contract.misfits(bodies[0].pointer, { surely: 'unknown' })).not.toEqual([]);
  });

  test('of components, their properties, parameters and headers', async () => {
    const { contract, operations } = await served();
    const { schemas = {} } = contract.document.components ?? {};
    const examples = (schema: SchemaObject): [SchemaObject, unknown][] => [
      ...('example' in schema ? [[schema, schema.example] as [SchemaObject, unknown]] : []),
      ...Object.values<SchemaObject>(schema.properties ?? {}).flatMap(examples),
      ...[schema.items ?? [], schema.anyOf ?? [], schema.oneOf ?? [], schema.allOf ?? []].flat().flatMap(examples),
    ];
    const found = [
      ...Object.values(schemas).flatMap((schema) => examples(schema as SchemaObject)),
      ...operations.flatMap(({ parameters, responses }) => [
        ...parameters.flatMap(({ schema }) => examples(schema)),
        ...Object.values(responses).flatMap(({ headers = {} }) =>
          Object.values(headers).flatMap(({ schema }) => examples(schema)),
        ),
      ]),
    ];
    expect(found.length).toBeGreaterThan(30);
    for (const [schema, example] of found)
      expect([example, contract.misfitsOf(schema, example)]).toEqual([example, []]);
  });

  test('of problems: their status is the one they are answered with', async () => {
    const { contract, bodies } = await served();
    const problems = bodies.filter(({ type }) => type === 'application/problem+json');
    expect(problems.length).toBeGreaterThan(80);
    for (const { name, media, status } of problems) {
      for (const [code, problem] of Object.entries(examplesOf(media, contract))) {
        expect(problem, name).toMatchObject({ status: Number(status), type: `urn:tessera:problem:${code}` });
      }
    }
    expect(bodies.filter(({ type, status }) => JSON_TYPE.test(type) && status !== null).length).toBeGreaterThan(90);
  });

  test('of streams: events whose data is what the contract says of a digest', async () => {
    const { contract } = await served();
    const { example } = answersOf(contract, 'POST /v1/digests', 200, 'text/event-stream');
    const events = eventParser()(String(example));
    expect(events.map(({ event }) => event)).toEqual(['accepted', 'progress', 'sentence', 'sentence', 'digest']);
    const last = JSON.parse(events.at(-1)?.data ?? '');
    expect(contract.misfits(['components', 'schemas', 'Digest'], last)).toEqual([]);
    expect(last).toEqual(answersOf(contract, 'POST /v1/digests', 201).finished);
  });
});

test('the example of a digest holds together', async () => {
  const { contract, post } = await served();
  const { documents: request } = requestsOf(contract, 'POST /v1/digests');
  const { documents } = request as { readonly documents: readonly { readonly id: string; readonly text: string }[] };
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const digest = digestSchema.parse(answersOf(contract, 'POST /v1/digests', 201).finished);
  const { summary, keyPoints, sources, selection } = digest;
  const slice = (document: string, start: number, end: number) => texts.get(document)?.slice(start, end);
  for (const { document, quote, nearest, rank, selected } of keyPoints) {
    expect(slice(document, quote.start ?? 0, quote.end ?? 0)).toBe(quote.text);
    expect(rank !== null).toBe(selected);
    if (nearest !== null) expect(keyPoints.map(({ id }) => id)).toContain(nearest.id);
  }
  const chosen = keyPoints.filter(({ selected }) => selected);
  expect(chosen.map(({ rank }) => rank).sort()).toEqual([1, 2, 3]);
  expect(selection.size).toEqual({ keyPoints: chosen.length });
  for (const { text, framing, citations, keyPoints: named } of summary.sentences) {
    expect(summary.text).toContain(text);
    expect(citations.length > 0).toBe(!framing);
    for (const id of named) expect(chosen.map((point) => point.id)).toContain(id);
    for (const { document, quote } of citations) {
      expect(slice(document, quote.start, quote.end)).toBe(quote.text);
      expect(sources.map((source) => source.document)).toContain(document);
    }
  }
  expect(digest.documents.map(({ id }) => id).sort()).toEqual([...texts.keys()].sort());
  expect(digest.documents.reduce((sum, each) => sum + each.keyPoints, 0)).toBe(keyPoints.length);

  // And is of the shape that the service answers today.
  const made = digestSchema.parse(await (await post('/v1/digests', request)).json());
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.slice(0, 1).map(shape);
    if (typeof value !== 'object' || value === null) return null;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shape(field)]));
  };
  expect(Object.keys(digest)).toEqual(Object.keys(made));
  expect(shape(digest.documents)).toEqual(shape(made.documents));
  expect(shape(digest.selection)).toEqual(shape(made.selection));
  expect(shape(digest.metrics)).toEqual(shape(made.metrics));
  expect(Object.keys(digest.keyPoints[0]).sort()).toEqual(Object.keys(made.keyPoints[0]).sort());
});

function placeOf({ name, method }: Operation): number {
  const first = ['POST /v1/experiments', 'PUT /v1/experiments/{key}', 'POST /v1/experiments/{key}/exposures'];
  return first.includes(name) ? first.indexOf(name) : method === 'put' ? first.length : first.length + 1;
}

test('the service accepts every example of a request', async () => {
  const { app, post, contract, parts } = await served();
  const digests = requestsOf(contract, 'POST /v1/digests');
  const digest = (await (await post('/v1/digests', digests.documents)).json()) as { readonly id: string };
  const { named } = requestsOf(contract, 'POST /v1/collections');
  const collection = (await (await post('/v1/collections', named)).json()) as { readonly id: string };
  /** With the ids of this service in the place of those of the examples. */
  const here = (text: string) =>
    text.replaceAll(/dig_[0-9a-f]{32}/g, digest.id).replaceAll(/col_[0-9a-f]{32}/g, collection.id);
  const asked = contract.operations
    // An experiment before it is changed or used; into the collection, before a digest is made of it.
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap(({ name, method, path, body, responses, parameters }) => {
      const url = here(
        path.replaceAll(/\{(\w+)\}/g, (_, part) => {
          return encodeURIComponent(String(parameters.find((each) => each.name === part)?.schema.example));
        }),
      );
      const examples = body === undefined ? {} : examplesOf(body, contract);
      return Object.entries(examples).map(([example, value]) => ({
        name: `${name} ${example}`,
        method,
        url,
        value,
        responses,
      }));
    });
  expect(asked.length).toBeGreaterThanOrEqual(20);
  for (const { name, method, url, value, responses } of asked) {
    const response = await app.request(url, {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json' },
      body: here(JSON.stringify(value)),
    });
    const text = await response.text();
    expect(response.ok, `${name}: ${text}`).toBe(true);
    expect(Object.keys(responses), name).toContain(String(response.status));
  }
  expect(parts.errors).toEqual([]);
  expect(parts.jobFailures).toEqual([]);
});

test('problems are those of the examples', async () => {
  const { app, post, contract } = await served();
  const keyed = { 'idempotency-key': 'key' };
  await post('/v1/collections', {}, keyed);
  const closed = testApp({ app: { allowsOpen: false } });
  const { digest: toScore } = EVALUATION_EXAMPLES.requests;
  await post('/v1/experiments', NEW_EXPERIMENT);
  const changed = async (changes: unknown) =>
    app.request('/v1/experiments/shorter-digests', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(changes),
    });
  const answers: [string, Response][] = [
    ['POST /v1/digests', await post('/v1/digests', '{')],
    ['POST /v1/digests', await post('/v1/digests', {}, { 'idempotency-key': '\t' })],
    ['POST /v1/collections', await post('/v1/collections', { name: 'Other' }, keyed)],
    ['POST /v1/digests', await post('/v1/digests', { documents: [] })],
    ['POST /v1/digests', await post('/v1/digests', { collection: 'col_0' })],
    ['POST /v1/digests', await post('/v1/digests', '{}', { 'content-type': 'text/plain' })],
    ['POST /v1/digests', await post('/v1/digests', '{}', { host: 'evil.example' })],
    ['POST /v1/selections', await post('/v1/selections', { digest: 'dig_0' })],
    ['POST /v1/evaluations', await post('/v1/evaluations', { ...toScore.value, digest: 'dig_0' })],
    ['GET /v1/digests/{id}', await app.request('/v1/digests/dig_0')],
    ['GET /v1/digests/{id}/map', await app.request('/v1/digests/dig_0/map')],
    ['GET /v1/digests/{id}/request', await app.request('/v1/digests/dig_0/request')],
    ['GET /v1/digests/{id}/documents/{documentId}', await app.request('/v1/digests/dig_0/documents/a')],
    ['GET /v1/digests', await app.request('/v1/digests?cursor=x')],
    ['GET /v1/collections/{id}', await app.request('/v1/collections/col_0')],
    ['GET /v1/experiments/{key}', await app.request('/v1/experiments/none')],
    ['POST /v1/experiments', await post('/v1/experiments', NEW_EXPERIMENT)],
    ['POST /v1/experiments/{key}/start', await post('/v1/experiments/shorter-digests/start', {})],
    ['PUT /v1/experiments/{key}', await changed({ traffic: 0.5 })],
    ['GET /metrics', await app.request('/metrics')],
    ['GET /v1/digests', await closed.app.request('/v1/digests')],
    ['POST /v1/digests', await testApp({ maxBodyBytes: 10 }).post('/v1/digests', { documents: [] })],
  ];
  for (const [name, response] of answers) {
    const { type, title, status } = (await response.json()) as { type: string; title: string; status: number };
    const examples = answersOf(contract, name, status, 'application/problem+json');
    expect(Object.values(examples), name).toContainEqual(expect.objectContaining({ type, title, status }));
  }
});
