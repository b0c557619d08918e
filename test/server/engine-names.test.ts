import { expect, test } from 'vitest';
import type { Digest, Experiment, ExperimentInput } from '../../src/client/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { good } from '../support/good-model.ts';
import { modelApp } from '../support/model-app.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';
import { servedContract } from './contract.ts';
import { told } from './experiments-support.ts';

const DIGEST = { documents: CITY, intent: CITY_INTENT };
const ITEMS = { items: CITY.map(({ id, text }) => ({ id, text })), intent: CITY_INTENT };
const [{ text: answer }] = CITY;
const EVALUATION = { metric: 'summhay', bullets: [answer], insights: [{ id: 'i', text: answer }] };
const BODIES = [
  ['/v1/digests', DIGEST],
  ['/v1/key-points', { documents: CITY }],
  ['/v1/selections', ITEMS],
  ['/v1/evaluations', EVALUATION],
] as const;

/** An answer without what differs from one run to the next. */
function lasting({ id: _, timings: __, usage: ___, ...rest }: Partial<Digest>): unknown {
  return rest;
}

const asked = async ({ post }: TestApp, path: string, body: object, status?: number) =>
  told<Partial<Digest>>(post(path, body), status);

test.each(BODIES)('%s: "embedded" makes what a service without a model makes, and asks none', async (path, body) => {
  const status = path === '/v1/digests' ? 201 : 200;
  const service = await modelApp(good);
  const named = await asked(service, path, { ...body, engine: 'embedded' }, status);
  expect(service.server.requests).toEqual([]);
  expect(lasting(named)).toEqual(lasting(await asked(testApp(), path, body, status)));
});

test('"llm" is the object that it stands for', async () => {
  const service = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
  const named = await asked(service, '/v1/digests', { ...DIGEST, engine: 'llm' }, 201);
  expect(service.server.requests.length).toBeGreaterThan(0);
  const engine = { extractor: 'auto', writer: 'llm' };
  expect(lasting(named)).toEqual(lasting(await asked(service, '/v1/digests', { ...DIGEST, engine }, 201)));
});

test.each([
  ['/v1/digests', '/engine/writer'],
  ['/v1/key-points', '/engine/extractor'],
  ['/v1/evaluations', '/engine'],
])('%s: "llm" without a model is refused at %s', async (path, pointer) => {
  const body = { ...Object.fromEntries(BODIES)[path], engine: 'llm' };
  expect(await asked(testApp(), path, body, 422)).toMatchObject({
    errors: [{ pointer, detail: expect.stringContaining('needs a language model') }],
  });
});

test('a selection has nothing for a language model to do, and says so', async () => {
  expect(await asked(await modelApp(good), '/v1/selections', { ...ITEMS, engine: 'llm' }, 422)).toMatchObject({
    errors: [{ pointer: '/engine', detail: expect.stringContaining('documents') }],
  });
});

test('the name of an engine names the judge, unless "judge" does', async () => {
  const service = await modelApp(() => ({ text: JSON.stringify({ coverage: 'FULL', bullet: 1 }) }));
  const judgeOf = async (more: object) => asked(service, '/v1/evaluations', { ...EVALUATION, ...more });
  expect(await judgeOf({ engine: 'llm' })).toMatchObject({ judge: { name: 'llm' } });
  expect(await judgeOf({ engine: 'llm', judge: 'embedded' })).toMatchObject({ judge: { name: 'embedded' } });
});

test.each(BODIES)('%s: no other name, and the contract says the same', async (path, body) => {
  const { app, post } = testApp();
  const { errors } = await told<{ errors: unknown }>(post(path, { ...body, engine: 'best' }), 422);
  const detail = 'must be "embedded" or "llm", or must be an object';
  expect(errors).toEqual([{ pointer: '/engine', detail }]);
  const { misfits } = await servedContract(app);
  const schema = ['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'];
  for (const engine of ['embedded', 'llm', {}]) expect(misfits(schema, { ...body, engine })).toEqual([]);
  for (const engine of ['best', null, 1]) expect(misfits(schema, { ...body, engine })).not.toEqual([]);
});

test('variants are kept as the objects that the names stand for', async () => {
  const service = await modelApp(good);
  const experiment: ExperimentInput = {
    key: 'engines',
    hypothesis: 'A model is read more.',
    variants: [
      { name: 'own', weight: 0.5, options: { engine: 'embedded' } },
      { name: 'model', weight: 0.5, options: { engine: 'llm' } },
    ],
    metrics: [{ key: 'read', type: 'binomial', direction: 'increase' }],
  };
  const { variants } = await told<Experiment>(service.post('/v1/experiments', experiment), 201);
  expect(variants.map(({ options }) => options.engine)).toEqual([
    { extractor: 'sentences', writer: 'compose' },
    { extractor: 'auto', writer: 'llm' },
  ]);
});
