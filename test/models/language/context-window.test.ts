import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { knownContext, servedContext } from '../../../src/models/index.ts';

test.each([
  ['gpt-4.1-mini', 1_000_000],
  ['gpt-4o', 128_000],
  ['openai/gpt-5-mini', 272_000],
  ['o3', 200_000],
  ['claude-sonnet-4-5', 200_000],
  ['gemini-2.5-flash', 1_000_000],
  ['mistral-large-latest', 128_000],
  ['llama3.1:8b', undefined],
  ['my-gpt', undefined],
])('%s', (name, tokens) => expect(knownContext(name)).toBe(tokens));

async function serve(body: string, seen: (string | undefined)[] = []): Promise<string> {
  const server = createServer((request, response) => {
    seen.push(request.url, request.headers.authorization);
    response.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test.each([
  ['vLLM', { max_model_len: 32_768 }],
  ['OpenRouter', { context_length: 32_768 }],
  ['Groq', { context_window: 32_768 }],
  ['llama.cpp', { meta: { n_ctx: 32_768, n_ctx_train: 131_072 } }],
])('%s tells how much a model reads', async (_, facts) => {
  const seen: (string | undefined)[] = [];
  const baseUrl = await serve(
    JSON.stringify({
      data: [
        { id: 'other', max_model_len: 4096 },
        { id: 'm', ...facts },
      ],
    }),
    seen,
  );
  expect(await servedContext({ apiKey: 'k', baseUrl: `${baseUrl}/` }, 'm')).toBe(32_768);
  expect(seen).toEqual(['/v1/models', 'Bearer k']);
  expect(await servedContext({ apiKey: null, baseUrl }, 'unknown')).toBeUndefined();
});

test.each([
  ['nothing', '{"data":[{"id":"m"}]}'],
  ['nonsense', '{"data":[{"id":"m","max_model_len":"much"}]}'],
  ['an impossible number', '{"data":[{"id":"m","max_model_len":-1}]}'],
  ['no list', '[]'],
  ['no JSON', '<html>'],
])('a server that says %s leaves it unknown', async (_, body) => {
  expect(await servedContext({ apiKey: null, baseUrl: await serve(body) }, 'm')).toBeUndefined();
});

test('a server with one model is asked by any name', async () => {
  const baseUrl = await serve('{"data":[{"id":"weights.gguf","meta":{"n_ctx":4096}}]}');
  expect(await servedContext({ apiKey: null, baseUrl }, 'm')).toBe(4096);
});

test('a server that is not there leaves it unknown', async () => {
  expect(await servedContext({ apiKey: null, baseUrl: 'http://127.0.0.1:1/v1' }, 'm')).toBeUndefined();
});
