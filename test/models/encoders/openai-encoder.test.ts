import { expect, test } from 'vitest';
import type { OpenAiSpec } from '../../../src/models/encoders/encoder-specs.ts';
import { type CallUsage, openAiEncoder } from '../../../src/models/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { until } from '../../support/until.ts';
import { type EmbeddingServer, embeddingServer, openAiSpecFor } from './embedding-server.ts';
import { quickTransport, specsOf } from './transport.ts';

const TRANSPORT = quickTransport();

function specOf(spec: object, environment: Readonly<Record<string, string>> = {}): OpenAiSpec {
  const [found] = specsOf({ e: spec }, environment).openai.values();
  return found;
}

const encoderFor = (server: EmbeddingServer, more: object = {}) =>
  openAiEncoder(specOf({ ...openAiSpecFor(server), ...more }), TRANSPORT);

test('unit vectors in the order of the texts, whatever the order of the answer; no tokens', async () => {
  const server = await embeddingServer();
  const encoder = encoderFor(server);
  const texts = ['trams run', 'slugs avoid copper', 'the council decided'];
  const found = await encoder.encode(texts);
  const expected = await new HashedWordsEncoder({ tokenDimensions: 0 }).encode(texts);
  found.forEach(({ sentence, tokens, tokenIds }, i) => {
    sentence.forEach((v, c) => {
      expect(v).toBeCloseTo(expected[i].sentence[c], 6);
    });
    expect(Math.hypot(...sentence)).toBeCloseTo(1, 5);
    expect([tokens.length, tokenIds.length]).toEqual([0, 0]);
  });
  expect(server.asked).toHaveLength(1);
  expect(server.asked[0].body).toEqual({ model: 'hashed-words', input: texts, encoding_format: 'float' });
  expect(encoder.profile).toMatchObject({ sentenceDimensions: 128, tokenDimensions: 0, languages: null });
  expect(await encoder.encode([])).toEqual([]);
});

test('at most 64 texts and 100,000 characters a request, at most four requests at once', async () => {
  // Long enough that requests that are sent at once are there at once, on a busy machine too.
  const server = await embeddingServer(200);
  const encoder = encoderFor(server);
  const many = Array.from({ length: 600 }, (_, i) => `statement ${i}`);
  const found = await encoder.encode(many);
  const sizes = server.asked.map(({ body }) => body.input?.length ?? 0);
  expect(sizes.sort((a, b) => b - a)).toEqual([...new Array(9).fill(64), 24]);
  expect([...server.embedded()].sort()).toEqual([...many].sort());
  expect(server.most()).toBe(4);
  const [alone] = await encoder.encode([many[599]]);
  expect(found[599]).toEqual(alone);
  server.asked.length = 0;
  await encoder.encode(Array.from({ length: 30 }, (_, i) => `${i} `.repeat(4000)));
  for (const { body } of server.asked) expect((body.input as string[]).join('').length).toBeLessThanOrEqual(100_000);
});

test('a request ends with its caller', async () => {
  const server = await embeddingServer(0, new Promise(() => {}));
  const controller = new AbortController();
  const spent: number[] = [];
  const caller = { spend: ({ requests }: CallUsage) => spent.push(requests), signal: controller.signal };
  const encoding = encoderFor(server).metered?.(caller).encode(['tram']);
  await Promise.all([
    expect(encoding).rejects.toMatchObject({ failure: 'cancelled' }),
    until('the request', () => server.asked.length === 1).then(() => controller.abort()),
  ]);
  await until('the connection to end', () => server.asked[0].timeOut !== null);
  expect(spent).toEqual([1]);
});

test('the profile is of the model, the place and the processing', async () => {
  const base = { kind: 'openai', model: 'm', dimensions: 4, baseUrl: 'http://h:8/v1' };
  const ids = [
    base,
    { ...base, model: 'n' },
    { ...base, dimensions: 5 },
    { ...base, baseUrl: 'http://i:8/v1' },
    { ...base, queryPrefix: 'a' },
    { ...base, textPrefix: 'a' },
    { ...base, maxCharacters: 10 },
  ].map((spec) => openAiEncoder(specOf(spec), TRANSPORT).profile.id);
  expect(ids[0]).toBe('openai/h:8/m/4');
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ['no key', { status: 401 }, 'refused', 1],
  ['no quota', { status: 429, error: { code: 'insufficient_quota' } }, 'quota', 1],
  ['a server that fails', { status: 503, error: { message: 'overloaded by the secret tram' } }, 'server', 3],
  ['another schema', { raw: '{"vectors":[]}' }, 'malformed', 3],
  ['too few vectors', { raw: '{"data":[]}' }, 'malformed', 3],
  ['another index', { raw: '{"data":[{"index":1,"embedding":[1]}]}' }, 'malformed', 3],
] as const)('%s is a ModelCallError that names the model', async (_, instead, failure, requests) => {
  const server = await embeddingServer();
  server.instead.push(instead, instead, instead);
  await expect(encoderFor(server).encode(['the secret tram'])).rejects.toMatchObject({
    name: 'ModelCallError',
    failure,
    message: expect.stringMatching(/^The model "hashed-words" cannot be used: (?!.*secret)/),
    usage: { requests },
  });
});
