import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readVectorLists, saveVectorLists } from '../../src/store/index.ts';
import { vectorLists } from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

const list = (key: string, ...values: number[]) => ({ key, vectors: new Float32Array(values) });

onBothStores(({ open }) => {
  test('lists come back bit for bit, those of each encoder; missing ones are absent', async () => {
    const database = await open();
    const odd = list('odd', 0, -0, 1 / 3, 1.4e-45, -3.4028235e38, Number.POSITIVE_INFINITY);
    const view = { key: 'view', vectors: new Float32Array([9, 8, 7, 6]).subarray(1, 3) };
    await saveVectorLists(database, 'e', [list('before', 1), odd, view, list('empty')]);
    await saveVectorLists(database, 'f', [list('odd', 5)]);
    const found = await readVectorLists(database, 'e', ['odd', 'view', 'empty', 'none']);
    expect([...found.keys()].sort()).toEqual(['empty', 'odd', 'view']);
    expect(found.get('odd')).toEqual(odd.vectors);
    expect(Object.is(found.get('odd')?.[1], -0)).toBe(true);
    expect(found.get('view')).toEqual(new Float32Array([8, 7]));
    expect(found.get('empty')).toHaveLength(0);
    expect([...(await readVectorLists(database, 'f', ['odd', 'view'])).values()]).toEqual([new Float32Array([5])]);
  });

  test('what is there is replaced; several megabytes go in parts', async () => {
    const database = await open();
    const vectors = Float32Array.from({ length: 240_000 }, (_, i) => i);
    await saveVectorLists(database, 'e', [list('a', 1)]);
    await saveVectorLists(database, 'e', [list('a', 2, 3), ...[0, 1, 2].map((i) => ({ key: `${i}`, vectors }))]);
    const found = await readVectorLists(database, 'e', ['a', '0', '1', '2']);
    expect(found.get('a')).toEqual(new Float32Array([2, 3]));
    expect(found.get('2')).toEqual(vectors);
    expect(found.size).toBe(4);
  });

  test('those of another day are absent until they are kept again', async () => {
    const database = await open();
    await saveVectorLists(database, 'e', [list('a', 1), list('b', 1)]);
    await database.query.update(vectorLists).set({ usedOn: 3 }).where(eq(vectorLists.key, 'a'));
    const keys = async () => [...(await readVectorLists(database, 'e', ['a', 'b'])).keys()];
    expect(await keys()).toEqual(['b']);
    await saveVectorLists(database, 'e', [list('a', 1)]);
    expect((await keys()).sort()).toEqual(['a', 'b']);
  });
});
