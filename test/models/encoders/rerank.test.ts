import { expect, test } from 'vitest';
import { isReranker, type Reranker, reranker } from '../../../src/models/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { embeddingServer } from './embedding-server.ts';
import { quickTransport, specsOf } from './transport.ts';

function rerankerAt(baseUrl: string, more: object = {}, environment: Readonly<Record<string, string>> = {}): Reranker {
  const [spec] = specsOf({ r: { kind: 'rerank', model: 'words', baseUrl, ...more } }, environment).rerank.values();
  return reranker(spec, quickTransport());
}

test('scores in the order of the texts, whatever the order of the answer', async () => {
  const server = await embeddingServer();
  const scorer = rerankerAt(server.baseUrl);
  const texts = ['slugs', 'the tram line opens', 'tram'];
  expect([...(await scorer.score('tram line', texts))]).toEqual([0, 1, 0.5]);
  expect(server.asked[0].path).toBe('/v1/rerank');
  expect(server.asked[0].body).toEqual({
    ...{ model: 'words', query: 'tram line', documents: texts, top_n: 3, return_documents: false },
  });
  expect(scorer.profile).toEqual({
    ...{ id: `rerank/${new URL(server.baseUrl).host}/words`, languages: null, matched: 0.1 },
  });
  expect([isReranker(scorer), isReranker(new HashedWordsEncoder())]).toEqual([true, false]);
  expect(await scorer.score('tram', [])).toHaveLength(0);
  expect(server.asked).toHaveLength(1);
});

test('500 documents a request; the same text is sent once, a blank one never', async () => {
  const server = await embeddingServer();
  const texts = Array.from({ length: 1100 }, (_, i) => `tram ${i}`);
  const scores = await rerankerAt(server.baseUrl).score('tram 7', [...texts, ' ', 'tram 7', '']);
  const sizes = server.asked.map(({ body }) => body.documents?.length ?? 0);
  expect(sizes.sort((a, b) => b - a)).toEqual([500, 500, 100]);
  expect([scores[7], scores[8], scores[1100], scores[1101], scores[1102]]).toEqual([1, 0.5, 0, 1, 0]);
});

test.each<[string, unknown]>([
  ['Voyage', { data: [{ index: 1, relevance_score: -2 }, ...[{ index: 0, relevance_score: 3 }]] }],
  ['scores by another name', { results: [{ index: 1, score: -2 }, ...[{ index: 0, score: 3 }]] }],
  ['a list alone', [{ index: 0, score: 3 }, ...[{ index: 1, score: -2 }]]],
])('the answer of %s; a blank text is the least relevant', async (_, body) => {
  const server = await embeddingServer();
  server.instead.push({ raw: JSON.stringify(body) });
  expect([...(await rerankerAt(server.baseUrl).score('q', ['a', 'b', '']))]).toEqual([3, -2, -2]);
});

test.each([
  ['a score too few', { raw: '{"results":[{"index":0,"relevance_score":1}]}' }, 'malformed', 3],
  ...['1e999', '-1e999', 'null', '"NaN"'].map(
    (score) =>
      [
        `a score of ${score}`,
        { raw: `{"results":[{"index":0,"relevance_score":1},{"index":1,"score":${score}}]}` },
        'malformed',
        3,
      ] as const,
  ),
  ['another schema', { raw: '{"scores":[1,2]}' }, 'malformed', 3],
  ['an unknown address', { raw: '{"detail":"Not Found"}', status: 404 }, 'refused', 1],
  ['a server that fails', { status: 500 }, 'server', 3],
] as const)('%s is a ModelCallError', async (_, instead, failure, requests) => {
  const server = await embeddingServer();
  server.instead.push(instead, instead, instead);
  await expect(rerankerAt(server.baseUrl).score('tram', ['a', 'b'])).rejects.toMatchObject({
    name: 'ModelCallError',
    failure,
    message: expect.stringMatching(/^The model "words" cannot be used: /),
    usage: { requests },
  });
});
