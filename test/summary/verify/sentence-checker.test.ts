import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transformersEncoder } from '../../../src/models/index.node.ts';
import { sentenceChecker } from '../../../src/summary/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { HONEST, PAIRS, type Pair, REFERENCE } from './pairs.ts';

const asSentence = ({ sentence, quotes }: Pair) => ({ text: sentence, quotes, allowedNames: [] });

describe('every text is encoded once', () => {
  test.each([{}, { tokenDimensions: 0 }])('%j', async (profile) => {
    const encoder = new HashedWordsEncoder(profile);
    const checker = sentenceChecker({
      encode: (texts) => encoder.encode(texts),
      profile: encoder.profile,
      reference: REFERENCE,
    });
    const first = await checker.check(PAIRS.map(asSentence));
    expect(encoder.calls.length).toBeLessThanOrEqual(2);
    expect(await checker.check(PAIRS.map(asSentence))).toEqual(first);
    expect(encoder.calls.length).toBeLessThanOrEqual(2);
    expect(new Set(encoder.texts).size).toBe(encoder.texts.length);
  });

  test('a failure is not kept', async () => {
    const encoder = new HashedWordsEncoder();
    let failing = true;
    const encode = async (texts: readonly string[]) => {
      if (failing) throw new Error('no encoder');
      return encoder.encode(texts);
    };
    const checker = sentenceChecker({ encode, profile: encoder.profile, reference: REFERENCE });
    const sentence = { text: REFERENCE[0], quotes: [REFERENCE[0]], allowedNames: [] };
    await expect(checker.check([sentence])).rejects.toThrow('no encoder');
    failing = false;
    expect(await checker.check([sentence])).toEqual([{ supported: true, worst: 1 }]);
  });
});

test('a reference of one text leaves no weight to nothing but new words', async () => {
  const encoder = new HashedWordsEncoder();
  const [quote] = REFERENCE;
  const encode = (texts: readonly string[]) => encoder.encode(texts);
  const checker = sentenceChecker({ encode, profile: encoder.profile, reference: [quote] });
  const [verdict] = await checker.check([{ text: `Moreover, ${quote}`, quotes: [quote], allowedNames: [] }]);
  expect(verdict.supported).toBe(true);
});

describe('a language that the encoder was not trained for', () => {
  const quote = 'Die Stadt Luxemburg hat im Jahr 2020 alle Busse und Bahnen kostenlos gemacht.';
  test.each([
    ['Im Jahr 2020 hat Luxemburg alle Busse und Bahnen kostenlos gemacht.', true],
    ['Im Jahr 2021 hat Luxemburg alle Busse und Bahnen kostenlos gemacht.', false],
    ['Wegen der hohen Mieten ziehen viele junge Familien in die Nachbarländer.', false],
  ])('%s %s', async (text, supported) => {
    const encoder = new HashedWordsEncoder();
    const checker = sentenceChecker({
      encode: (texts) => encoder.encode(texts),
      profile: encoder.profile,
      reference: [quote, 'Die Mieten steigen.', 'Der Zug ist voll.'],
    });
    const [verdict] = await checker.check([{ text, quotes: [quote], allowedNames: [] }]);
    expect(verdict.supported).toBe(supported);
    expect(encoder.calls).toEqual([]);
  });
});

test('honest sentences pass, and wrong ones do not', async () => {
  const encoder = await transformersEncoder();
  const { profile } = encoder;
  const checker = sentenceChecker({ encode: (texts) => encoder.encode(texts), profile, reference: REFERENCE });
  const verdicts = await checker.check(PAIRS.map(asSentence));
  const failed = (kinds: readonly string[]) =>
    PAIRS.filter(({ kind }, i) => kinds.includes(kind) && !verdicts[i].supported).map(({ sentence }) => sentence);
  expect(failed(['number', 'name', 'added', 'unrelated', 'planted'])).toHaveLength(12);
  expect(failed(HONEST).length).toBeLessThanOrEqual(2);
  expect(failed(['close', 'merged'])).toEqual([]);
});

describe('whatever is written', () => {
  const encoder = new HashedWordsEncoder();
  const encode = (texts: readonly string[]) => encoder.encode(texts);
  const { check } = sentenceChecker({ encode, profile: encoder.profile, reference: REFERENCE });
  const text = fc.oneof(
    fc.lorem({ mode: 'sentences', maxCount: 2 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
  );

  test('a sentence equal to one of its quotes is always supported', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), async (quote, others) => {
        fc.pre(/[\p{L}\p{N}]/u.test(quote));
        const sentence = { text: quote, quotes: [...others, quote], allowedNames: [] };
        expect(await check([sentence])).toEqual([{ supported: true, worst: 1 }]);
      }),
      { numRuns: 50 },
    );
  });

  test('a sentence with a number that no quote has is never supported', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 101, max: 99_999 }), async (start, n) => {
        fc.pre(!/\p{N}/u.test(start));
        const sentence = { text: `${start} It was ${n} in all.`, quotes: [`${start} It was in all.`] };
        expect(await check([{ ...sentence, allowedNames: [`The ${n} report`] }])).toMatchObject([{ supported: false }]);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['It gets hot, said Ana Weber in 2021.', true],
    ['Speaker A: it gets hot, said ANA WEBER in 2021', true],
    ['It is not true that the heater is safe.', true],
    ['It cost 12.', false],
    ['It gets hot, said Bob Weber in 2021.', false],
  ])('the wording of whole sentences is supported, a part of one is not: %s', async (sentence, supported) => {
    const quote = 'It is not true that the heater is safe. It gets hot, said Ana Weber in 2021. It cost 12.50 euros.';
    const [verdict] = await check([{ text: sentence, quotes: [quote], allowedNames: ['Speaker A'] }]);
    expect(verdict.supported).toBe(supported);
  });
});
