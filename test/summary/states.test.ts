import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMBEDDED, transformersEncoder } from '../../src/models/index.node.ts';
import { echoes, sentenceChecker, states } from '../../src/summary/index.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { TEXTS } from './collections.ts';
import { NOT_STATED, STATED } from './stated-pairs.ts';

const MODELS = process.env.TESSERA_TEST_MODELS ?? '/work/shared/models';
const SENTENCES = TEXTS.flatMap((text) => text.match(/[^.?]+[.?](?=\s|$)/gu) ?? [])
  .map((sentence) => sentence.trim())
  .filter((sentence) => sentence.endsWith('.') && !/\d\.$/u.test(sentence));

/** Holds claims against evidence as a digest does, with S of a pair that is close. */
function stater(encoder: HashedWordsEncoder | Awaited<ReturnType<typeof transformersEncoder>>) {
  const checker = sentenceChecker({
    encode: (texts) => encoder.encode(texts),
    profile: encoder.profile,
    reference: SENTENCES,
  });
  return async (claim: string, evidence: string, similarity = 0.8): Promise<boolean> => {
    const [verdict] = await checker.check([{ text: claim, quotes: [evidence], allowedNames: [] }]);
    const found = encoder.profile.calibration.supported.tokens;
    return states(claim, { text: evidence, names: [] }, { verdict, similarity, found });
  };
}

describe('whatever the encoder', () => {
  const isStated = stater(new HashedWordsEncoder());
  const sentence = fc.constantFrom(...SENTENCES);

  test('a sentence states itself, in any case and with any end', async () => {
    await fc.assert(
      fc.asyncProperty(sentence, fc.constantFrom('', '!', '…', ' '), fc.boolean(), async (text, end, isUpper) => {
        const other = `${isUpper ? text.toUpperCase() : text}`.replace(/\.$/u, end);
        expect(await isStated(text, other)).toBe(true);
        expect(await isStated(other, text)).toBe(true);
      }),
    );
  });

  test('another number is another statement', async () => {
    const counted = fc.constantFrom(...SENTENCES.filter((text) => /\d/u.test(text)));
    await fc.assert(
      fc.asyncProperty(counted, fc.integer({ min: 1, max: 9 }), async (text, more) => {
        const other = text.replace(/\d/u, (digit) => String(((Number(digit) + more - 1) % 9) + 1));
        fc.pre(other !== text);
        expect(await isStated(text, other)).toBe(false);
        expect(await isStated(other, text)).toBe(false);
      }),
    );
  });

  test('a denial is another statement', async () => {
    const affirming = SENTENCES.filter((text) => / (?:is|was|were|will|can|are) (?!not)/u.test(text));
    for (const text of affirming) {
      const other = text.replace(/ (is|was|were|will|can|are) /u, ' $1 not ');
      expect([other, await isStated(text, other), await isStated(other, text)]).toEqual([other, false, false]);
    }
  });

  test('what is in another language counts only in its own wording', async () => {
    const [claim, near] = ['Die Brücke ist seit Montag gesperrt.', 'Die Brücke ist seit Montag ganz gesperrt.'];
    expect([await isStated(claim, claim), await isStated(claim, near)]).toEqual([true, false]);
  });
});

describe.runIf(existsSync(`${MODELS}/all-MiniLM-L6-v2`))('all-MiniLM-L6-v2', async () => {
  const isStated = existsSync(MODELS)
    ? stater(await transformersEncoder({ ...EMBEDDED, models: MODELS }))
    : async () => true;

  test.each(STATED)('“%s” is stated by “%s”', async (claim, evidence) => {
    expect(await isStated(claim, evidence)).toBe(true);
  });

  test.each(NOT_STATED)('“%s” is not stated by “%s”', async (claim, evidence) => {
    expect(await isStated(claim, evidence)).toBe(false);
  });
});

describe('echoes', () => {
  const claim = 'Homeschooling lets parents choose what children learn.';
  const evidence = { text: 'Parents who teach at home can decide what children learn.', names: [] };
  const many = { similarity: 0.5, documents: 12, familiar: 0.6 };

  test('the more agree, the further the wording may lie', () => {
    expect(echoes(claim, evidence, many)).toBe(true);
    expect(echoes(claim, evidence, { ...many, documents: 5 })).toBe(false);
    expect(echoes(claim, evidence, { ...many, similarity: 0.55, documents: 5 })).toBe(true);
    expect(echoes(claim, evidence, { ...many, similarity: 0.9, documents: 4 })).toBe(false);
  });

  test('not with figures or other names', () => {
    expect(echoes('A third of homeschooled children lack 2 friends.', evidence, many)).toBe(false);
    expect(echoes('Homeschooled children in Norway lack contact.', evidence, many)).toBe(false);
  });
});
