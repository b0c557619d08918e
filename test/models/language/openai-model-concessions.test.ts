import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSchema } from '../../../src/models/language/language-model.ts';
import { lastUser, type RecordedRequest, type Reply } from '../../support/scripted-model-server.ts';
import { call, failureOf, scriptedModel } from './scripted-model.ts';

const schema: AnswerSchema = {
  name: 'points',
  schema: z.toJSONSchema(z.object({ points: z.array(z.string().min(1)) }), { io: 'input' }),
};
const GOOD = { text: '{"points":[]}' };
const settings = { model: 'm', temperature: 0.5, topP: 0.5, seed: 1 };

const formOf = ({ body }: RecordedRequest) => body.response_format?.type ?? 'text';
const refuse = (message: string, param: string | null = null, status = 400): Reply => ({
  status,
  error: { message, param },
});

test('an answer is held to its schema strictly, where the server does that', async () => {
  const { model, server } = await scriptedModel([GOOD]);
  await model.complete(call({ schema }));
  const [request] = server.requests;
  expect(request.body.response_format).toEqual({
    type: 'json_schema',
    json_schema: {
      name: 'points',
      strict: true,
      schema: {
        type: 'object',
        properties: { points: { type: 'array', items: { type: 'string' } } },
        required: ['points'],
        additionalProperties: false,
      },
    },
  });
  expect(request.body.messages).toEqual(call().messages);
});

test.each([
  ['that name it', refuse("'response_format' of type json_schema is not supported", 'response_format')],
  ['that say something else', refuse('Unknown request')],
  ['that are 422', { raw: '{"detail":[{"loc":["body","response_format","type"],"msg":"no"}]}', status: 422 }],
])('refusals of a schema %s lead to json_object, then to words, which is remembered', async (_, refusal) => {
  const takes = new Set(['json_object', 'text']);
  const { model, server, waits } = await scriptedModel((request) => (takes.has(formOf(request)) ? GOOD : refusal));
  expect(await model.complete(call({ schema }))).toMatchObject({ text: GOOD.text, usage: { requests: 2 } });
  expect(await model.complete(call({ schema }))).toMatchObject({ usage: { requests: 1 } });
  takes.delete('json_object');
  expect(await model.complete(call({ schema }))).toMatchObject({ usage: { requests: 2 } });
  expect(await model.complete(call({ schema }))).toMatchObject({ usage: { requests: 1 } });
  expect(server.requests.map(formOf)).toEqual([
    'json_schema',
    'json_object',
    'json_object',
    'json_object',
    'text',
    'text',
  ]);
  expect(waits).toEqual([]);
  for (const request of server.requests.slice(1)) {
    expect(lastUser(request)).toMatch(/^What runs at night\?\n\nAnswer with nothing but JSON .*\n\{"type":"object"/);
  }
  // Another model is asked for itself, and a call without a schema says nothing of it.
  const other = call({ schema, settings: { ...settings, model: 'other' } });
  expect(await model.complete(other)).toMatchObject({ usage: { requests: 3 } });
  await model.complete(call());
  expect(server.requests.at(-1)?.body).not.toHaveProperty('response_format');
  expect(server.requests.at(-1)?.body.messages).toEqual(call().messages);
});

test('what did not help is not remembered', async () => {
  const { model, server } = await scriptedModel((_, index) => (index < 3 ? refuse('No.') : GOOD));
  expect(await failureOf(model.complete(call({ schema })))).toMatchObject({
    failure: 'refused',
    usage: { requests: 3 },
  });
  await model.complete(call({ schema }));
  expect(server.requests.map(formOf)).toEqual(['json_schema', 'json_object', 'text', 'json_schema']);
});

test('a prompt that is too long is refused at once, whatever the server names', async () => {
  const { model, server } = await scriptedModel([
    refuse("'max_completion_tokens' is too large: the model's maximum context length is 4096", 'max_completion_tokens'),
  ]);
  expect(await failureOf(model.complete(call({ schema })))).toMatchObject({ failure: 'refused' });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['json_schema', 'json_schema', false],
  ['json_object', 'json_object', true],
  ['text', 'text', true],
] as const)('the form %s is kept where it is configured', async (jsonMode, form, isTold) => {
  const { model, server } = await scriptedModel([refuse('No response_format.', 'response_format')], { jsonMode });
  expect(await failureOf(model.complete(call({ schema })))).toMatchObject({ failure: 'refused' });
  expect(server.requests.map(formOf)).toEqual([form]);
  expect(lastUser(server.requests[0]).includes('JSON Schema')).toBe(isTold);
});

test('a schema in words stands in the last message of the user, or in one of its own', async () => {
  const { model, server } = await scriptedModel([GOOD], { jsonMode: 'text' });
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
    { role: 'assistant', content: 'c' },
  ] as const;
  await model.complete(call({ schema, messages }));
  await model.complete(call({ schema, messages: [{ role: 'system', content: 's' }] }));
  const [first, second] = server.requests.map(({ body }) => body.messages?.map(({ content }) => content));
  expect(first).toEqual(['a', expect.stringMatching(/^b\n\nAnswer/), 'c']);
  expect(second).toEqual(['s', expect.stringMatching(/^Answer with nothing but JSON/)]);
});

test.each([
  ['temperature', refuse("Unsupported value: 'temperature' does not support 0.5", 'temperature')],
  ['top_p', refuse('top_p: unexpected field')],
  ['seed', { raw: '{"detail":[{"loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}', status: 422 }],
  ['max_completion_tokens', { raw: '{"object":"error","message":"unknown max_completion_tokens"}', status: 400 }],
  ['stream_options', { raw: 'stream_options is not known', status: 400, contentType: 'text/plain' }],
] as const)('%s is done without where it is refused, which is remembered', async (name, refusal) => {
  const { model, server, waits } = await scriptedModel(({ body }) => (name in body ? refusal : GOOD));
  const streamed = call({ settings, schema, onText: () => {} });
  expect(await model.complete(streamed)).toMatchObject({ text: GOOD.text, usage: { requests: 2 } });
  expect(await model.complete(streamed)).toMatchObject({ usage: { requests: 1 } });
  const [first, second, third] = server.requests.map(({ body }) => body);
  const { [name]: _, ...rest } = first;
  const expected = name === 'max_completion_tokens' ? { ...rest, max_tokens: 100 } : rest;
  expect([second, third]).toEqual([expected, expected]);
  expect(waits).toEqual([]);
});

test('concessions are no attempts, and six at most', async () => {
  const order = ['temperature', 'seed', 'top_p', 'max_completion_tokens', 'stream_options', 'response_format'];
  const { model, server } = await scriptedModel(
    ({ body }) => {
      const next = order.find(
        (name) => name in body && (name !== 'response_format' || formOfBody(body) === 'json_schema'),
      );
      return next === undefined ? GOOD : refuse('no', next);
    },
    { attempts: 1 },
  );
  const streamed = call({ settings, schema, onText: () => {} });
  expect(await model.complete(streamed)).toMatchObject({ usage: { requests: 7 } });
  expect(server.requests).toHaveLength(7);

  // A seventh is not made.
  const strict = await scriptedModel(({ body }) => {
    const next = order.find((name) => name in body);
    return next === undefined ? GOOD : refuse('no', next);
  });
  expect(await failureOf(strict.model.complete(streamed))).toMatchObject({
    failure: 'refused',
    usage: { requests: 7 },
  });
  expect(strict.server.requests).toHaveLength(7);
});

test('a server that refuses what was not sent is not asked again', async () => {
  const { model } = await scriptedModel([refuse('temperature and seed are wrong', 'temperature')]);
  expect(await failureOf(model.complete(call()))).toMatchObject({ failure: 'refused', usage: { requests: 1 } });
});

function formOfBody({ response_format }: RecordedRequest['body']): string | undefined {
  return response_format?.type;
}
