import { describe, expect, test } from 'vitest';
import { createDigest } from '../../src/digest/index.ts';
import { type Encoder, ModelCallError } from '../../src/models/index.ts';
import { collectionDocuments } from '../../src/server/collections/collection-documents.ts';
import { CollectionNotFoundError } from '../../src/server/collections/collection-not-found-error.ts';
import { createCollection } from '../../src/server/collections/create-collection.ts';
import { deleteCollection } from '../../src/server/collections/delete-collection.ts';
import { deleteDocument } from '../../src/server/collections/delete-document.ts';
import { DocumentNotFoundError } from '../../src/server/collections/document-not-found-error.ts';
import { knownDocument } from '../../src/server/collections/known-document.ts';
import { CollectionFullError, putDocument } from '../../src/server/collections/put-document.ts';
import { NotFoundError } from '../../src/server/stored/not-found-error.ts';
import {
  forTenant,
  readCollection,
  readCollectionDocuments,
  readDocuments,
  saveDigest,
} from '../../src/store/index.ts';
import { contentHash, type SourceDocument } from '../../src/text/index.ts';
import { scriptedModel } from '../models/language/scripted-model.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { good, goodBut, keyPointsOf } from '../support/good-model.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { NOTES } from '../support/model-app.ts';
import { PROMPTS } from '../support/prompts.ts';
import { type TestDeps, testDeps } from '../support/test-deps.ts';

const [COUNCIL, SHOPS] = CITY;

async function collection(parts: TestDeps = testDeps()) {
  const { id } = await createCollection('City', parts.database);
  const put = (document: SourceDocument, most?: number) => putDocument(id, document, parts, most);
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
    expect(told).toEqual({
      isNew: true,
      status: 'ok',
      error: null,
      reusedExtractions: 0,
      usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
    });
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

  test('again does no work (P9), whatever its id is; another title is encoded, and nothing else', async () => {
    const { put, forget, parts } = await collection();
    const first = await put(COUNCIL);
    forget();
    const again = await put(COUNCIL);
    expect(again).toMatchObject({ isNew: false, status: 'ok', reusedExtractions: 1 });
    expect(again.document).toMatchObject({ keyPoints: first.document.keyPoints });
    expect(await put({ ...COUNCIL, id: 'copy', title: 'Copy' })).toMatchObject({ isNew: true, reusedExtractions: 1 });
    expect(parts.engine.extracted).toEqual([]);
    expect(parts.engine.encoder.calls).toEqual([['Copy']]);
  });

  test('is not read again by a digest, which encodes its intent alone', async () => {
    const { put, forget, parts } = await collection();
    for (const document of CITY) await put(document);
    forget();
    const { usage, keyPoints } = await createDigest({ documents: CITY, intent: CITY_INTENT }, parts);
    expect(parts.engine.extracted).toEqual([]);
    expect(parts.engine.encoder.calls).toEqual([[CITY_INTENT]]);
    expect(usage).toMatchObject({ reusedExtractions: CITY.length, reusedEncodings: keyPoints.length });
  });

  test('in the place of another changes all that is said of it', async () => {
    const { id, put, database } = await collection();
    const first = await put({ ...COUNCIL, url: 'https://example.org/', weight: 2 });
    const second = await put({ id: COUNCIL.id, text: 'The tram runs at night. It is free of charge for children.' });
    expect(second.isNew).toBe(false);
    expect(second.document).toMatchObject({ characters: 58, keyPoints: 2, title: null, url: null, weight: null });
    expect(first.document.keyPoints).not.toBe(2);
    expect(await readCollectionDocuments(database, id)).toEqual([second.document]);
  });

  test.each([
    ['', 0],
    [' \n\t', 3],
  ])('without words is kept as empty: %j', async (text, characters) => {
    const { id, put, database } = await collection();
    const { document, status, error } = await put({ id: 'd', text });
    expect({ status, error }).toEqual({ status: 'empty', error: null });
    expect(document).toMatchObject({ characters, keyPoints: 0 });
    expect((await knownDocument(id, 'd', database)).text).toBe(text);
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

  test('many times at once with the same text is read once', async () => {
    const { id, put, database, parts } = await collection();
    const told = await Promise.all(Array.from({ length: 12 }, () => put(COUNCIL)));
    expect(told.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await readCollectionDocuments(database, id)).toHaveLength(1);
    expect(parts.engine.extracted).toHaveLength(1);
  });

  test('needs a collection of its tenant, and room in it', async () => {
    const { id, put, parts, forget } = await collection();
    const stranger = { ...parts, database: forTenant(parts.database, 'other') };
    await expect(putDocument(id, COUNCIL, stranger)).rejects.toThrow(CollectionNotFoundError);
    await expect(putDocument('col_0', COUNCIL, parts)).rejects.toThrow(CollectionNotFoundError);
    await put(COUNCIL, 1);
    forget();
    await expect(put(SHOPS, 1)).rejects.toThrow(CollectionFullError);
    await expect(put(SHOPS, 1)).rejects.toMatchObject({ code: 'collection-full', most: 1 });
    expect(parts.engine.extracted).toEqual([]);
    expect((await put({ ...SHOPS, id: COUNCIL.id }, 1)).isNew).toBe(false);
  });

  test('into a collection that is deleted meanwhile is told so, and leaves nothing there', async () => {
    const { id, put, database, parts } = await collection();
    const extract = parts.engine.extract.bind(parts.engine);
    parts.engine.extract = async (text) => {
      await deleteCollection(id, database);
      return extract(text);
    };
    await expect(put(COUNCIL)).rejects.toThrow(CollectionNotFoundError);
    expect(await readCollectionDocuments(database, id)).toEqual([]);
  });
});

describe('a document that cannot be read (P7)', () => {
  test('is kept, and read when it is put or asked for again', async () => {
    const { id, put, parts, database } = await collection();
    parts.engine.unreadable.add(COUNCIL.text);
    const { document, status, error } = await put(COUNCIL);
    expect(status).toBe('failed');
    expect(error).toEqual({ code: 'extraction-failed', message: expect.not.stringContaining('cannot read') });
    expect(document).toMatchObject({ keyPoints: 0, characters: COUNCIL.text.length });
    expect(parts.failures).toMatchObject([{ stage: 'extract', document: contentHash(COUNCIL.text) }]);
    expect((await knownDocument(id, COUNCIL.id, database)).text).toBe(COUNCIL.text);

    parts.engine.unreadable.clear();
    const { documents } = await createDigest({ documents: [COUNCIL] }, parts);
    expect(documents).toMatchObject([{ status: 'ok' }]);
    const again = await put(COUNCIL);
    expect(again).toMatchObject({ isNew: false, status: 'ok', error: null, reusedExtractions: 1 });
    expect(again.document.keyPoints).toBe(documents[0].keyPoints);
  });

  test('for want of an encoder is kept as well, without the words of the failure', async () => {
    const own = new HashedWordsEncoder();
    let failure: Error | null = new ModelCallError('unreachable', 'The endpoint cannot be reached.');
    const failing: Encoder = {
      profile: own.profile,
      encode: async (texts) => {
        if (failure !== null) throw failure;
        return own.encode(texts);
      },
    };
    const engine = new InProcessEngine({ 'hashed-words': failing });
    const { put, parts } = await collection(testDeps({ engine }));
    const unreachable = await put(COUNCIL);
    expect(unreachable).toMatchObject({ isNew: true, status: 'failed' });
    expect(unreachable.error).toEqual({
      code: 'encoding-failed',
      message: 'The key points of this document could not be encoded. The endpoint cannot be reached.',
    });
    failure = new Error('secret');
    expect((await put(COUNCIL)).error?.message).not.toContain('secret');
    expect(parts.failures.map(({ stage }) => stage)).toEqual(['encode', 'encode']);
    failure = null;
    expect(await put(COUNCIL)).toMatchObject({ status: 'ok', error: null, reusedExtractions: 1 });
  });
});

describe('with a language model that extracts', () => {
  async function modelled(script: Parameters<typeof scriptedModel>[0]) {
    const scripted = await scriptedModel(script);
    const models = { model: scripted.model, prompts: PROMPTS, extractor: 'llm', writer: 'compose' } as const;
    return { ...(await collection(testDeps({ models }))), ...scripted };
  }

  test('it is asked once, and what it took is told', async () => {
    const { put, server, forget, parts } = await modelled(good);
    const first = await put(NOTES[0]);
    expect(first).toMatchObject({ status: 'ok', document: { keyPoints: 3 } });
    const asked = server.requests.length;
    expect(asked).toBeGreaterThan(0);
    expect(first.usage).toMatchObject({ requests: asked, promptTokens: 20 * asked });
    forget();
    expect(await put(NOTES[0])).toMatchObject({ status: 'ok', reusedExtractions: 1, usage: { requests: 0 } });
    const { usage } = await createDigest({ documents: [NOTES[0]] }, parts);
    expect(usage).toMatchObject({ requests: 0, reusedExtractions: 1 });
    expect(server.requests).toHaveLength(asked);
    expect(parts.engine.encoder.calls).toEqual([]);
  });

  test('what its quotes do not bear out is encoded once, and told as the quote', async () => {
    const quote = 'Residents **of the old town** pay half the charge.';
    const shown = 'Residents of the old town pay half the charge.';
    const claim = 'Aliens from Mars pay 900 euros.';
    const { put, parts, forget } = await modelled(
      goodBut(['extract'], () => ({ text: JSON.stringify({ keyPoints: [{ text: claim, quotes: [quote] }] }) })),
    );
    const document = { id: 'd', text: `The charge starts in May. ${quote}` };
    expect(await put(document)).toMatchObject({ status: 'ok', document: { keyPoints: 1 } });
    expect(parts.engine.encoder.texts).toContain(claim);
    forget();
    const { keyPoints } = await createDigest({ documents: [document] }, parts);
    expect(keyPoints.map(({ text }) => text)).toEqual([shown]);
    expect(parts.engine.encoder.calls).toEqual([]);
  });

  test('that cannot be reached leaves the document for later, with the reason', async () => {
    const script = goodBut(['extract', 'extract-more'], () => ({ status: 401 }));
    const { put, id, database } = await modelled(script);
    const { status, error } = await put(NOTES[0]);
    expect(status).toBe('failed');
    expect(error?.code).toBe('extraction-failed');
    expect(await readCollectionDocuments(database, id)).toHaveLength(1);
  });

  test('that finds nothing in a text that states something says so', async () => {
    const { put } = await modelled(goodBut(['extract'], () => ({ text: keyPointsOf([]) })));
    expect(await put(NOTES[0])).toMatchObject({
      status: 'empty',
      error: { code: 'extraction-incomplete' },
      document: { keyPoints: 0 },
    });
  });
});

describe('what is deleted', () => {
  test('is gone from its collection, and its text stays for others that share it', async () => {
    const { id, put, parts, database } = await collection();
    const other = await createCollection(null, database);
    for (const document of [COUNCIL, { ...COUNCIL, id: 'copy' }]) await put(document);
    await putDocument(other.id, COUNCIL, parts);
    const hash = contentHash(COUNCIL.text);
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer: '{}' }, [
      { documentId: 'council', documentHash: hash },
    ]);

    await deleteDocument(id, COUNCIL.id, database);
    await expect(knownDocument(id, COUNCIL.id, database)).rejects.toThrow(DocumentNotFoundError);
    expect((await knownDocument(id, 'copy', database)).text).toBe(COUNCIL.text);
    await deleteCollection(id, database);
    expect((await knownDocument(other.id, COUNCIL.id, database)).text).toBe(COUNCIL.text);
    await deleteCollection(other.id, database);
    expect((await readDocuments(database, [hash])).get(hash)).toBe(COUNCIL.text);
  });

  test('has to be there', async () => {
    const { id, database } = await collection();
    const other = forTenant(database, 'other');
    for (const attempt of [
      deleteDocument('col_0', 'd', database),
      deleteDocument(id, 'd', other),
      deleteCollection('col_0', database),
      deleteCollection(id, other),
      collectionDocuments(database, 'col_0'),
      collectionDocuments(other, id),
    ]) {
      await expect(attempt).rejects.toThrow(CollectionNotFoundError);
    }
    const lacking = deleteDocument(id, 'd', database);
    await expect(lacking).rejects.toMatchObject({ code: 'not-found', collection: id, id: 'd' });
    await expect(lacking).rejects.toThrow(NotFoundError);
  });
});

test('the documents of a collection by id, without their texts and without what nobody said', async () => {
  const { id, put, database } = await collection();
  expect(await collectionDocuments(database, id)).toEqual({ documents: [], characters: 0 });
  await put({ id: 'z', text: 'Trams run.' });
  await put({
    id: 'a',
    text: 'Trams stop.',
    title: 'T',
    url: 'https://a.example/',
    publishedAt: '2026-01-31',
    weight: 3,
  });
  expect((await collectionDocuments(database, id)).documents).toEqual([
    {
      id: 'a',
      title: 'T',
      url: 'https://a.example/',
      publishedAt: '2026-01-31',
      weight: 3,
      hash: contentHash('Trams stop.'),
    },
    { id: 'z', hash: contentHash('Trams run.') },
  ]);
});
