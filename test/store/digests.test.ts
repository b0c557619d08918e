import { expect, test } from 'vitest';
import {
  type Database,
  forTenant,
  insertDigest,
  readDigest,
  readDigestOrigin,
  saveDigest,
  saveDocuments,
} from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const DIGEST = { id: 'dig_1', status: 'completed', answer: '{"text":"“\\u0000😀”\u2028"}' };
const SOURCES = ['b/ü 🚋', 'a', 'B'].map((documentId) => ({ documentId, documentHash: 'h' }));

onBothStores(({ open }) => {
  async function withText(): Promise<Database> {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
    return database;
  }

  test('a digest comes back as it was answered, with its sources by their ids, to its tenant alone', async () => {
    const database = await withText();
    await saveDigest(database, DIGEST, SOURCES);
    expect(await readDigest(database, 'dig_1')).toMatchObject(DIGEST);
    expect(await readDigestOrigin(database, 'dig_1')).toMatchObject({ request: null });
    for (const id of ['dig_1', 'dig_2', '', 'DIG_1', 'dig_1 ', '%', "' or 1=1"]) {
      const own = id === 'dig_1' ? forTenant(database, 'other') : database;
      expect(await readDigest(own, id)).toBeUndefined();
      expect(await readDigestOrigin(own, id)).toBeUndefined();
    }
  });

  test('a digest that is asked for has its request and its sources', async () => {
    const database = await withText();
    const request = '{"intent":"“\\u0000😀”\u2028"}';
    await database.commit(insertDigest(database, { id: 'dig_1', request, sources: SOURCES }, 1));
    expect(await readDigestOrigin(database, 'dig_1')).toEqual({ request, createdAt: expect.any(Number) });
  });

  test('a digest whose source is not stored is not stored either, and an id is given once', async () => {
    const database = await withText();
    const sources = [SOURCES[0], { documentId: 'x', documentHash: 'nowhere' }];
    await expect(saveDigest(database, DIGEST, sources)).rejects.toThrow(/FOREIGN KEY/);
    expect(await readDigest(database, 'dig_1')).toBeUndefined();
    await saveDigest(database, DIGEST, []);
    await expect(saveDigest(database, { ...DIGEST, answer: 'other' }, [])).rejects.toThrow(/UNIQUE/);
    expect((await readDigest(database, 'dig_1'))?.answer).toBe(DIGEST.answer);
  });
});
