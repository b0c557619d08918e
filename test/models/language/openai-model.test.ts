import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isFatal } from '../../../src/models/index.ts';
import { lastUser } from '../../support/scripted-model-server.ts';
import { call, failureOf, KEY, scriptedModel } from './scripted-model.ts';

const GOOD = { text: 'Trams.' };
const body = (choices: unknown): { raw: string } => ({ raw: JSON.stringify({ choices }) });

test('asks with what the call says, and tells text, tokens and cost', async () => {
  const { model, server } = await scriptedModel([
    { text: 'Trams.', usage: { prompt_tokens: 30, completion_tokens: 4 } },
  ]);
  const answer = await model.complete(
    call({ settings: { model: 'm', temperature: 0.2, topP: 0.9, seed: 7 }, maxTokens: 55 }),
  );
  expect(answer).toEqual({
    text: 'Trams.',
    isCut: false,
    usage: { requests: 1, promptTokens: 30, completionTokens: 4, cost: (30 + 40) / 1e6 },
  });
  expect([model.defaultModel, model.contextTokens]).toEqual(['m', 8_000]);
  const [request] = server.requests;
  expect(request.path).toBe('/v1/chat/completions');
  expect(request.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(request.body).toEqual({
    model: 'm',
    messages: call().messages,
    max_completion_tokens: 55,
    temperature: 0.2,
    top_p: 0.9,
    seed: 7,
    stream: false,
  });
  expect(lastUser(request)).toBe('What runs at night?');
});

test('an answer that reached its most tokens is cut; an empty one is an answer', async () => {
  const { model } = await scriptedModel([
    { text: 'Tra', finish: 'length' },
    { text: '' },
    { text: null, finish: 'length' },
  ]);
  expect(await model.complete(call())).toMatchObject({ text: 'Tra', isCut: true });
  expect(await model.complete(call())).toMatchObject({ text: '', isCut: false, usage: { requests: 1 } });
  expect(await model.complete(call())).toMatchObject({ text: '', isCut: true, usage: { requests: 1 } });
});

test('tokens that the server does not tell are estimated, and a model without a price has no cost', async () => {
  const { model } = await scriptedModel([{ text: 'Straßenbahn!', usage: null }]);
  const { usage } = await model.complete(call({ settings: { ...call().settings, model: 'other' } }));
  // 11 and 19 bytes of prompt; 13 of the answer.
  expect(usage).toEqual({ requests: 1, promptTokens: 8, completionTokens: 4, cost: null });
});

test.each([
  ['a connection that breaks before the answer', { reset: true }, 'unreachable', null],
  ['a connection that breaks within the answer', { reset: true, text: 'Tra' }, 'unreachable', null],
  ['408', { status: 408 }, 'timeout', 408],
  ['409', { status: 409 }, 'server', 409],
  ['429', { status: 429, error: { code: 'rate_limit_exceeded' } }, 'rate-limited', 429],
  ['500', { status: 500 }, 'server', 500],
  ['503', { status: 503 }, 'server', 503],
  ['another schema', { raw: '{"answer":"Trams."}' }, 'malformed', null],
  ['no choices', body([]), 'malformed', null],
  ['no content', body([{ message: { content: null }, finish_reason: 'stop' }]), 'malformed', null],
  ['JSON that is cut', { raw: '{"choices":[{"message":{"content":"Tra' }, 'malformed', null],
  ['a page', { raw: '<html>Welcome</html>', contentType: 'text/html' }, 'malformed', null],
] as const)('%s is tried again, and fails after three attempts', async (_, bad, failure, status) => {
  const { model, server, waits } = await scriptedModel([bad, GOOD, bad]);
  expect(await model.complete(call())).toMatchObject({ text: 'Trams.', usage: { requests: 2 } });
  expect(waits).toEqual([500]);
  const error = await failureOf(model.complete(call()));
  expect(error).toMatchObject({ failure, usage: { requests: 3 } });
  expect(error.message).toMatch(
    status === null ? /^[^(]*, after 3 requests\.$/ : `(HTTP ${status}), after 3 requests.`,
  );
  expect(isFatal(error)).toBe(false);
  expect(server.requests).toHaveLength(5);
  expect(waits).toEqual([500, 500, 1000]);
});

test.each([
  ['insufficient_quota', { status: 429, error: { code: 'insufficient_quota' } }, 'quota', true],
  ['insufficient_quota as a type', { status: 403, error: { type: 'insufficient_quota' } }, 'quota', true],
  ['billing_hard_limit_reached', { status: 400, error: { code: 'billing_hard_limit_reached' } }, 'quota', true],
  ['402', { status: 402 }, 'quota', true],
  ['400', { status: 400 }, 'refused', false],
  ['401', { status: 401 }, 'refused', true],
  ['403', { status: 403 }, 'refused', true],
  ['404', { status: 404 }, 'refused', true],
  ['422', { status: 422 }, 'refused', false],
  ['a refusal of the model', { text: null, refusal: 'No.' }, 'refused', false],
] as const)('%s is not tried again', async (_, bad, failure, fatal) => {
  const { model, server } = await scriptedModel([bad]);
  const error = await failureOf(model.complete(call()));
  expect(error).toMatchObject({ failure, usage: { requests: 1 } });
  expect(isFatal(error)).toBe(fatal);
  expect(server.requests).toHaveLength(1);
});

test('no error holds the key, what was sent, or in its message the words of the server', async () => {
  const secret = 'The minister will resign on Friday morning.';
  const echo = `Validation failed for "${secret}" with key ${KEY}`;
  const { model } = await scriptedModel(
    [
      { status: 400, error: { message: echo, code: KEY, param: secret } },
      { status: 401, error: { message: `Incorrect API key provided: ${KEY}.` } },
      { raw: JSON.stringify({ detail: [{ input: secret, msg: 'no' }] }), status: 422 },
      { raw: `${secret} cut` },
      { status: 404, error: { message: 'The model m does not exist.' } },
      { reset: true },
    ],
    { attempts: 1 },
  );
  for (let i = 0; i < 6; i++) {
    const error = await failureOf(
      model.complete(call({ messages: [{ role: 'user', content: `Sum up:\n${secret}` }] })),
    );
    const all = `${JSON.stringify(error)} ${inspect(error, { depth: 10, showHidden: true })} ${error.stack}`;
    expect(all).not.toContain(KEY);
    expect(all).not.toContain('resign on Friday');
    expect(error.message).not.toMatch(/Validation|Incorrect|exist/);
    if (i === 4)
      expect(error.cause).toMatchObject({ name: 'NotFoundError', message: '404 The model m does not exist.' });
    if (i === 5) expect(String(error.cause)).toMatch(/Connection error.*(ECONNRESET|UND_ERR_SOCKET)/);
  }
});
