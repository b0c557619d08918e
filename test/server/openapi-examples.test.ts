import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../models/language/scripted-model.ts';
import { NO_MODELS } from '../support/no-models.ts';
import { PROMPTS } from '../support/prompts.ts';
import { type TestOptions, testApp } from '../support/test-deps.ts';
import { bodiesOf, type Contract, examplesOf, type Operation, servedContract } from './contract.ts';

const JSON_TYPE = /^application\/(?:problem\+)?json$/;

async function served(options: TestOptions = {}) {
  const service = testApp(options);
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

describe('every operation', () => {
  test('has an example of each body that it asks for or answers', async () => {
    const { contract, bodies } = await served();
    const lacking = bodies.filter(({ media }) => Object.keys(examplesOf(media, contract)).length === 0);
    expect(lacking.map(({ name }) => name)).toEqual([]);
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
});

function placeOf({ name, method }: Operation): number {
  const first = ['POST /v1/experiments', 'PUT /v1/experiments/{key}', 'POST /v1/experiments/{key}/exposures'];
  return first.includes(name) ? first.indexOf(name) : method === 'put' ? first.length : first.length + 1;
}

test('the service accepts every example of a request', async () => {
  // A judge that finds nothing, for what needs a language model.
  const { model } = await scriptedModel(() => ({ text: '{"keyPoints":[],"evidence":"","verdict":"NO"}' }));
  const { app, post, contract, parts } = await served({ models: { ...NO_MODELS, model, prompts: PROMPTS } });
  const digests = requestsOf(contract, 'POST /v1/digests');
  const digest = (await (await post('/v1/digests', digests.documents)).json()) as { readonly id: string };
  const { named } = requestsOf(contract, 'POST /v1/collections');
  const collection = (await (await post('/v1/collections', named)).json()) as { readonly id: string };
  const subscribed = await post('/v1/subscriptions', { collection: collection.id, intent: 'What is new?' });
  const subscription = (await subscribed.json()) as { readonly id: string };
  /** With the ids of this service in the place of those of the examples. */
  const here = (text: string) =>
    text
      .replaceAll(/dig_[0-9a-f]{32}/g, digest.id)
      .replaceAll(/col_[0-9a-f]{32}/g, collection.id)
      .replaceAll(/sub_[0-9a-f]{32}/g, subscription.id);
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
