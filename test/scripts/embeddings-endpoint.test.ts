import { OpenAI } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddingsEndpoint, startEmbeddingsEndpoint } from '../../scripts/embeddings-endpoint.ts';
import { transformersEncoder } from '../../src/models/index.node.ts';
import { type CallUsage, normalizeRows, openAiEncoder } from '../../src/models/index.ts';
import { quickTransport, specsOf } from '../models/encoders/transport.ts';

const TEXTS = ['The council approved a congestion charge.', 'Slugs avoid copper rings.', '', 'Trams run again. 🚋'];

let endpoint: EmbeddingsEndpoint;
beforeAll(async () => {
  endpoint = await startEmbeddingsEndpoint(0);
});
afterAll(() => endpoint.close());

function clientOf({ url, model, dimensions }: EmbeddingsEndpoint) {
  const [spec] = specsOf({ local: { kind: 'openai', model, baseUrl: url, dimensions } }).openai.values();
  return openAiEncoder(spec, { ...quickTransport(), callMilliseconds: 60_000 });
}

test('the vectors of the encoder itself come by HTTP, on loopback', async () => {
  expect(endpoint).toMatchObject({ model: 'all-MiniLM-L6-v2', dimensions: 384 });
  expect(endpoint.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const spent: CallUsage[] = [];
  const client = clientOf(endpoint).metered?.({ spend: (usage) => spent.push(usage) });
  const found = await client?.encode(TEXTS);
  const own = await (await transformersEncoder()).encode(TEXTS);
  const expected = own.map(({ sentence }, i) =>
    TEXTS[i] === '' ? new Float32Array(384) : normalizeRows(Float32Array.from(sentence), 1, 384),
  );
  expect(found?.map(({ sentence }) => sentence)).toEqual(expected);
  // The text of nothing is not sent.
  const tokens = own.reduce((sum, { tokenIds }, i) => sum + (TEXTS[i] === '' ? 0 : tokenIds.length), 0);
  expect(spent).toEqual([{ requests: 1, promptTokens: tokens, completionTokens: 0, cost: null }]);
});

test('in base64 too, which clients of OpenAI ask for by themselves; one text need not be a list', async () => {
  const openai = new OpenAI({ baseURL: endpoint.url, apiKey: 'none', maxRetries: 0 });
  const ask = { model: endpoint.model, input: TEXTS[0] };
  const [packed] = (await openai.embeddings.create(ask)).data;
  const [plain] = (await openai.embeddings.create({ ...ask, encoding_format: 'float' })).data;
  expect(packed.embedding).toHaveLength(384);
  expect(packed.embedding).toEqual(plain.embedding);
});

test.each([
  ['another model', { model: 'gpt', input: ['a'] }, 404],
  ['no texts', { model: 'all-MiniLM-L6-v2', input: [] }, 400],
  ['a text of nothing', { model: 'all-MiniLM-L6-v2', input: [''] }, 400],
  ['no object', [], 400],
])('%s is refused in the form of OpenAI', async (_, body, status) => {
  const answer = await fetch(`${endpoint.url}/embeddings`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { message: expect.any(String) } });
});

test('a port that is taken is told', async () => {
  const port = Number(new URL(endpoint.url).port);
  await expect(startEmbeddingsEndpoint(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
