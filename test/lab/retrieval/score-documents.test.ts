import { describe, expect, test } from 'vitest';
import {
  amountsOf,
  bm25Scores,
  embeddingScores,
  keywordScores,
  rerankerScores,
} from '../../../src/lab/retrieval/score-documents.ts';
import type { Encoder, Reranker } from '../../../src/models/index.ts';
import { vectorCosine } from '../../../src/selection/index.ts';
import { storeCache } from '../../../src/store/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import fc from '../../support/seeded-fast-check.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { anyTexts, caseOf } from './samples.ts';

describe('BM25', () => {
  const texts = [
    'the red fox met a red dog near the river',
    'a dog ran',
    'river water rose past the old stone wall and the red door of the mill by noon',
    'corn price rose',
  ];

  test('is what the formula gives elsewhere', () => {
    // python3, with D the lower-cased words of the texts, q those of the query, and A the mean length:
    // [sum(math.log(1 + (4 - n(t) + .5) / (n(t) + .5)) * d.count(t) / (1.2 * (.25 + .75 * len(d) / A) + d.count(t))
    //   for t in q) for d in D], where n = lambda t: sum(t in d for d in D)
    const scores = bm25Scores('red river red fox unicorn', texts);
    [1.611125747605, 0, 0.659188961339, 0].forEach((expected, i) => {
      expect(scores[i]).toBeCloseTo(expected, 11);
    });
  });

  test('of a text does not depend on where the others stand', () => {
    fc.assert(
      fc.property(anyTexts, (given) => {
        const turned = [...bm25Scores('river fox', given.toReversed())].reverse();
        expect(turned).toEqual([...bm25Scores('river fox', given)]);
      }),
    );
  });
});

describe('keywords', () => {
  test('are the content words of the query, each as good as the other', () => {
    const query = 'What did the people say about farmers, rivers and foxglove?';
    const scores = keywordScores(query, [
      'The farmer by the river.',
      'Rivers, rivers, RIVERS',
      'What people say about the',
      '',
    ]);
    expect([...scores]).toEqual([2 / 3, 1 / 3, 0, 0]);
  });

  test('are all words where the query holds no other', () => {
    expect([...keywordScores('Who said what?', ['They said it', 'Nothing'])]).toEqual([1 / 3, 0]);
  });
});

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

const insights = [
  { id: 'i1', text: 'x', documents: ['a', 'b', 'a'] },
  { id: 'i2', text: 'y', documents: ['a'] },
];
const question = { question: 'q', answer: 'a', position: 0 };
const questions = [
  { ...question, document: 'b', relevant: true },
  { ...question, document: 'b' },
  { ...question, document: 'c', relevant: false },
];
const passages = [
  { document: 'c', start: 25, end: 40 },
  { document: 'c', start: 10, end: 30 },
  { document: 'c', start: 12, end: 20 },
  { document: 'd', start: 0, end: 5 },
];
const nuggets = [
  {
    id: 'n',
    question: 'q',
    answers: [
      { text: 'x', documents: ['e', 'f'] },
      { text: 'y', documents: ['e', 'h'] },
    ],
  },
  { id: 'm', question: 'q', answers: [{ text: 'z', documents: ['f'] }, { text: 'w' }] },
  { id: 'o', question: 'q' },
];
const keyPoints = [{ text: 'k', spans: [{ document: 'g', start: 0, end: 1 }] }];

test('what is known first counts', () => {
  const all = { insights, questions, passages, nuggets, keyPoints };
  const amounts = (fields: Partial<typeof all>) => Object.fromEntries(amountsOf(caseOf(fields), ''));
  expect(amounts(all)).toEqual({ a: 2, b: 1 });
  const unsourced = { ...all, insights: insights.map(({ id, text }) => ({ id, text, documents: [] })) };
  expect(amounts(unsourced)).toEqual({ b: 2 });
  expect(amounts({ passages, nuggets, keyPoints })).toEqual({ c: 3, d: 1 });
  expect(amounts({ nuggets, keyPoints })).toEqual({ e: 1, f: 2, h: 1 });
  expect(amounts({ keyPoints })).toEqual({ g: 1 });
  expect(amounts({ questions: questions.slice(2), passages })).toEqual({ c: 3, d: 1 });
  expect(() => amounts({})).toThrow(/names no document/);
});
