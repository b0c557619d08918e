import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidCursorError } from '../../src/store/errors.ts';
import {
  type CollectionDocument,
  type Database,
  forTenant,
  listCollectionDocuments,
  listCollections,
  type Page,
  type PageRequest,
  readCollection,
  readCollectionDocument,
  readCollectionDocuments,
  removeCollection,
  removeCollectionDocument,
  type StoredCollection,
  saveCollection,
  saveCollectionDocument,
  saveCollectionDocuments,
  saveDocuments,
} from '../../src/store/index.ts';
import { groupBy } from '../../src/text/index.ts';
import { onBothStores } from './stores.ts';

const MAX = 1000;

async function withText(database: Database): Promise<Database> {
  await saveDocuments(database, [{ hash: 'h', text: 'text' }]);
  return database;
}

function document(documentId: string, more: Partial<CollectionDocument> = {}): CollectionDocument {
  return {
    documentId,
    documentHash: 'h',
    title: null,
    url: null,
    publishedAt: null,
    weight: null,
    characters: 4,
    keyPoints: 0,
    updatedAt: 5,
    ...more,
  };
}

/** All rows of a list, page by page, and how many each page held. */
async function walk<Row>(list: (request: PageRequest) => Promise<Page<Row>>, limit: number) {
  const rows: Row[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    if (sizes.length > 400) throw new Error('the pages have no end');
    const page: Page<Row> = await list({ limit, cursor });
    rows.push(...page.rows);
    sizes.push(page.rows.length);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return { rows, sizes };
}

onBothStores(({ name, open }) => {
  /** A database with a text and so many collections, and a clock. */
  async function store(...ids: string[]) {
    const clock = { time: 1234 };
    const database = await withText({ ...(await open()), now: () => clock.time });
    for (const id of ids) await saveCollection(database, { id, name: null });
    const put = (id: string, documentId: string, more: Partial<CollectionDocument> = {}, most = MAX) =>
      saveCollectionDocument(database, id, document(documentId, more), most);
    const idsOf = async (id: string) =>
      (await readCollectionDocuments(database, id)).map(({ documentId }) => documentId);
    return { clock, database, put, idsOf };
  }

  test('collections come back as they were made, tell how many documents they hold, and are gone once removed, with those', async () => {
    const { database, put, idsOf } = await store('b', 'c');
    const made: StoredCollection = { id: 'a', name: 'Minutes', documents: 0, createdAt: 1234 };
    expect(await saveCollection(database, { id: 'a', name: 'Minutes' })).toEqual(made);
    expect(await readCollection(database, 'a')).toEqual(made);
    for (const [id, documentId] of ['a1', 'a2', 'c1']) await put(id, documentId);
    const counts = async () =>
      Object.fromEntries(
        (await listCollections(database, { limit: 5 })).rows.map(({ id, documents }) => [id, documents]),
      );
    expect(await counts()).toEqual({ a: 2, b: 0, c: 1 });
    expect(await readCollection(database, 'a')).toMatchObject({ documents: 2 });
    expect([await removeCollection(database, 'a'), await removeCollection(database, 'a')]).toEqual([true, false]);
    expect(await readCollection(database, 'a')).toBeUndefined();
    expect(await counts()).toEqual({ b: 0, c: 1 });
    expect([await idsOf('a'), await idsOf('c')]).toEqual([[], ['1']]);
  });

  test('they are listed from the newest on, once each, whatever the page and however many of one moment', async () => {
    const { database, clock } = await store();
    const times = [3, 3, 3, 1, 2, 2, 9, 3, 1, 9, 9, 9, 0];
    const rows = times.map((time, index) => ({ time, id: `col_${(index * 7) % times.length}` }));
    for (const { time, id } of rows) {
      clock.time = time;
      await saveCollection(database, { id, name: null });
    }
    const expected = rows.toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    for (let limit = 1; limit <= times.length + 1; limit++) {
      const walked = await walk((request) => listCollections(database, request), limit);
      expect(walked.rows.map(({ id }) => id)).toEqual(expected);
      expect(walked.sizes).toHaveLength(Math.ceil(times.length / limit));
    }
    // Those that are made or removed between two pages neither repeat nor hide another.
    const first = await listCollections(database, { limit: 2 });
    clock.time = 10;
    await saveCollection(database, { id: 'new', name: null });
    await removeCollection(database, expected[1]);
    const rest = await listCollections(database, { limit: 20, cursor: first.next ?? '' });
    expect(rest.rows.map(({ id }) => id)).toEqual(expected.slice(2));
  });

  test('many documents are put together as one by one, all or none', async () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh', 'ä', '"'), { minLength: 1 });
    const weight = fc.option(fc.double({ min: 1e-6, max: 1e6, noNaN: true }));
    const rows = ids.chain((all) =>
      fc.tuple(...all.map((id) => weight.map((own) => document(id, { weight: own, title: id })))),
    );
    await fc.assert(
      fc.asyncProperty(ids, rows, fc.integer({ min: 1, max: 12 }), async (held, put, most) => {
        const { database, put: putOne, idsOf } = await store('many', 'single');
        for (const id of held) for (const collection of ['many', 'single']) await putOne(collection, id);
        const placed = await saveCollectionDocuments(database, 'many', put, most);
        const fresh = put.filter(({ documentId }) => !held.includes(documentId));
        if (fresh.length > 0 && held.length + fresh.length > most) {
          expect(placed).toBe('full');
          expect(await idsOf('many')).toEqual(await idsOf('single'));
          return;
        }
        expect(placed).toEqual(put.map(({ documentId }) => (held.includes(documentId) ? 'replaced' : 'new')));
        for (const row of put) await saveCollectionDocument(database, 'single', row, MAX);
        expect(await readCollectionDocuments(database, 'many')).toEqual(
          await readCollectionDocuments(database, 'single'),
        );
        for (const row of put) expect(await readCollectionDocument(database, 'many', row.documentId)).toEqual(row);
      }),
      { numRuns: name === 'D1' ? 3 : 40 },
    );
    const { database } = await store();
    expect(await saveCollectionDocuments(database, 'none', [document('a'), document('b')], MAX)).toBe('missing');
  });

  test('documents come back as they were put, need a collection, and stay within its bound', async () => {
    const { database, put, idsOf } = await store('col');
    const full = document('d', {
      title: 'T',
      url: 'https://example.org/',
      publishedAt: '2026-01-31',
      weight: 0.25,
      characters: 12,
      keyPoints: 3,
      updatedAt: 77,
    });
    expect(await put('col', 'd', full)).toBe('new');
    expect(await readCollectionDocument(database, 'col', 'd')).toEqual(full);
    expect(await put('col', 'd')).toBe('replaced');
    expect(await readCollectionDocument(database, 'col', 'd')).toEqual(document('d'));
    expect(await removeCollectionDocument(database, 'col', 'd')).toBe(true);
    expect(await removeCollectionDocument(database, 'col', 'd')).toBe(false);
    expect(await readCollectionDocument(database, 'col', 'd')).toBeUndefined();
    expect([await put('none', 'd'), await idsOf('none')]).toEqual(['missing', []]);
    const placed = [];
    for (const id of ['1', '2', '3', '1']) placed.push(await put('col', id, {}, 2));
    expect(placed).toEqual(['new', 'new', 'full', 'replaced']);
    await removeCollectionDocument(database, 'col', '1');
    expect([await put('col', '3', {}, 2), await idsOf('col')]).toEqual(['new', ['2', '3']]);
  });

  test.each([
    ['for three places, three get in', (i: number) => `${i}`, 3, { new: 3, full: 17 }],
    ['with one id, one is new', () => 'd', 1, { new: 1, replaced: 19 }],
  ])('of twenty documents at once %s', async (_, idOf, most, expected) => {
    const { put, idsOf } = await store('col');
    const told = await Promise.all(Array.from({ length: 20 }, (_, i) => put('col', idOf(i), { keyPoints: i }, most)));
    const counts = Object.fromEntries([...groupBy(told, (each) => each)].map(([each, all]) => [each, all.length]));
    expect(counts).toEqual(expected);
    expect(await idsOf('col')).toHaveLength(most);
  });

  test('300 documents are listed once each, by id, whatever the page', async () => {
    const { database, put, idsOf } = await store('col');
    const ids = Array.from({ length: 300 }, (_, i) => `${(i * 7919) % 1000}-${['é', '😀', 'a/b', '?', '\0'][i % 5]}`);
    await Promise.all(ids.map((id) => put('col', id)));
    // Of UTF-8 the order is that of code points.
    const expected = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await idsOf('col')).toEqual(expected);
    for (const limit of name === 'D1' ? [299, 300] : [1, 7, 299, 300, 301]) {
      const { rows, sizes } = await walk((request) => listCollectionDocuments(database, 'col', request), limit);
      expect(rows.map(({ documentId }) => documentId)).toEqual(expected);
      expect(sizes).toHaveLength(Math.ceil(300 / limit));
    }
  });

  test('one tenant finds, changes and removes nothing of another', async () => {
    const connection = await open();
    const [own, other] = ['own', 'other'].map((tenant) => forTenant(connection, tenant));
    await withText(own);
    await withText(other);
    await saveCollection(own, { id: 'col', name: 'secret' });
    await saveCollectionDocument(own, 'col', document('d'), MAX);
    const before = [await readCollection(own, 'col'), await readCollectionDocuments(own, 'col')];
    const nothing = { rows: [], next: null };
    expect(await readCollection(other, 'col')).toBeUndefined();
    expect(await listCollections(other, { limit: 5 })).toEqual(nothing);
    expect(await listCollectionDocuments(other, 'col', { limit: 5 })).toEqual(nothing);
    expect(await readCollectionDocuments(other, 'col')).toEqual([]);
    expect(await readCollectionDocument(other, 'col', 'd')).toBeUndefined();
    for (const id of ['d', 'e']) expect(await saveCollectionDocument(other, 'col', document(id), MAX)).toBe('missing');
    expect(await removeCollectionDocument(other, 'col', 'd')).toBe(false);
    expect(await removeCollection(other, 'col')).toBe(false);
    expect([await readCollection(own, 'col'), await readCollectionDocuments(own, 'col')]).toEqual(before);
  });

  describe('cursors', () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const lists = [
      listCollections,
      (database: Database, request: PageRequest) => listCollectionDocuments(database, 'col', request),
    ] as const;

    test.each([
      ['empty', ''],
      ['no base64', 'a*b'],
      ['no JSON', Buffer.from('{').toString('base64url')],
      ['no UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
      ['no list', encoded('d')],
      ['nothing in it', encoded([])],
      ['too much in it', encoded([1, 'd', 2])],
      ['other kinds', encoded([null, {}])],
    ])('are refused: %s', async (_, cursor) => {
      const database = await open();
      const refused = { code: 'invalid-cursor', pointer: '/cursor' };
      for (const list of lists) await expect(list(database, { limit: 1, cursor })).rejects.toMatchObject(refused);
    });

    test('of one list are refused by the other, and any end in a page or in a refusal', async () => {
      const database = await open();
      const [byTime, byId] = [encoded([1, 'col']), encoded(['d'])];
      await expect(lists[0](database, { limit: 1, cursor: byId })).rejects.toThrow(InvalidCursorError);
      await expect(lists[1](database, { limit: 1, cursor: byTime })).rejects.toThrow(InvalidCursorError);
      const cursors = fc.oneof(
        fc.string(),
        fc.jsonValue().map(encoded),
        fc.tuple(fc.double(), fc.string()).map(encoded),
      );
      await fc.assert(
        fc.asyncProperty(cursors, async (cursor) => {
          for (const list of lists) {
            const outcome = await list(database, { limit: 2, cursor }).catch((failure: unknown) => failure);
            if (!(outcome instanceof InvalidCursorError)) expect(outcome).toEqual({ rows: [], next: null });
          }
        }),
        { numRuns: 50 },
      );
    });
  });
});
