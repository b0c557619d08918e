import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import {
  claimSubscriptions,
  type Database,
  endClaim,
  endRun,
  forTenant,
  insertDigest,
  insertJob,
  insertSubscription,
  listSubscriptions,
  noteAddition,
  pauseSubscription,
  readSubscription,
  removeCollection,
  removeSubscription,
  saveCollection,
  saveCollectionDocument,
  saveDocuments,
} from '../../src/store/index.ts';
import { jobs } from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

const row = { id: 'sub_1', collectionId: 'col_1', request: '{}' };

async function collection(database: Database): Promise<void> {
  await saveCollection(database, { id: 'col_1', name: null });
}

async function add(database: Database, documentId: string, text: string): Promise<void> {
  await saveDocuments(database, [{ hash: text, text }]);
  const facts = { title: null, url: null, publishedAt: null, weight: null, characters: 1, keyPoints: 0, updatedAt: 0 };
  await saveCollectionDocument(database, 'col_1', { documentId, documentHash: text, ...facts }, 100);
  await noteAddition(database, 'col_1');
}

/** Accepts the digest of a run over documents of these texts. */
async function accept(database: Database, id: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const sources = Object.entries(texts).map(([documentId, documentHash]) => ({ documentId, documentHash }));
  const job = { id, priority: 0, retries: 0, callbackUrl: null, createdAt: database.now(), lease: null };
  await database.commit([
    ...insertDigest(database, { id, request: '{}', sources }, 10),
    insertJob(database, job),
    endClaim(database, row.id, JSON.stringify({ digest: id, empty: null })),
  ]);
}

async function finish(database: Database, id: string, isEmpty: boolean): Promise<void> {
  await database.commit([
    database.query.update(jobs).set({ state: 'done' }),
    endRun(database, row.id, id, isEmpty, sql`true`),
  ]);
}

onBothStores(({ open }) => {
  test('is due after an addition, taken by one, and counts what its last digest did not have', async () => {
    const database = await open();
    await collection(database);
    expect(await insertSubscription(database, row, 1)).toBe(true);
    expect(await insertSubscription(database, { ...row, id: 'sub_2' }, 1)).toBe(false);
    expect(await claimSubscriptions(database, 0)).toEqual([]);
    await add(database, 'a', 'one');
    await add(database, 'b', 'two');
    expect(await claimSubscriptions(database, 60_000)).toEqual([]);
    const claims = await Promise.all([claimSubscriptions(database, 0), claimSubscriptions(database, 0)]);
    expect(claims.flat()).toMatchObject([{ id: 'sub_1', seen: 0, unseen: 2, digestId: null }]);
    await accept(database, 'dig_1', { a: 'one', b: 'two' });
    await add(database, 'b', 'three');
    await add(database, 'c', 'one');
    expect(await claimSubscriptions(database, 0)).toEqual([]); // the digest is not made yet
    await finish(database, 'dig_1', true);
    const [next] = await claimSubscriptions(database, 0);
    expect(next).toMatchObject({ digestId: 'dig_1', seen: 2, unseen: 2 });
    expect(JSON.parse(next.lastRun ?? '')).toEqual({ digest: 'dig_1', empty: true });
  });

  test('stays due if something is added between claim and end, and is not due otherwise', async () => {
    const database = await open();
    await collection(database);
    await insertSubscription(database, row, 1);
    for (const isAdded of [true, false]) {
      await add(database, 'a', 'one');
      expect(await claimSubscriptions(database, 0)).toHaveLength(1);
      if (isAdded) await add(database, 'b', 'two');
      await database.commit([endClaim(database, row.id)]);
      expect(await claimSubscriptions(database, 0)).toHaveLength(Number(isAdded));
      await database.commit([endClaim(database, row.id)]);
    }
  });

  test('the end of an earlier run changes nothing', async () => {
    const database = await open();
    await collection(database);
    await insertSubscription(database, row, 1);
    await add(database, 'a', 'one');
    for (const id of ['dig_1', 'dig_2']) await accept(database, id, { a: 'one' });
    await finish(database, 'dig_1', true);
    expect(await readSubscription(database, row.id)).toMatchObject({ digestId: null, unseen: 1 });
    await finish(database, 'dig_2', false);
    expect(await readSubscription(database, row.id)).toMatchObject({ digestId: 'dig_2', unseen: 0 });
  });

  test('is paused, listed, deleted and reached by its tenant alone, and goes with its collection', async () => {
    const database = await open();
    const stranger = forTenant(database, 'stranger');
    await collection(database);
    await insertSubscription(database, row, 2);
    await insertSubscription(database, { ...row, id: 'sub_2' }, 2);
    await noteAddition(stranger, 'col_1');
    await pauseSubscription(stranger, row.id, 1);
    expect(await removeSubscription(stranger, row.id)).toBe(false);
    expect(await readSubscription(stranger, row.id)).toBeUndefined();
    expect((await listSubscriptions(stranger, { limit: 10 })).rows).toEqual([]);
    expect(await claimSubscriptions(database, 0)).toEqual([]);
    expect(await readSubscription(database, row.id)).toMatchObject({ isPaused: 0, quietSince: null });
    await pauseSubscription(database, row.id, 1);
    await add(database, 'a', 'one');
    expect((await claimSubscriptions(database, 0)).map(({ id }) => id)).toEqual(['sub_2']);
    const { rows, next } = await listSubscriptions(database, { limit: 1 });
    expect([rows.length, typeof next]).toEqual([1, 'string']);
    expect(await removeSubscription(database, 'sub_2')).toBe(true);
    await removeCollection(database, 'col_1');
    expect(await readSubscription(database, row.id)).toBeUndefined();
  });
});
