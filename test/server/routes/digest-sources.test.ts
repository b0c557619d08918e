import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Digest,
  type KeptRequest,
  keptRequestSchema,
  type SourceText,
  sourceTextSchema,
} from '../../../src/contract/index.ts';
import { sweep, documents as texts } from '../../../src/store/index.ts';
import { documentChunks } from '../../../src/store/schema.ts';
import { findLoneSurrogate, type SourceDocument } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { idIn } from '../../support/keyed-service.ts';
import { memoryDatabase, type TestApp, testApp } from '../../support/test-deps.ts';

const DAY = 86_400_000;

async function made({ post }: TestApp, order: unknown): Promise<Digest> {
  const response = await post('/v1/digests', order);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Digest;
}

async function requestOf({ app }: TestApp, id: string): Promise<KeptRequest> {
  const response = await app.request(`/v1/digests/${id}/request`);
  expect(response.status, await response.clone().text()).toBe(200);
  const json = await response.json();
  expect(keptRequestSchema.parse(json)).toEqual(json);
  return json as KeptRequest;
}

async function documentOf({ app }: TestApp, id: string, document: string): Promise<SourceText> {
  const response = await app.request(`/v1/digests/${id}/documents/${encodeURIComponent(document)}`);
  expect(response.status, await response.clone().text()).toBe(200);
  return sourceTextSchema.parse(await response.json());
}

async function put({ app }: TestApp, collection: string, { id, ...body }: SourceDocument): Promise<void> {
  const response = await app.request(`/v1/collections/${collection}/documents/${encodeURIComponent(id)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.text()).toBe(true);
}

async function collectionOf(service: TestApp, documents: readonly SourceDocument[]): Promise<string> {
  const id = await idIn(await service.post('/v1/collections', {}));
  for (const document of documents) await put(service, id, document);
  return id;
}

/** Holds all offsets of a digest to the texts that it is said to have read. */
async function expectQuoted(service: TestApp, digest: Digest, documents: readonly SourceDocument[]): Promise<void> {
  const read = new Map<string, string>();
  for (const { id, text, title = null, url = null, publishedAt = null } of documents) {
    const source = await documentOf(service, digest.id, id);
    expect(source).toEqual({ id, title, url, publishedAt, text });
    read.set(id, source.text);
  }
  const cited = digest.summary.sentences.flatMap(({ citations }) => citations);
  const points = digest.keyPoints.flatMap(({ document, quote, moreQuotes }) =>
    [quote, ...moreQuotes].map((each) => ({ document, quote: each })),
  );
  for (const { document, quote } of [...cited, ...points]) {
    expect(read.get(document)?.slice(quote.start ?? 0, quote.end ?? 0)).toBe(quote.text);
  }
}

const SENTENCES = [
  'The council approved a congestion charge of 4 euros.',
  '  Sales fell by 8 percent.\r\n\r\n',
  '- Forty drivers are needed. 🚋 ',
  'MAYOR: The naïve cafe\u0301 pays half of it.\n',
  '市议会批准了拥堵费。',
  '𠮷野家 opened beside the stop\u2028. ',
];
/** Addresses cannot end with these, alone or encoded. */
const UNADDRESSABLE = new Set(['.', '..']);
const ids = fc
  .oneof(fc.constantFrom('a/b', ' ', '%', '%2F', '?q=1#x', 'ü 🚋', '…', '__proto__'), fc.string({ unit: 'grapheme' }))
  .map((id) => id.slice(0, 100))
  .filter((id) => findLoneSurrogate(id) === undefined && id !== '' && !UNADDRESSABLE.has(id));
const sources = fc.uniqueArray(
  fc.record({
    id: ids,
    text: fc.array(fc.constantFrom(...SENTENCES), { maxLength: 5 }).map((all) => all.join('')),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
);

describe('documents as a digest read them', () => {
  test('hold every quote where the digest says, whatever they are called, and whatever became of the collection', async () => {
    const service = testApp();
    await fc.assert(
      fc.asyncProperty(sources, fc.constantFrom('sent', 'kept', 'changed', 'gone'), async (documents, fate) => {
        if (fate === 'sent') return expectQuoted(service, await made(service, { documents }), documents);
        const collection = await collectionOf(service, documents);
        const digest = await made(service, { collection });
        if (fate === 'changed') {
          for (const { id } of documents) await put(service, collection, { id, text: 'Another text.', title: 'New' });
        }
        if (fate === 'gone') await service.app.request(`/v1/collections/${collection}`, { method: 'DELETE' });
        await expectQuoted(service, digest, documents);
      }),
      { numRuns: 40 },
    );
  });

  test('retention keeps them as long as the digest; a text that is gone all the same is told so', async () => {
    let time = Date.UTC(2026, 0, 1);
    const database = { ...memoryDatabase(), now: () => time };
    const service = testApp({ database });
    const collection = await collectionOf(service, CITY);
    const digest = await made(service, { collection });
    await service.app.request(`/v1/collections/${collection}`, { method: 'DELETE' });
    time += 9 * DAY;
    await sweep(database, 10 * DAY);
    await expectQuoted(service, digest, CITY);

    await database.query.update(texts).set({ text: '', parts: 2 });
    await database.query.delete(documentChunks);
    const gone = await service.app.request(`/v1/digests/${digest.id}/documents/${CITY[0].id}`);
    expect([gone.status, Object(await gone.json()).detail]).toEqual([
      404,
      'The text of this document is no longer stored.',
    ]);
    const { documents } = await requestOf(service, digest.id);
    expect(documents.map(({ id, characters }) => [id, characters])).toEqual(
      CITY.map(({ id }) => [id, null]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );

    time += 9 * DAY;
    await sweep(database, 10 * DAY);
    expect((await service.app.request(`/v1/digests/${digest.id}/documents/${CITY[0].id}`)).status).toBe(404);
    expect((await service.app.request(`/v1/digests/${digest.id}/request`)).status).toBe(404);
  });
});

test('the request of a digest comes back as it was sent, but for the texts and the webhook', async () => {
  const service = testApp();
  const [first, ...rest] = CITY;
  const documents = [...rest, { ...first, weight: 0.5, url: 'https://example.org/a' }];
  const sent = {
    intent: { problem: CITY_INTENT, userStory: 'I own a shop.', publishedAfter: '2020-01-01' },
    selection: { strategy: 'mmr', size: { keyPoints: 3 }, mmr: { lambda: 0.4 } },
    summary: { format: 'bullets', maxWords: null },
    engine: { encoder: 'hashed-words', writer: 'compose' },
  };
  const digest = await made(service, { documents, ...sent, callbackUrl: 'https://example.org/hook?secret=1' });
  const kept = await requestOf(service, digest.id);
  expect(kept).toEqual({
    ...sent,
    digest: digest.id,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    collection: null,
    documents: documents.map(({ text, ...given }) => {
      return { title: null, url: null, publishedAt: null, weight: null, ...given, characters: text.length };
    }),
    experiment: null,
  });
  expect(JSON.stringify(kept)).not.toContain('secret');
});
