import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryCache } from '../../src/models/index.ts';

const encoding = (textHash: string, dimensions: number) => ({
  textHash,
  sentence: new Float32Array(dimensions).fill(dimensions),
  tokens: new Int8Array(dimensions),
  tokenIds: new Int32Array(1),
});

/** What an entry takes, computed from its parts. */
const sizeOf = (hash: string, dimensions: number) =>
  4 * dimensions + dimensions + 4 + 200 + 2 * JSON.stringify(['encoding', 'e', hash]).length;

const COMMANDS = fc.array(
  fc.record({
    hash: fc.constantFrom(...'abcdefgh'),
    dimensions: fc.integer({ min: 0, max: 200 }),
    isRead: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('holds what was used last, up to its bound, as a list searched from its end does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 4000 }), COMMANDS, async (most, commands) => {
      const cache = memoryCache(most);
      /** The most recently used last. */
      let model: { readonly hash: string; readonly dimensions: number }[] = [];
      for (const { hash, dimensions, isRead } of commands) {
        const known = model.find((each) => each.hash === hash);
        if (isRead) {
          const found = (await cache.readSentenceVectors('e', [hash])).get(hash);
          expect(found?.length).toBe(known?.dimensions);
        } else await cache.saveEncodings('e', [encoding(hash, dimensions)]);
        const entry = known ?? (isRead || sizeOf(hash, dimensions) > most ? undefined : { hash, dimensions });
        if (entry !== undefined) model = [...model.filter((each) => each !== known), entry];
        const size = () => model.reduce((sum, each) => sum + sizeOf(each.hash, each.dimensions), 0);
        while (size() > most) model.shift();
        expect(cache.bytes()).toBe(size());
        expect(cache.bytes()).toBeLessThanOrEqual(most);
      }
    }),
  );
});

test('a run keeps what it has read and saved, whatever others save', async () => {
  const cache = memoryCache(2000);
  await cache.saveEncodings('e', [encoding('before', 100)]);
  const run = cache.forRun();
  expect((await run.readSentenceVectors('e', ['before'])).size).toBe(1);
  await run.saveEncodings('e', [encoding('during', 1000)]);
  await cache.saveEncodings('e', [encoding('other', 200), encoding('another', 200)]);
  expect((await cache.readSentenceVectors('e', ['before', 'during'])).size).toBe(0);
  const tokens = await run.readTokens('e', ['before', 'during']);
  expect([...tokens].map(([hash, { tokens }]) => [hash, tokens.length])).toEqual([
    ['before', 100],
    ['during', 1000],
  ]);
});

test.each([-1, 0.5, Number.NaN])('refuses %d bytes', (bytes) => {
  expect(() => memoryCache(bytes)).toThrow(RangeError);
});
