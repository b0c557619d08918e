import { expect, test } from 'vitest';
import type { StoredEncoding } from '../../src/models/index.ts';
import { readSentenceVectors, readTokens, saveEncodings } from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const bits = (array: Float32Array | Int8Array | Int32Array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex');

/** Every odd value a float has, and the ends of the integers. */
const ODD: StoredEncoding = {
  textHash: 'odd',
  sentence: new Float32Array([0, -0, 1 / 3, -1, 1.4e-45, -3.4028235e38, Number.NaN, Number.POSITIVE_INFINITY]),
  tokens: new Int8Array([-128, -1, 0, 1, 127, 0]),
  tokenIds: new Int32Array([-(2 ** 31), 2 ** 31 - 1, 0]),
};

const encoding = (textHash: string, value: number): StoredEncoding => ({
  textHash,
  sentence: new Float32Array([value, -value]),
  tokens: new Int8Array([value % 128, 1, 2, 3]),
  tokenIds: new Int32Array([value, 5]),
});

onBothStores(({ open }) => {
  test('vectors come back bit for bit', async () => {
    const database = await open();
    await saveEncodings(database, 'e', [encoding('before', 3), ODD, encoding('after', 4)]);
    const sentence = (await readSentenceVectors(database, 'e', ['odd'])).get('odd') ?? new Float32Array();
    expect(sentence).toBeInstanceOf(Float32Array);
    expect(bits(sentence)).toBe(bits(ODD.sentence));
    const { tokens, tokenIds } = (await readTokens(database, 'e', ['odd'])).get('odd') ?? encoding('', 0);
    expect(bits(tokens)).toBe(bits(ODD.tokens));
    expect(bits(tokenIds)).toBe(bits(ODD.tokenIds));
  });

  test('views into a larger buffer are stored for what they show', async () => {
    const database = await open();
    const floats = new Float32Array([9, 8, 7, 6]).subarray(1, 3);
    const bytes = new Int8Array([9, 8, 7, 6]).subarray(1, 3);
    const ids = new Int32Array([9, 8, 7, 6]).subarray(1, 2);
    await saveEncodings(database, 'e', [{ textHash: 'v', sentence: floats, tokens: bytes, tokenIds: ids }]);
    expect((await readSentenceVectors(database, 'e', ['v'])).get('v')).toEqual(new Float32Array([8, 7]));
    const stored = (await readTokens(database, 'e', ['v'])).get('v');
    expect(stored).toEqual({ textHash: 'v', tokens: new Int8Array([8, 7]), tokenIds: new Int32Array([8]) });
  });

  test('a text without tokens', async () => {
    const database = await open();
    const empty = { sentence: new Float32Array(4), tokens: new Int8Array(0), tokenIds: new Int32Array(0) };
    await saveEncodings(database, 'e', [{ textHash: 'none', ...empty }]);
    expect((await readTokens(database, 'e', ['none'])).get('none')).toEqual({
      textHash: 'none',
      tokens: empty.tokens,
      tokenIds: empty.tokenIds,
    });
    expect((await readSentenceVectors(database, 'e', ['none'])).get('none')).toEqual(empty.sentence);
  });

  test('the first of two stays, and every encoder has its own', async () => {
    const database = await open();
    await saveEncodings(database, 'e', [encoding('a', 1)]);
    await saveEncodings(database, 'e', [encoding('a', 2), encoding('b', 2)]);
    await saveEncodings(database, 'f', [encoding('a', 3)]);
    const read = async (encoder: string) => [...(await readSentenceVectors(database, encoder, ['a', 'b', 'c']))].sort();
    expect(await read('e')).toEqual([
      ['a', new Float32Array([1, -1])],
      ['b', new Float32Array([2, -2])],
    ]);
    expect(await read('f')).toEqual([['a', new Float32Array([3, -3])]]);
    expect(await read('g')).toEqual([]);
    expect((await readTokens(database, 'f', ['b'])).size).toBe(0);
  });

  test('hundreds at once, more than are read in one go', async () => {
    const database = await open();
    const rows = Array.from({ length: 1100 }, (_, i) => encoding(`h${i}`, i));
    await saveEncodings(database, 'e', rows);
    const hashes = ['missing', ...rows.map(({ textHash }) => textHash)];
    const sentences = await readSentenceVectors(database, 'e', hashes);
    const tokens = await readTokens(database, 'e', hashes);
    expect([sentences.size, tokens.size]).toEqual([1100, 1100]);
    for (const { textHash, sentence, tokenIds } of rows) {
      expect(sentences.get(textHash)).toEqual(sentence);
      expect(tokens.get(textHash)?.tokenIds).toEqual(tokenIds);
    }
    expect((await readTokens(database, 'e', [])).size).toBe(0);
  });
});
