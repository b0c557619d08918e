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
  saveDocuments,
} from '../../src/store/index.ts';
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
  describe('collections', () => {
    test('come back as they were made, and are gone once removed', async () => {
      const database = { ...(await open()), now: () => 1234 };
      const made: StoredCollection = { id: 'col_a', name: 'Minutes', documents: 0, createdAt: 1234 };
      expect(await saveCollection(database, { id: 'col_a', name: 'Minutes' })).toEqual(made);
      expect(await readCollection(database, 'col_a')).toEqual(made);
      expect((await saveCollection(database, { id: 'col_b', name: null })).name).toBeNull();
      expect(await removeCollection(database, 'col_a')).toBe(true);
      expect(await removeCollection(database, 'col_a')).toBe(false);
      expect(await readCollection(database, 'col_a')).toBeUndefined();
      expect((await listCollections(database, { limit: 5 })).rows.map(({ id }) => id)).toEqual(['col_b']);
    });

    test('tell how many documents they hold', async () => {
      const database = await withText(await open());
      for (const id of ['a', 'b', 'c']) await saveCollection(database, { id, name: null });
      for (const [id, documentId] of [
        ['a', '1'],
        ['a', '2'],
        ['c', '1'],
      ]) {
        await saveCollectionDocument(database, id, document(documentId), MAX);
      }
      const { rows } = await listCollections(database, { limit: 5 });
      expect(Object.fromEntries(rows.map(({ id, documents }) => [id, documents]))).toEqual({ a: 2, b: 0, c: 1 });
      expect(await readCollection(database, 'a')).toMatchObject({ documents: 2 });
    });

    test('are listed from the newest on, once each, whatever the page and however many of one moment', async () => {
      let now = 0;
      const database = { ...(await open()), now: () => now };
      const times = [3, 3, 3, 1, 2, 2, 9, 3, 1, 9, 9, 9, 0];
      for (const [index, time] of times.entries()) {
        now = time;
        await saveCollection(database, { id: `col_${(index * 7) % times.length}`, name: null });
      }
      const expected = times
        .map((time, index) => ({ time, id: `col_${(index * 7) % times.length}` }))
        .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1));
      for (let limit = 1; limit <= times.length + 1; limit++) {
        const { rows, sizes } = await walk((request) => listCollections(database, request), limit);
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(sizes).toHaveLength(Math.ceil(times.length / limit));
      }
    });

    test('that are made or removed between two pages neither repeat nor hide another', async () => {
      let now = 0;
      const database = { ...(await open()), now: () => now++ };
      for (const id of ['a', 'b', 'c', 'd', 'e']) await saveCollection(database, { id, name: null });
      const first = await listCollections(database, { limit: 2 });
      expect(first.rows.map(({ id }) => id)).toEqual(['e', 'd']);
      await saveCollection(database, { id: 'new', name: null });
      await removeCollection(database, 'd');
      const { rows } = await listCollections(database, { limit: 5, cursor: first.next ?? '' });
      expect(rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    });
  });

  describe('documents of a collection', () => {
    async function collection(id = 'col_a') {
      const database = await withText(await open());
      await saveCollection(database, { id, name: null });
      return database;
    }

    test('come back as they were put', async () => {
      const database = await collection();
      const full = document('d', {
        title: 'T',
        url: 'https://example.org/',
        publishedAt: '2026-01-31',
        weight: 0.25,
        characters: 12,
        keyPoints: 3,
        updatedAt: 77,
      });
      expect(await saveCollectionDocument(database, 'col_a', full, MAX)).toBe('new');
      expect(await readCollectionDocument(database, 'col_a', 'd')).toEqual(full);
      expect(await saveCollectionDocument(database, 'col_a', document('d'), MAX)).toBe('replaced');
      expect(await readCollectionDocument(database, 'col_a', 'd')).toEqual(document('d'));
      expect(await readCollection(database, 'col_a')).toMatchObject({ documents: 1 });
      expect(await removeCollectionDocument(database, 'col_a', 'd')).toBe(true);
      expect(await removeCollectionDocument(database, 'col_a', 'd')).toBe(false);
      expect(await readCollectionDocument(database, 'col_a', 'd')).toBeUndefined();
    });

    test('stay within the bound, where those that are there can still be replaced', async () => {
      const database = await collection();
      const put = (id: string) => saveCollectionDocument(database, 'col_a', document(id), 2);
      expect([await put('1'), await put('2'), await put('3'), await put('1')]).toEqual([
        'new',
        'new',
        'full',
        'replaced',
      ]);
      expect((await readCollectionDocuments(database, 'col_a')).map(({ documentId }) => documentId)).toEqual([
        '1',
        '2',
      ]);
      await removeCollectionDocument(database, 'col_a', '1');
      expect(await put('3')).toBe('new');
    });

    test('of twenty at once for three places, three get in', async () => {
      const database = await collection();
      const told = await Promise.all(
        Array.from({ length: 20 }, (_, i) => saveCollectionDocument(database, 'col_a', document(`${i}`), 3)),
      );
      expect(told.filter((each) => each === 'new')).toHaveLength(3);
      expect(told.filter((each) => each === 'full')).toHaveLength(17);
    });

    test('of twenty at once with one id, one is new', async () => {
      const database = await collection();
      const told = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          saveCollectionDocument(database, 'col_a', document('d', { keyPoints: i }), 1),
        ),
      );
      expect(told.filter((each) => each === 'new')).toHaveLength(1);
      expect(told.filter((each) => each === 'replaced')).toHaveLength(19);
      expect(await readCollectionDocuments(database, 'col_a')).toHaveLength(1);
    });

    test('need a collection', async () => {
      const database = await collection();
      expect(await saveCollectionDocument(database, 'col_b', document('d'), MAX)).toBe('missing');
      expect(await readCollectionDocuments(database, 'col_b')).toEqual([]);
    });

    test('go with their collection, and no other does', async () => {
      const database = await collection();
      await saveCollection(database, { id: 'col_b', name: null });
      for (const id of ['col_a', 'col_b']) await saveCollectionDocument(database, id, document('d'), MAX);
      await removeCollection(database, 'col_a');
      expect(await readCollectionDocuments(database, 'col_a')).toEqual([]);
      expect(await readCollectionDocuments(database, 'col_b')).toHaveLength(1);
    });

    test('300 of them are listed once each, by id, whatever the page', async () => {
      const database = await collection();
      const ids = Array.from({ length: 300 }, (_, i) => `${(i * 7919) % 1000}-${['é', '😀', 'a/b', '?', '\0'][i % 5]}`);
      await Promise.all(ids.map((id) => saveCollectionDocument(database, 'col_a', document(id), MAX)));
      // Of UTF-8 the order is that of code points.
      const expected = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect((await readCollectionDocuments(database, 'col_a')).map(({ documentId }) => documentId)).toEqual(expected);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 310 }), async (limit) => {
          const { rows, sizes } = await walk((request) => listCollectionDocuments(database, 'col_a', request), limit);
          expect(rows.map(({ documentId }) => documentId)).toEqual(expected);
          expect(sizes).toHaveLength(Math.ceil(300 / limit));
        }),
        name === 'D1'
          ? { numRuns: 3, examples: [[299], [300]] }
          : { numRuns: 15, examples: [[1], [299], [300], [301]] },
      );
    });
  });

  describe('one tenant', () => {
    test('finds, changes and removes nothing of another', async () => {
      const connection = await open();
      const [own, other] = ['own', 'other'].map((tenant) => forTenant(connection, tenant));
      await withText(own);
      await withText(other);
      await saveCollection(own, { id: 'col_a', name: 'secret' });
      await saveCollectionDocument(own, 'col_a', document('d'), MAX);
      const before = [await readCollection(own, 'col_a'), await readCollectionDocuments(own, 'col_a')];

      expect(await readCollection(other, 'col_a')).toBeUndefined();
      expect(await listCollections(other, { limit: 5 })).toEqual({ rows: [], next: null });
      expect(await listCollectionDocuments(other, 'col_a', { limit: 5 })).toEqual({ rows: [], next: null });
      expect(await readCollectionDocuments(other, 'col_a')).toEqual([]);
      expect(await readCollectionDocument(other, 'col_a', 'd')).toBeUndefined();
      expect(await saveCollectionDocument(other, 'col_a', document('d', { title: 'mine' }), MAX)).toBe('missing');
      expect(await saveCollectionDocument(other, 'col_a', document('e'), MAX)).toBe('missing');
      expect(await removeCollectionDocument(other, 'col_a', 'd')).toBe(false);
      expect(await removeCollection(other, 'col_a')).toBe(false);

      expect([await readCollection(own, 'col_a'), await readCollectionDocuments(own, 'col_a')]).toEqual(before);
    });
  });

  describe('cursors', () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

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
      const request = { limit: 1, cursor };
      await expect(listCollections(database, request)).rejects.toThrow(InvalidCursorError);
      await expect(listCollectionDocuments(database, 'col_a', request)).rejects.toMatchObject({
        code: 'invalid-cursor',
        pointer: '/cursor',
      });
    });

    test('of one list are refused by the other', async () => {
      const database = await open();
      await expect(listCollections(database, { limit: 1, cursor: encoded(['d']) })).rejects.toThrow(InvalidCursorError);
      const cursor = encoded([1, 'col_a']);
      await expect(listCollectionDocuments(database, 'col_a', { limit: 1, cursor })).rejects.toThrow(
        InvalidCursorError,
      );
    });

    test('of any kind end in a page or in a refusal', async () => {
      const database = await open();
      const cursors = fc.oneof(
        fc.string(),
        fc.jsonValue().map(encoded),
        fc.tuple(fc.double(), fc.string()).map(encoded),
      );
      await fc.assert(
        fc.asyncProperty(cursors, async (cursor) => {
          for (const list of [
            listCollections,
            (...[db, page]: Parameters<typeof listCollections>) => listCollectionDocuments(db, 'c', page),
          ]) {
            const outcome = await list(database, { limit: 2, cursor }).catch((failure: unknown) => failure);
            if (!(outcome instanceof InvalidCursorError)) expect(outcome).toEqual({ rows: [], next: null });
          }
        }),
      );
    });
  });
});
