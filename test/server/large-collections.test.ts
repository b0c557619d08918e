import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createCollection, putDocuments } from '../../src/server/collections/collections.ts';
import { insertStoredSources } from '../../src/store/index.ts';
import { digestDocuments } from '../../src/store/schema.ts';
import { contentHash } from '../../src/text/index.ts';
import { testApp } from '../support/test-deps.ts';

const DOCUMENTS = Array.from({ length: 1003 }, (_, i) => ({
  id: `d${String(i).padStart(4, '0')}`,
  title: `Note ${i}`,
  text: `Tram ${i} runs to the harbour at night. The driver of tram ${i} is paid ${i + 20} euros. It stops at the mill.`,
}));

test('a digest of more than a thousand documents of a collection is listed, read and asked after as any other', async () => {
  const { app, post, parts } = testApp();
  const { database } = parts;
  const { id: collection } = await createCollection('Trams', database);
  await putDocuments(collection, DOCUMENTS, parts);
  const intent = 'Which tram runs to the harbour, and who is paid?';
  const response = await post('/v1/digests', { collection, intent, selection: { kernel: { similarity: 'cosine' } } });
  expect(response.status).toBe(201);
  const digest = Object(await response.json());
  expect(digest.counts.documents).toEqual({ ok: DOCUMENTS.length, failed: 0, empty: 0, excluded: 0 });
  expect(digest.sources.length).toBeGreaterThan(0);

  const get = async (path: string) => Object(await (await app.request(path)).json());
  const { digests } = await get('/v1/digests');
  expect(digests[0]).toMatchObject({
    documents: DOCUMENTS.length,
    titles: DOCUMENTS.slice(0, 10).map(({ title }) => title),
  });
  const request = await get(`/v1/digests/${digest.id}/request`);
  expect(request.documents.map(({ id }: { id: string }) => id)).toEqual(DOCUMENTS.map(({ id }) => id));
  const [{ document }] = digest.sources;
  const source = await get(`/v1/digests/${digest.id}/documents/${document}`);
  const textOf = (id: string) => DOCUMENTS.find((each) => each.id === id)?.text ?? '';
  expect(source.text).toBe(textOf(document));

  // Only what the digest tells of is kept for it.
  const kept = (await database.query.select().from(digestDocuments)).map(({ documentId }) => documentId);
  expect(kept).toContain(document);
  expect(kept.length).toBeLessThan(DOCUMENTS.length);

  // A job that an earlier version began had kept them already.
  const again = kept.map((documentId) => ({ documentId, documentHash: contentHash(textOf(documentId)) }));
  await database.commit(insertStoredSources(database, digest.id, again, sql`true`));
  expect(await database.query.select().from(digestDocuments)).toHaveLength(kept.length);

  const news = { problem: intent, background: { digest: digest.id } };
  const later = Object(await (await post('/v1/digests', { collection, intent: news })).json());
  expect(later.counts.documents).toMatchObject({ excluded: DOCUMENTS.length });
});
