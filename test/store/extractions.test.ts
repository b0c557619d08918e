import { expect, test } from 'vitest';
import { saveDocuments } from '../../src/store/documents.ts';
import { readExtractions, saveExtractions } from '../../src/store/extractions.ts';
import { onBothStores } from './stores.ts';

const row = (documentHash: string, keyPoints = '[]') => ({
  documentHash,
  language: 'eng',
  words: 7,
  keyPoints,
  unverified: '[]',
});

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
    await saveExtractions(database, 'x@1', [row('a', '[{"text":"“\\u0000😀”"}]'), row('b')]);
    const found = await readExtractions(database, 'x@1', ['a', 'c']);
    expect([...found.keys()]).toEqual(['a']);
    expect(found.get('a')).toMatchObject(row('a', '[{"text":"“\\u0000😀”"}]'));
    expect((await readExtractions(database, 'x@2', ['a'])).size).toBe(0);
  });

  test('the first of two extractions by the same extractor stays', async () => {
    const database = await databaseWith(['a']);
    await saveExtractions(database, 'x@1', [row('a', '["first"]')]);
    await saveExtractions(database, 'x@1', [row('a', '["second"]')]);
    await saveExtractions(database, 'x@2', [row('a', '["other"]')]);
    expect((await readExtractions(database, 'x@1', ['a'])).get('a')?.keyPoints).toBe('["first"]');
    expect((await readExtractions(database, 'x@2', ['a'])).get('a')?.keyPoints).toBe('["other"]');
  });

  test('without its document none of a batch is kept', async () => {
    const database = await databaseWith(['a']);
    await expect(saveExtractions(database, 'x@1', [row('a'), row('nowhere')])).rejects.toThrow(/FOREIGN KEY/);
    expect((await readExtractions(database, 'x@1', ['a', 'nowhere'])).size).toBe(0);
  });

  test('hundreds at once', async () => {
    const hashes = Array.from({ length: 600 }, (_, i) => `h${i}`);
    const database = await databaseWith(hashes);
    await saveExtractions(
      database,
      'x@1',
      hashes.map((hash) => row(hash)),
    );
    expect([...(await readExtractions(database, 'x@1', hashes)).keys()].sort()).toEqual([...hashes].sort());
  });
});
