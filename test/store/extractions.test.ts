import { expect, test } from 'vitest';
import { readExtractions, saveDocuments, saveExtractions } from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const row = (documentHash: string, keyPoints = '[]', extractor = 'x@1') => ({
  documentHash,
  extractor,
  language: 'eng',
  words: 7,
  keyPoints,
  unverified: '[]',
});

/** These texts by this extractor. */
const keys = (extractor: string, hashes: readonly string[]) =>
  hashes.map((documentHash) => ({ documentHash, extractor }));

onBothStores(({ open }) => {
  async function databaseWith(hashes: readonly string[]) {
    const database = await open();
    await saveDocuments(
      database,
      hashes.map((hash) => ({ hash, text: hash })),
    );
    return database;
  }

  test('extractions come back by hash and extractor; missing ones are absent', async () => {
    const database = await databaseWith(['a', 'b']);
    const said = '[{"text":"“\\u0000😀”"}]';
    await saveExtractions(database, [row('a', said), row('b')]);
    expect(await readExtractions(database, keys('x@1', ['a', 'c']))).toEqual([row('a', said)]);
    expect(await readExtractions(database, keys('x@2', ['a']))).toEqual([]);
  });

  test('of one text under several keys those that are asked for come back, in one reading', async () => {
    const database = await databaseWith(['a', 'b']);
    const rows = [row('a', '["1"]'), row('a', '["2"]', 'x@2'), row('b', '["3"]'), row('b', '["4"]', 'x@2')];
    await saveExtractions(database, rows);
    const crossed = [
      { documentHash: 'a', extractor: 'x@1' },
      { documentHash: 'b', extractor: 'x@2' },
    ];
    const found = await readExtractions(database, crossed);
    expect(found.map(({ keyPoints }) => keyPoints).sort()).toEqual(['["1"]', '["4"]']);
  });

  test('the first of two extractions by the same extractor stays', async () => {
    const database = await databaseWith(['a']);
    await saveExtractions(database, [row('a', '["first"]')]);
    await saveExtractions(database, [row('a', '["second"]')]);
    await saveExtractions(database, [row('a', '["other"]', 'x@2')]);
    expect(await readExtractions(database, keys('x@1', ['a']))).toEqual([row('a', '["first"]')]);
    expect(await readExtractions(database, keys('x@2', ['a']))).toEqual([row('a', '["other"]', 'x@2')]);
  });

  test('without its document none of a batch is kept', async () => {
    const database = await databaseWith(['a']);
    await expect(saveExtractions(database, [row('a'), row('nowhere')])).rejects.toThrow(/FOREIGN KEY/);
    expect(await readExtractions(database, keys('x@1', ['a', 'nowhere']))).toEqual([]);
  });

  test('hundreds at once', async () => {
    const hashes = Array.from({ length: 600 }, (_, i) => `h${i}`);
    const database = await databaseWith(hashes);
    await saveExtractions(
      database,
      hashes.map((hash) => row(hash)),
    );
    const found = await readExtractions(database, keys('x@1', hashes));
    expect(found.map(({ documentHash }) => documentHash).sort()).toEqual([...hashes].sort());
  });
});
