import { expect, test } from 'vitest';
import { readDigest, saveDigest, saveDocuments } from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const DIGEST = { id: 'dig_1', status: 'completed', answer: '{"text":"“\\u0000😀”\u2028"}' };

onBothStores(({ open }) => {
  test('a digest comes back as it was answered, with its sources beside it', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
    await saveDigest(database, DIGEST, [
      { documentId: 'a', documentHash: 'h' },
      { documentId: 'b', documentHash: 'h' },
    ]);
    expect(await readDigest(database, 'dig_1')).toMatchObject(DIGEST);
    expect(await database.query.query.digestDocuments.findMany()).toEqual([
      { tenant: 'default', digestId: 'dig_1', documentId: 'a', documentHash: 'h' },
      { tenant: 'default', digestId: 'dig_1', documentId: 'b', documentHash: 'h' },
    ]);
  });

  test.each(['dig_2', '', 'DIG_1', 'dig_1 ', '%', "' or 1=1"])('there is none with the id %j', async (id) => {
    const database = await open();
    await saveDigest(database, DIGEST, []);
    expect(await readDigest(database, id)).toBeUndefined();
  });

  test('a digest whose source is not stored is not stored either', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
    const sources = [
      { documentId: 'a', documentHash: 'h' },
      { documentId: 'b', documentHash: 'nowhere' },
    ];
    await expect(saveDigest(database, DIGEST, sources)).rejects.toThrow(/FOREIGN KEY/);
    expect(await readDigest(database, 'dig_1')).toBeUndefined();
    expect(await database.query.query.digestDocuments.findMany()).toEqual([]);
  });

  test('an id is given once', async () => {
    const database = await open();
    await saveDigest(database, DIGEST, []);
    await expect(saveDigest(database, { ...DIGEST, answer: 'other' }, [])).rejects.toThrow(/UNIQUE/);
    expect((await readDigest(database, 'dig_1'))?.answer).toBe(DIGEST.answer);
  });
});
