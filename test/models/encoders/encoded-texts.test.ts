import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  type Encoder,
  type Encoding,
  encodedTokens,
  encodeTexts,
  textsUnderWay,
  type WorkCache,
} from '../../../src/models/index.ts';
import { storeCache } from '../../../src/store/index.ts';
import { encodings, vectorLists } from '../../../src/store/schema.ts';
import { contentHash } from '../../../src/text/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

const many = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `statement number ${from + i} about trams`);

test('encodes each distinct text once and reads it back bit for bit', async () => {
  const database = memoryDatabase();
  const encoder = new HashedWordsEncoder();
  const texts = [...many(70), ...many(40), '', 'tram', 'tram'];
  const found = await encodeTexts(encoder, storeCache(database), texts);
  expect([...encoder.texts].sort()).toEqual([...new Set(texts)].sort());
  expect(encoder.calls.every((call) => call.length <= 32)).toBe(true);
  const direct = await new HashedWordsEncoder().encode(texts);
  expect(found.sentences).toEqual(direct.map(({ sentence }) => sentence));
  expect(found.reused).toBe(0);
  const tokens = await encodedTokens(encoder, storeCache(database), texts);
  expect(tokens.map(({ tokens, tokenIds }) => ({ tokens, tokenIds }))).toEqual(
    direct.map(({ tokens, tokenIds }) => ({ tokens, tokenIds })),
  );
});

test('P9: what is in the store is not encoded again, and counted, also when it is asked for twice', async () => {
  const database = memoryDatabase();
  const encoder = new HashedWordsEncoder();
  const first = await encodeTexts(encoder, storeCache(database), many(10));
  const second = await encodeTexts(encoder, storeCache(database), [...many(12, 5), ...many(1, 5)]);
  expect(encoder.texts).toHaveLength(17);
  expect(second.reused).toBe(6);
  expect(second.sentences[0]).toEqual(first.sentences[5]);
  expect(second.sentences[12]).toEqual(second.sentences[0]);
  const third = await encodeTexts(encoder, storeCache(database), many(17));
  expect([third.reused, encoder.texts.length]).toEqual([17, 17]);
});

/** Fails on texts with this word, and else does what another does. */
class FailingEncoder implements Encoder {
  readonly inner = new HashedWordsEncoder();
  readonly profile = this.inner.profile;
  word = 'broken';

  async encode(texts: readonly string[]): Promise<Encoding[]> {
    if (this.word !== '' && texts.some((text) => text.includes(this.word))) throw new Error('out of memory');
    return this.inner.encode(texts);
  }
}

test('a batch that fails is an error; what was encoded is not lost, and the next call mends it', async () => {
  const database = memoryDatabase();
  const encoder = new FailingEncoder();
  await encodeTexts(encoder, storeCache(database), many(32));
  await expect(encodeTexts(encoder, storeCache(database), [...many(32), 'broken'])).rejects.toThrow('out of memory');
  encoder.word = '';
  const mended = await encodeTexts(encoder, storeCache(database), [...many(32), 'broken']);
  expect(mended.reused).toBe(32);
});

test('a batch that fails ends the others', async () => {
  const encoder = new FailingEncoder();
  const texts = ['broken', ...many(2000)];
  await expect(encodeTexts(encoder, storeCache(memoryDatabase()), texts)).rejects.toThrow('out of memory');
  expect(encoder.inner.texts.length).toBeLessThan(1000);
});

test('tokens that are gone are made again, and those alone', async () => {
  const database = memoryDatabase();
  const encoder = new HashedWordsEncoder();
  await encodeTexts(encoder, storeCache(database), many(6));
  const before = await encodedTokens(encoder, storeCache(database), many(6));
  expect(encoder.texts).toHaveLength(6);
  await database.query.delete(encodings).where(eq(encodings.textHash, contentHash(many(6)[4])));
  const again = await encodedTokens(encoder, storeCache(database), [...many(6), many(6)[4]]);
  expect(again).toEqual([...before, before[4]]);
  expect(encoder.texts.slice(6)).toEqual([many(6)[4]]);
});

describe('texts under way', () => {
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

  test('are encoded while more are found, each once, and come out as if they had come together', async () => {
    const encoder = new HashedWordsEncoder();
    const cache = storeCache(memoryDatabase());
    await encodeTexts(encoder, cache, many(5));
    encoder.calls.length = 0;
    const underWay = textsUnderWay(encoder, cache);
    underWay.add(many(20));
    while (encoder.texts.length === 0) await turn();
    underWay.add(many(20, 10));
    const texts = [...many(40), ...many(3)];
    const told: [number, number][] = [];
    const found = await underWay.finish(texts, (done, total) => told.push([done, total]));
    expect([...encoder.texts].sort()).toEqual(many(35, 5).sort());
    expect(told.at(-1)).toEqual([35, 35]);
    const again = await encodeTexts(new HashedWordsEncoder(), cache, texts);
    expect(found).toEqual({ ...again, reused: 8 });
    expect(again.reused).toBe(43);
  });

  test('that are stopped begin no further call, and what was encoded is kept', async () => {
    const encoder = new HashedWordsEncoder();
    const cache = storeCache(memoryDatabase());
    const underWay = textsUnderWay(encoder, cache);
    underWay.add(many(300));
    while (encoder.texts.length === 0) await turn();
    underWay.stop();
    await turn();
    const begun = encoder.texts.length;
    expect(begun).toBeLessThan(300);
    await turn();
    expect(encoder.texts).toHaveLength(begun);
    expect((await encodeTexts(encoder, cache, many(begun))).reused).toBe(begun);
  });

  /** The cache, with the texts that were looked up one by one. */
  const watched = (database = memoryDatabase()) => {
    const cache = storeCache(database);
    const sought: string[] = [];
    const watching: WorkCache = {
      ...cache,
      readSentenceVectors(encoder, hashes) {
        sought.push(...hashes);
        return cache.readSentenceVectors(encoder, hashes);
      },
    };
    return { cache: watching, database, sought };
  };

  test('that came together are read together, with the same vectors, and not one by one', async () => {
    const { cache, sought } = watched();
    const encoder = new HashedWordsEncoder();
    const texts = [...many(700), ...many(30, 900), ...many(5)];
    const make = async (lists: readonly (readonly string[])[]) => {
      const underWay = textsUnderWay(encoder, cache);
      for (const list of lists) underWay.add(list);
      return underWay.finish([...texts, 'alone']);
    };
    const lists = [many(700), many(30, 900), many(5)];
    const first = await make(lists);
    expect(sought).toHaveLength(731);
    expect(encoder.texts).toHaveLength(731);
    const second = await make(lists);
    expect(second).toEqual({ ...first, reused: 736 });
    expect(sought.slice(731)).toEqual([contentHash('alone')]);
    // In another order they are another list.
    const third = await make([many(700), many(30, 900).reverse(), many(5)]);
    expect(third).toEqual(second);
    expect(sought.slice(732).sort()).toEqual([...many(30, 900), 'alone'].map(contentHash).sort());
    expect(encoder.texts).toHaveLength(731);
  });

  test('that never came together before are kept as a list that nobody looked for', async () => {
    const { cache, database } = watched();
    let asked = 0;
    const counting: WorkCache = {
      ...cache,
      readVectorLists(encoder, keys) {
        asked += keys.length;
        return cache.readVectorLists(encoder, keys);
      },
    };
    const make = (mayBeKept: boolean) => {
      const underWay = textsUnderWay(new HashedWordsEncoder(), counting);
      underWay.add(many(20), mayBeKept);
      return underWay.finish(many(20));
    };
    const first = await make(false);
    expect([asked, await database.query.$count(vectorLists)]).toEqual([0, 1]);
    expect(await make(true)).toEqual({ ...first, reused: 20 });
    expect([asked, await database.query.$count(vectorLists)]).toEqual([1, 1]);
  });
});
