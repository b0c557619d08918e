import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { StoredEncoding, WorkCache } from '../../src/models/index.ts';
import { type Database, forTenant, readDocuments, saveDocuments, storeCache } from '../../src/store/index.ts';
import { judgements, vectorLists } from '../../src/store/schema.ts';
import { contentHash } from '../../src/text/index.ts';
import { onBothStores } from './stores.ts';

const DAY = 86_400_000;

/** Views into larger buffers, which are stored for what they show. */
const floats = (...values: number[]) => new Float32Array([9, ...values, 9]).subarray(1, values.length + 1);
const bytes = (...values: number[]) => new Int8Array([9, ...values, 9]).subarray(1, values.length + 1);
const integers = (...values: number[]) => new Int32Array([9, ...values, 9]).subarray(1, values.length + 1);
/** Every odd value a float has. */
const ODD = floats(0, -0, 1 / 3, -1, 1.4e-45, -3.4028235e38, Number.NaN, Number.POSITIVE_INFINITY);

type Rows<Value> = readonly (readonly [name: string, value: Value])[];

/** A kind of entries: two values of it, and how many entries are saved and read. */
function kind<Value>(
  values: readonly [Value, Value],
  save: (cache: WorkCache, rows: Rows<Value>) => Promise<void>,
  read: (cache: WorkCache, names: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
) {
  return {
    values,
    read,
    save: (cache: WorkCache, names: readonly string[], which: number) =>
      save(
        cache,
        names.map((name) => [name, values[which]]),
      ),
  };
}

const encoding = (textHash: string, more: Partial<StoredEncoding>) => ({
  textHash,
  sentence: floats(1),
  tokens: bytes(),
  tokenIds: integers(),
  ...more,
});

const KINDS = {
  verdicts: kind<string>(
    ['"a"', '{"level":"“\\u0000😀”"}'],
    (cache, rows) => cache.saveJudgements(rows.map(([key, verdict]) => ({ key, kind: 'k', verdict }))),
    (cache, names) => cache.readJudgements(names),
  ),
  'sentence vectors': kind<Float32Array>(
    [ODD, floats(1, -1)],
    (cache, rows) =>
      cache.saveEncodings(
        'e',
        rows.map(([hash, sentence]) => encoding(hash, { sentence })),
      ),
    (cache, names) => cache.readSentenceVectors('e', names),
  ),
  tokens: kind<Pick<StoredEncoding, 'tokens' | 'tokenIds'>>(
    [
      { tokens: bytes(-128, -1, 127), tokenIds: integers(-(2 ** 31), 2 ** 31 - 1, 0) },
      { tokens: bytes(), tokenIds: integers() },
    ],
    (cache, rows) =>
      cache.saveEncodings(
        'e',
        rows.map(([hash, tokens]) => encoding(hash, tokens)),
      ),
    async (cache, names) => {
      const found = await cache.readTokens('e', names);
      return new Map([...found].map(([name, { textHash: _, ...rest }]) => [name, rest]));
    },
  ),
  'lists of vectors': kind<Float32Array>(
    [ODD, floats(1, -1)],
    (cache, rows) =>
      cache.saveVectorLists(
        'e',
        rows.map(([key, vectors]) => ({ key, vectors })),
      ),
    (cache, names) => cache.readVectorLists('e', names),
  ),
  extractions: kind<string>(
    ['[{"text":"“\\u0000😀”"}]', '[]'],
    async (cache, rows) => {
      await cache.saveDocuments(rows.map(([hash]) => ({ hash, text: hash })));
      await cache.saveExtractions(rows.map(([hash, keyPoints]) => extraction(hash, 'x@1', keyPoints)));
    },
    async (cache, names) => {
      const rows = await cache.readExtractions(names.map((documentHash) => ({ documentHash, extractor: 'x@1' })));
      return new Map(rows.map(({ documentHash, keyPoints }) => [documentHash, keyPoints]));
    },
  ),
};

function extraction(documentHash: string, extractor: string, keyPoints: string) {
  return { documentHash, extractor, language: 'eng', words: 7, keyPoints, unverified: '[]' };
}

onBothStores(({ open }) => {
  describe.each(Object.entries(KINDS))('%s', (name, { values, save, read }) => {
    test('come back bit for bit by name; of two the first stays, of lists the last; others have none of them', async () => {
      const database = await open();
      const cache = storeCache(database);
      await save(cache, ['a'], 0);
      await save(cache, ['a', 'b'], 1);
      const first = name === 'lists of vectors' ? values[1] : values[0];
      expect(await read(cache, ['a', 'b', 'missing'])).toEqual(
        new Map<string, unknown>([
          ['a', first],
          ['b', values[1]],
        ]),
      );
      expect((await read(cache, [])).size).toBe(0);
      expect((await read(storeCache(forTenant(database, 'other')), ['a'])).size).toBe(0);
    });

    test('hundreds at once, more than are read in one go', async () => {
      const cache = storeCache(await open());
      const names = Array.from({ length: 1100 }, (_, i) => `h${i}`);
      await save(cache, names, 0);
      expect([...(await read(cache, ['none', ...names])).keys()].sort()).toEqual(names.sort());
    });
  });

  test('every encoder has its own vectors', async () => {
    const cache = storeCache(await open());
    await cache.saveEncodings('e', [encoding('a', { sentence: floats(1) })]);
    await cache.saveEncodings('f', [encoding('a', { sentence: floats(-0) })]);
    await cache.saveVectorLists('f', [{ key: 'a', vectors: floats(5) }]);
    expect(Object.is((await cache.readSentenceVectors('f', ['a'])).get('a')?.[0], -0)).toBe(true);
    expect((await cache.readSentenceVectors('g', ['a'])).size).toBe(0);
    expect((await cache.readVectorLists('e', ['a'])).size).toBe(0);
  });

  test('lists of vectors of several megabytes go in parts, and those of another day are absent until kept again', async () => {
    const database = await open();
    const cache = storeCache(database);
    const vectors = Float32Array.from({ length: 240_000 }, (_, i) => i);
    const keys = ['0', '1', '2', '3'];
    await cache.saveVectorLists(
      'e',
      keys.map((key) => ({ key, vectors })),
    );
    expect((await cache.readVectorLists('e', keys)).get('3')).toEqual(vectors);
    await database.query.update(vectorLists).set({ usedOn: 3 }).where(eq(vectorLists.key, '1'));
    expect([...(await cache.readVectorLists('e', keys)).keys()].sort()).toEqual(['0', '2', '3']);
    await cache.saveVectorLists('e', [{ key: '1', vectors }]);
    expect((await cache.readVectorLists('e', keys)).size).toBe(4);
  });

  test('reading verdicts notes the day, of what was read alone', async () => {
    const opened = await open();
    const on = (tenant: string, day: number) => storeCache({ ...forTenant(opened, tenant), now: () => day * DAY + 5 });
    await KINDS.verdicts.save(on('t', 10), ['read', 'left'], 0);
    await KINDS.verdicts.save(on('u', 10), ['read'], 0);
    await KINDS.verdicts.save(on('t', 12), ['new'], 0);
    for (const day of [12, 11]) await KINDS.verdicts.read(on('t', day), ['new', 'read']);
    const rows = await opened.query.select().from(judgements);
    const days = Object.fromEntries(rows.map(({ tenant, key, usedOn }) => [`${tenant}/${key}`, usedOn]));
    expect(days).toEqual({ 't/read': 12, 't/new': 12, 't/left': 10, 'u/read': 10 });
    expect(new Set(rows.map(({ createdAt }) => createdAt))).toEqual(new Set([10 * DAY + 5, 12 * DAY + 5]));
  });

  test('of one text under several extractors those that are asked for come back; without its text none of a batch is kept', async () => {
    const cache = storeCache(await open());
    await cache.saveDocuments(['a', 'b'].map((hash) => ({ hash, text: hash })));
    const rows = ['a', 'b'].flatMap((hash) => ['x', 'y'].map((by) => extraction(hash, by, `["${hash + by}"]`)));
    await cache.saveExtractions(rows);
    const crossed = [rows[0], rows[3], { documentHash: 'c', extractor: 'x' }];
    expect(
      (await cache.readExtractions(crossed)).toSorted((one, two) => (one.extractor < two.extractor ? -1 : 1)),
    ).toEqual([rows[0], rows[3]]);
    const batch = [extraction('a', 'z', '[]'), extraction('nowhere', 'z', '[]')];
    await expect(cache.saveExtractions(batch)).rejects.toThrow(/FOREIGN KEY/);
    expect(await cache.readExtractions(batch)).toEqual([]);
  });

  describe('texts', () => {
    const save = (database: Database, ...texts: string[]) =>
      saveDocuments(
        database,
        texts.map((text) => ({ hash: contentHash(text), text })),
      );

    test.each([
      ['empty', ''],
      ['NUL', 'a\0b\0'],
      ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈'],
      ['combining marks, unnormalised', 'e\u0301 \u1100\u1161 \ufb01'],
      ['zero-width and direction marks', '\u200b\u202eabc\u202c\ufeff'],
      ['line ends of all kinds', '\r\n\r\u2028\u2029\u0085'],
      ['noncharacters', '\uffff\ufffe\ufdd0'],
      ['what looks like SQL', "'; drop table documents; --"],
      ['long', 'ä😀'.repeat(300_000)],
    ])('come back unit for unit: %s', async (_, text) => {
      const database = await open();
      await save(database, text, 'other');
      const found = await readDocuments(database, [contentHash(text), contentHash('missing')]);
      expect([...found.keys()]).toEqual([contentHash(text)]);
      expect(found.get(contentHash(text)) === text).toBe(true);
    });

    test('stay as they were, hundreds at once; their hashes are values, never SQL or JSON', async () => {
      const database = await open();
      const hashes = [
        '"',
        "'",
        '\\',
        '[',
        'a,b',
        '\0',
        '%',
        '',
        '😀',
        ...Array.from({ length: 700 }, (_, i) => `${i}`),
      ];
      const texts = hashes.map((hash) => ({ hash, text: `text of ${JSON.stringify(hash)}` }));
      await saveDocuments(database, texts);
      await saveDocuments(database, [{ hash: '%', text: 'second' }]);
      await expect(saveDocuments(database, [])).resolves.toBeUndefined();
      expect(await readDocuments(database, hashes)).toEqual(new Map(texts.map(({ hash, text }) => [hash, text])));
      expect((await readDocuments(database, ['%'])).size).toBe(1);
    });
  });
});
