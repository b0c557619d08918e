import { describe, expect, test } from 'vitest';
import { bm25Scores, keywordScores } from '../../../src/lab/retrieval/score-documents.ts';
import fc from '../../support/seeded-fast-check.ts';
import { anyTexts } from './samples.ts';

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

  test('takes inflected words for the same', () => {
    const [walls] = bm25Scores('stone walls', texts.slice(2));
    expect(walls).toBe(bm25Scores('Stone wall', texts.slice(2))[0]);
    expect(walls).toBeGreaterThan(0);
  });

  test('holds for texts without words', () => {
    expect([...bm25Scores('fox', ['', '—'])]).toEqual([0, 0]);
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
