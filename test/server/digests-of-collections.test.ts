import { describe, expect, test } from 'vitest';
import {
  createCollection,
  deleteCollection,
  deleteDocument,
  knownDocument,
  putDocuments,
} from '../../src/server/collections/collections.ts';
import {
  forTenant,
  readCollection,
  readCollectionDocuments,
  readDocuments,
  saveDigest,
} from '../../src/store/index.ts';
import { contentHash, type SourceDocument } from '../../src/text/index.ts';
import { CITY } from '../support/documents.ts';
import { type TestDeps, testDeps } from '../support/test-deps.ts';

const [COUNCIL, SHOPS] = CITY;

async function collection(parts: TestDeps = testDeps()) {
  const { id } = await createCollection('City', parts.database);
  const put = async (document: SourceDocument, most?: number) => {
    const [told] = await putDocuments(id, [document], parts, { most });
    return told;
  };
  /** Forgets what was asked of the engine so far. */
  const forget = () => {
    parts.engine.extracted.length = 0;
    parts.engine.encoder.calls.length = 0;
  };
  return { id, parts, put, forget, database: parts.database };
}

describe('a document that is put', () => {
  test('is read, encoded and counted', async () => {
    const { id, put, parts, database } = await collection();
    const { document, ...told } = await put({ ...COUNCIL, url: 'https://example.org/', weight: 2 });
    expect(told).toEqual({ isNew: true, status: 'ok', error: null });
    // The points, and what they stand under: the title and two headings.
    const { texts } = parts.engine.encoder;
    const above = ['Council minutes', 'Minutes of 2 March', 'Who will check the number plates?'];
    expect(texts).toEqual(expect.arrayContaining(above));
    expect(new Set(texts).size).toBe(texts.length);
    const expected = texts.length - above.length;
    expect(expected).toBeGreaterThan(3);
    expect(document).toMatchObject({ documentId: 'council', characters: COUNCIL.text.length, keyPoints: expected });
    expect(await knownDocument(id, 'council', database)).toEqual({ ...document, text: COUNCIL.text });
    expect(await readCollection(database, id)).toMatchObject({ documents: 1 });
  });

  test('many times at once ends in one row, all of it from one of the texts', async () => {
    const { id, put, database, parts } = await collection();
    const texts = Array.from({ length: 12 }, (_, i) => `Line ${i} runs at night. `.repeat(1 + (i % 4)).trim());
    const told = await Promise.all(texts.map((text) => put({ id: 'd', text })));
    expect(told.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [row, ...more] = await readCollectionDocuments(database, id);
    expect(more).toEqual([]);
    const { text } = await knownDocument(id, 'd', database);
    const source = told.find(({ document }) => document.documentHash === contentHash(text));
    expect(row).toEqual(source?.document);
    expect(row.characters).toBe(text.length);
    expect(parts.engine.extracted).toHaveLength(12);
  });

  test('needs a collection of its tenant, and room in it', async () => {
    const { id, put, parts, forget } = await collection();
    const stranger = { ...parts, database: forTenant(parts.database, 'other') };
    await expect(putDocuments(id, [COUNCIL], stranger)).rejects.toThrow('no collection');
    await expect(putDocuments('col_0', [COUNCIL], parts)).rejects.toThrow('no collection');
    await put(COUNCIL, 1);
    forget();
    await expect(put(SHOPS, 1)).rejects.toMatchObject({ code: 'collection-full' });
    expect(parts.engine.extracted).toEqual([]);
    expect((await put({ ...SHOPS, id: COUNCIL.id }, 1)).isNew).toBe(false);
  });
});

describe('what is deleted', () => {
  test('is gone from its collection, and its text stays for others that share it', async () => {
    const { id, put, parts, database } = await collection();
    const other = await createCollection(null, database);
    for (const document of [COUNCIL, { ...COUNCIL, id: 'copy' }]) await put(document);
    await putDocuments(other.id, [COUNCIL], parts);
    const hash = contentHash(COUNCIL.text);
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer: '{}' }, [
      { documentId: 'council', documentHash: hash },
    ]);

    await deleteDocument(id, COUNCIL.id, database);
    await expect(knownDocument(id, COUNCIL.id, database)).rejects.toThrow('no document');
    expect((await knownDocument(id, 'copy', database)).text).toBe(COUNCIL.text);
    await deleteCollection(id, database);
    expect((await knownDocument(other.id, COUNCIL.id, database)).text).toBe(COUNCIL.text);
    await deleteCollection(other.id, database);
    expect((await readDocuments(database, [hash])).get(hash)).toBe(COUNCIL.text);
  });
});
