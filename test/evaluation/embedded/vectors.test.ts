import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centredCosines } from '../../../src/evaluation/embedded/found-shares.ts';
import { passagesOf } from '../../../src/evaluation/embedded/passages.ts';
import { type Judge, wholePassage } from '../../../src/evaluation/index.ts';
import type { Encoder } from '../../../src/models/index.ts';
import { openDatabase } from '../../../src/store/index.node.ts';
import { storeCache } from '../../../src/store/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { judged } from './judging.ts';

const plain = () => new HashedWordsEncoder({ id: 'plain/1', tokenDimensions: 0 });
const byVectors = <T>(ask: (judge: Judge) => Promise<T>) => judged(ask, plain());

/** Vectors as they are given, one a text. */
function given(vectors: Readonly<Record<string, readonly number[]>>): Encoder {
  const { profile } = new HashedWordsEncoder({ id: 'given/1', tokenDimensions: 0, sentenceDimensions: 3 });
  return {
    profile,
    encode: async (texts) =>
      texts.map((text) => ({
        sentence: Float32Array.from(vectors[text]),
        tokens: new Int8Array(0),
        tokenIds: new Int32Array(0),
      })),
  };
}

const SENTENCES = [
  'The council approved the congestion charge in May.',
  'The council rejected the congestion charge in May.',
  'Revenue of Siemens rose 12% in 2020.',
  'Revenue of Siemens rose 14% in 2021.',
  'Slugs avoid copper rings.',
  'It is what it is.',
  '市议会批准了。',
  '👍',
];
const texts = fc.array(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 5 });

describe('by sentence vectors', () => {
  test('coverage does not change by a bit with the order; an insight that is a bullet is covered', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (insights, others) => {
        const bullets = [...others, insights[0]];
        const found = await byVectors((judge) => judge.coverage(insights, bullets));
        const turned = await byVectors((judge) => judge.coverage(insights.toReversed(), bullets.toReversed()));
        expect(turned.reverse().map(({ score }) => score)).toEqual(found.map(({ score }) => score));
        expect(found.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
        if (/[a-z]/.test(insights[0])) expect(found[0].level).toBe(100);
      }),
      { numRuns: 15, seed: 5 },
    );
  });

  test('numbers, names and negation decide entailment', async () => {
    const claim = 'Revenue of Siemens rose 12% in 2020.';
    const said = [
      'In 2020 the revenue of Siemens rose 12 percent. Bakers slept.',
      'Revenue of Siemens rose 14% in 2020.',
      'Revenue of Bosch rose 12% in 2020.',
      'Revenue of Siemens did not rise 12% in 2020.',
      'Slugs avoid copper rings.',
    ];
    const found = await byVectors((judge) => judge.entailment(said.map((text) => ({ claim, texts: [text] }))));
    expect(found.map(({ holds }) => holds)).toEqual([true, false, false, false, false]);
  });

  test('a text without words that matter is told where it stands, not by any other', async () => {
    const found = await byVectors((judge) => judge.coverage(['It is what it is.'], ['Slugs avoid copper rings.']));
    expect(found[0].level).toBe(0);
    const same = await byVectors((judge) => judge.coverage(['It is what it is.'], ['It is what it is.']));
    expect(same[0].level).toBe(100);
  });

  test('the same words tell more where the vectors are near', async () => {
    const [near, far] = ['Fares went up by a fifth.', 'Fares amuse the pigeons.'];
    const claim = 'Fares rose in spring.';
    const encoder = given({ [claim]: [1, 0, 0], [near]: [0.8, 0.6, 0], [far]: [0, 0, 1] });
    const [found] = await judged((judge) => judge.coverage([claim], [far, near]), encoder);
    expect(found.bullet).toBe(1);
  });

  test('in a language that the encoder does not know, words alone decide, and nothing is encoded', async () => {
    const encoder = plain();
    const { found, warnings } = await judged(async (judge) => {
      const found = await judge.coverage(['市议会批准了拥堵费。'], ['市议会批准了拥堵费。', '蜗牛避开铜环。']);
      return { found, warnings: judge.warnings() };
    }, encoder);
    expect(found).toMatchObject([{ level: 100, bullet: 0 }]);
    expect(warnings).toEqual([expect.stringContaining('plain/1')]);
    expect(encoder.texts).toEqual([]);
  });

  test('reads what is stored, and encodes nothing twice', async () => {
    const encoder = plain();
    await judged(async (judge) => {
      await judge.coverage(SENTENCES.slice(0, 3), SENTENCES.slice(2, 5));
      await judge.coverage(SENTENCES.slice(2, 5), SENTENCES.slice(0, 3));
    }, encoder);
    expect(encoder.texts.toSorted()).toEqual(SENTENCES.slice(0, 5).toSorted());
  });
});

describe('centred cosines', () => {
  const cosines = async (encoder: Encoder, reference: string, text: string) => {
    const database = openDatabase(':memory:');
    try {
      return [...(await centredCosines([{ reference, passages: passagesOf(text) }], encoder, storeCache(database)))[0]];
    } finally {
      database.close();
    }
  };

  test('two sentences together come as near as their sum, which is nearer than either', async () => {
    const encoder = given({ 'Both.': [0.6, 0.8, 0], 'One.': [1, 0, 0], 'Two.': [0, 1, 0] });
    const [one, both, two] = await cosines(encoder, 'Both.', 'One. Two.');
    expect(both).toBeGreaterThan(Math.max(one, two));
    // By hand: n / (n + 5) of the mean is a fifth of (0.533, 0.6, 0) times 15 / 8.
    const centred = (x: number, y: number) => [x - 1.6 / 8, y - 1.8 / 8];
    const [r, a] = [centred(0.6, 0.8), centred(1, 0)];
    expect(one).toBeCloseTo((r[0] * a[0] + r[1] * a[1]) / (Math.hypot(...r) * Math.hypot(...a)), 6);
  });

  test('what all texts share makes none of them near', async () => {
    const high = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`T${i}.`, [Math.cos((i * Math.PI) / 6), Math.sin((i * Math.PI) / 6), 2]]),
    );
    for (const [text, vector] of Object.entries(high)) {
      const length = Math.hypot(...vector);
      high[text] = vector.map((value) => value / length);
    }
    const database = openDatabase(':memory:');
    const passages = Object.keys(high).map(wholePassage);
    const [found] = await centredCosines([{ reference: 'T0.', passages }], given(high), storeCache(database));
    database.close();
    expect(found[0]).toBeCloseTo(1, 9);
    // Across: 0.8 as they are.
    expect(found[3]).toBeLessThan(0.4);
    expect(found[6]).toBe(0);
  });

  test('no passage, no sentence, no vector: nothing is near', async () => {
    expect(await cosines(plain(), 'Trams run.', '')).toEqual([]);
    const database = openDatabase(':memory:');
    const passages = [wholePassage(' '), wholePassage('None.')];
    const encoder = given({ 'None.': [0, 0, 0], 'Some.': [1, 0, 0] });
    const [found] = await centredCosines([{ reference: 'Some.', passages }], encoder, storeCache(database));
    database.close();
    expect([...found]).toEqual([0, 0]);
  });
});
