import { expect, test } from 'vitest';
import {
  forTenant,
  insertDigest,
  readDigestOrigin,
  readDigestSources,
  saveDigest,
  saveDocuments,
} from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const SOURCES = ['b/ü 🚋', 'a', 'B'].map((documentId) => ({ documentId, documentHash: 'h' }));

onBothStores(({ open }) => {
  test('a digest that is asked for has its request and its sources, in the order of their ids', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
    const request = '{"intent":"“\\u0000😀”\u2028"}';
    await database.commit(insertDigest(database, { id: 'dig_1', request, sources: SOURCES }, 1));
    expect(await readDigestOrigin(database, 'dig_1')).toEqual({ request, createdAt: expect.any(Number) });
    const sources = await readDigestSources(database, 'dig_1');
    expect(sources.map(({ documentId }) => documentId)).toEqual(['B', 'a', 'b/ü 🚋']);
    expect(sources[0]).toEqual({ documentId: 'B', documentHash: 'h' });
  });

  test('one that was made without being asked for has no request', async () => {
    const database = await open();
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer: '{}' }, []);
    expect(await readDigestOrigin(database, 'dig_1')).toMatchObject({ request: null });
    expect(await readDigestSources(database, 'dig_1')).toEqual([]);
  });

  test('of another tenant, and of no digest, there is nothing', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer: '{}' }, SOURCES);
    for (const [own, id] of [
      [forTenant(database, 'other'), 'dig_1'],
      [database, 'dig_2'],
      [database, 'DIG_1'],
    ] as const) {
      expect(await readDigestOrigin(own, id)).toBeUndefined();
      expect(await readDigestSources(own, id)).toEqual([]);
    }
  });
});
