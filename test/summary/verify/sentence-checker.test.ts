import { describe, expect, test } from 'vitest';
import { transformersEncoder } from '../../../src/models/index.node.ts';
import { sentenceChecker } from '../../../src/summary/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { HONEST, PAIRS, type Pair, REFERENCE } from './pairs.ts';

const asSentence = ({ sentence, quotes }: Pair) => ({ text: sentence, quotes, allowedNames: [], language: 'eng' });

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
    expect(await checker.check([sentence])).toMatchObject([{ supported: true, score: 1 }]);
  });
});

test('a reference of one text leaves no weight to nothing but new words', async () => {
  const encoder = new HashedWordsEncoder();
  const [quote] = REFERENCE;
  const encode = (texts: readonly string[]) => encoder.encode(texts);
  const checker = sentenceChecker({ encode, profile: encoder.profile, reference: [quote] });
  const [verdict] = await checker.check([{ text: `Moreover, ${quote}`, quotes: [quote], allowedNames: [] }]);
  expect(verdict.supported).toBe(true);
  expect(verdict.score).toBeGreaterThan(0.8);
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

test.each([true, false])('honest sentences pass and wrong ones do not; tokens: %s', async (hasTokens) => {
  const encoder = await transformersEncoder();
  const profile = { ...encoder.profile, ...(!hasTokens && { tokenDimensions: 0 }) };
  const checker = sentenceChecker({ encode: (texts) => encoder.encode(texts), profile, reference: REFERENCE });
  const verdicts = await checker.check(PAIRS.map(asSentence));
  // What is turned around is for `contradict` to tell.
  const passed = (isHonest: boolean) =>
    PAIRS.flatMap(({ kind, sentence }, i) =>
      kind !== 'negation' && (HONEST as readonly string[]).includes(kind) === isHonest
        ? [[sentence, verdicts[i].supported] as const]
        : [],
    );
  expect(passed(false).filter(([, supported]) => supported)).toEqual([]);
  const honest = passed(true);
  expect(honest.filter(([, supported]) => supported).length).toBeGreaterThanOrEqual(0.8 * honest.length);
  const close = PAIRS.flatMap(({ kind }, i) => (kind === 'close' || kind === 'merged' ? [verdicts[i]] : []));
  expect(close.filter(({ supported }) => !supported)).toEqual([]);
});
