import { expect, test } from 'vitest';
import { type Encoder, type Encoding, encodedTokens, encodeTexts } from '../../../src/models/index.ts';
import { storeCache } from '../../../src/store/index.ts';
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
  expect(found.hashes).toEqual(texts.map(contentHash));
  const direct = await new HashedWordsEncoder().encode(texts);
  expect(found.sentences).toEqual(direct.map(({ sentence }) => sentence));
  expect(found.reused).toBe(0);
  const tokens = await encodedTokens(encoder, storeCache(database), found.hashes);
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

test('every encoder has vectors of its own', async () => {
  const database = memoryDatabase();
  const [a, b] = ['a', 'b'].map((id) => new HashedWordsEncoder({ id }));
  await encodeTexts(a, storeCache(database), many(3));
  expect((await encodeTexts(b, storeCache(database), many(3))).reused).toBe(0);
  expect(b.texts).toHaveLength(3);
});

test('progress rises to the number that had to be encoded', async () => {
  const database = memoryDatabase();
  const encoder = new HashedWordsEncoder();
  const told: [number, number][] = [];
  await encodeTexts(encoder, storeCache(database), [...many(70), ...many(70)], (done, total) =>
    told.push([done, total]),
  );
  expect(told.map(([done]) => done)).toEqual([...told.map(([done]) => done)].sort((x, y) => x - y));
  expect(told.at(-1)).toEqual([70, 70]);
  told.length = 0;
  await encodeTexts(encoder, storeCache(database), many(4), (done, total) => told.push([done, total]));
  expect(told).toEqual([[4, 4]]);
  const nothing = await encodeTexts(encoder, storeCache(database), []);
  expect(nothing).toEqual({ hashes: [], sentences: [], reused: 0 });
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

test('tokens of a text that is not there are an error that names it', async () => {
  await expect(encodedTokens(new HashedWordsEncoder(), storeCache(memoryDatabase()), ['missing'])).rejects.toThrow(
    'missing',
  );
});
