import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkSentence } from '../../../src/summary/verify/sentence-checker.ts';

const QUOTE = 'It is not true that the heater is safe. It gets hot, said Ana Weber in 2021.';
const base = { quotes: [QUOTE], allowedNames: [], recall: 0.9, cosine: null, level: 0.7 };

describe('a sentence is checked', () => {
  test('what is well found is supported', () => {
    expect(checkSentence({ ...base, text: 'The heater gets hot, Ana Weber said.' })).toEqual({
      supported: true,
      score: 0.9,
      reasons: [],
      worst: null,
    });
  });

  test.each([
    ['words', { recall: 0.69 }],
    ['words', { recall: null }],
    ['words', { weakest: { recall: 0.4, level: 0.5 } }],
    ['number', { text: 'It got hot in 2020.' }],
    ['name', { text: 'It gets hot, said Bob Weber.' }],
  ] as const)('%s: %j', (reason, change) => {
    const verdict = checkSentence({ ...base, text: 'It gets very hot.', ...change });
    expect(verdict.supported).toBe(false);
    expect(verdict.reasons).toContain(reason);
  });

  test('recall of words and cosine are averaged', () => {
    expect(checkSentence({ ...base, text: 'It becomes hot.', recall: 0.6, cosine: 0.7 }).score).toBeCloseTo(0.65, 12);
  });

  test('nothing supports a sentence without quotes', () => {
    expect(checkSentence({ ...base, text: 'It gets hot.', quotes: [], recall: 1 }).supported).toBe(false);
  });
});

describe('wording of a quote', () => {
  test.each([
    'It gets hot, said Ana Weber in 2021.',
    '  it gets hot, said ANA WEBER in 2021 ',
    QUOTE,
    'Speaker A: It gets hot, said Ana Weber in 2021.',
  ])('%s', (text) => {
    const verdict = checkSentence({ ...base, text, allowedNames: ['Speaker A'], recall: 0 });
    expect(verdict).toEqual({ supported: true, score: 1, reasons: [], worst: 1 });
  });

  test('a part is none: it can leave out that it is denied', () => {
    const quotes = ['The committee did not say that the heater is safe'];
    expect(checkSentence({ ...base, quotes, text: 'The heater is safe.', recall: 0.2 })).toMatchObject({
      supported: false,
      score: 0.2,
    });
  });

  test('a number cut in two is not wording of the quote', () => {
    expect(
      checkSentence({ ...base, quotes: ['It cost 12.50 euros.'], text: 'It cost 12.', recall: 0.1 }).supported,
    ).toBe(false);
  });
});

const text = fc.oneof(
  fc.lorem({ mode: 'sentences', maxCount: 2 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
);

test('a sentence equal to one of its quotes is always supported', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), fc.nat(3), (quote, others, at) => {
      fc.pre(/[\p{L}\p{N}]/u.test(quote));
      const quotes = [...others.slice(0, at), quote, ...others.slice(at)];
      expect(checkSentence({ ...base, text: quote, quotes, recall: 0 })).toMatchObject({ supported: true, score: 1 });
    }),
    { numRuns: 100 },
  );
});

test('a sentence with a number that no quote has is never supported', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), fc.integer({ min: 101, max: 99_999 }), (start, quotes, n) => {
      fc.pre(!quotes.some((quote) => /\p{N}/u.test(quote)));
      const sentence = `${start} It was ${n} in all.`;
      const allowedNames = [`The ${n} report`];
      const verdict = checkSentence({ ...base, text: sentence, quotes, allowedNames, recall: 1 });
      expect(verdict.supported).toBe(false);
    }),
    { numRuns: 100 },
  );
});
