import { describe, expect, test } from 'vitest';
import { embeddingScores, rerankerScores } from '../../../src/lab/retrieval/score-documents.ts';
import type { Encoder, Reranker } from '../../../src/models/index.ts';
import { vectorCosine } from '../../../src/selection/index.ts';
import { storeCache } from '../../../src/store/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

const filler = 'Grain prices stayed where they had been all year, and nobody in the market was surprised by it. ';
const told = 'The river fox crossed the old stone bridge.';

describe('embedding', () => {
  test('finds what stands at the end of a long text', async () => {
    const encoder = new HashedWordsEncoder();
    const texts = [filler.repeat(40) + told, filler.repeat(40), told];
    const scores = await embeddingScores('river fox bridge', texts, encoder, storeCache(memoryDatabase()));
    expect(scores[0]).toBeGreaterThan(scores[1] + 0.1);
    expect(scores[2]).toBeGreaterThanOrEqual(scores[0]);
    expect(Math.max(...encoder.texts.map((text) => text.length))).toBeLessThanOrEqual(480);
  });

  test('is the cosine with a text that is read at once, and the least there is with one of nothing', async () => {
    const encoder = new HashedWordsEncoder();
    const [[{ sentence: a }], [{ sentence: b }]] = [await encoder.encode(['river fox']), await encoder.encode([told])];
    const scores = await embeddingScores('river fox', [told, ' '], encoder, storeCache(memoryDatabase()));
    expect([...scores]).toEqual([vectorCosine(a, b), -1]);
  });

  test('gives an encoder of documents as much of them as it reads, and questions as it wants them', async () => {
    const inner = new HashedWordsEncoder({ tokenDimensions: 0 });
    const asked: string[] = [];
    const text = (filler.repeat(40) + told).trim();
    const encoder: Encoder = {
      profile: { ...inner.profile, wholeBytes: text.length },
      encode: (texts) => inner.encode(texts),
      encodeQueries: (texts) => {
        asked.push(...texts);
        return inner.encode(texts.map((text) => `query: ${text}`));
      },
    };
    await embeddingScores('river fox', [text], encoder, storeCache(memoryDatabase()));
    expect(asked).toEqual(['river fox']);
    expect(inner.texts).toContain(text);
    const before = inner.texts.length;
    const short: Encoder = { ...encoder, profile: { ...inner.profile, wholeBytes: text.length - 1 } };
    await embeddingScores('river fox', [text], short, storeCache(memoryDatabase()));
    expect(inner.texts.slice(before)).not.toContain(text);
  });

  test('keeps the vectors of texts', async () => {
    const encoder = new HashedWordsEncoder();
    const database = memoryDatabase();
    const first = await embeddingScores('river', [told, filler], encoder, storeCache(database));
    const before = encoder.texts.length;
    expect(await embeddingScores('river', [told, filler], encoder, storeCache(database))).toEqual(first);
    expect(encoder.texts.slice(before)).toEqual(['river']);
  });
});

describe('reranker', () => {
  function counting(id: string) {
    const asked: string[][] = [];
    const reranker: Reranker = {
      profile: { id, languages: null, matched: 0.1 },
      async score(query, texts) {
        asked.push([query, ...texts]);
        return Float64Array.from(texts, (text) => text.length / 100 + asked.length);
      },
    };
    return { reranker, asked };
  }

  test('is asked once for a text, a query and a model', async () => {
    const database = memoryDatabase();
    const { reranker, asked } = counting('rerank/one');
    const first = await rerankerScores('river', ['a', 'bb', 'a'], reranker, storeCache(database));
    expect([...first]).toEqual([1.01, 1.02, 1.01]);
    const more = await rerankerScores('river', ['bb', 'ccc'], reranker, storeCache(database));
    expect([...more]).toEqual([1.02, 2.03]);
    expect(asked).toEqual([
      ['river', 'a', 'bb'],
      ['river', 'ccc'],
    ]);
    await rerankerScores('fox', ['a'], reranker, storeCache(database));
    const other = counting('rerank/two');
    await rerankerScores('river', ['a'], other.reranker, storeCache(database));
    expect([asked.length, other.asked.length]).toEqual([3, 1]);
  });
});
