import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Digest,
  type KeptRequest,
  keptRequestSchema,
  type SourceText,
  sourceTextSchema,
} from '../../../src/contract/index.ts';
import { createStoredDigest } from '../../../src/server/index.ts';
import { digests, sweep, documents as texts } from '../../../src/store/index.ts';
import { documentChunks } from '../../../src/store/schema.ts';
import { findLoneSurrogate, type SourceDocument } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { idIn } from '../../support/keyed-service.ts';
import { memoryDatabase, type TestApp, testApp } from '../../support/test-deps.ts';

const LATER = { prefer: 'respond-async' };
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

  test('are told with what was said of them', async () => {
    const service = testApp();
    const [{ weight: _, ...first }] = CITY;
    const document = { ...first, url: 'https://example.org/ü' };
    const digest = await made(service, { documents: [{ ...document, weight: 2 }, ...CITY.slice(1)] });
    expect(await documentOf(service, digest.id, first.id)).toEqual(document);
  });

  test('are there before the digest, and where it left them out', async () => {
    const service = testApp({ slots: 0 });
    const documents = [{ id: 'old', text: 'The mill closed.', publishedAt: '2020-01-01' }];
    const intent = { problem: 'Mills?', publishedAfter: '2021-01-01' };
    const id = await idIn(await service.post('/v1/digests', { documents, intent }, LATER));
    expect(await documentOf(service, id, 'old')).toMatchObject({ text: 'The mill closed.' });
    const other = testApp();
    const { id: ended } = await made(other, { documents, intent });
    expect(await documentOf(other, ended, 'old')).toMatchObject({ text: 'The mill closed.' });
  });

  test('a text that is kept in parts comes whole', async () => {
    const service = testApp();
    const text = 'The tram 🚋 runs every five minutes. '.repeat(12_000);
    // Nothing is made of it: only the keeping is looked at.
    const { id } = await made(service, {
      documents: [{ id: 'long', text, publishedAt: '2020-01-01' }],
      intent: { problem: 'Trams?', publishedAfter: '2021-01-01' },
    });
    expect((await documentOf(service, id, 'long')).text).toBe(text);
    expect((await requestOf(service, id)).documents).toMatchObject([{ id: 'long', characters: text.length }]);
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

describe('the request of a digest', () => {
  const OPTIONS = {
    selection: { strategy: 'mmr', size: { keyPoints: 3 }, mmr: { lambda: 0.4 } },
    summary: { format: 'bullets', maxWords: null },
    engine: { encoder: 'hashed-words', writer: 'compose' },
  };

  test('comes back as it was sent, but for the texts and the webhook', async () => {
    const service = testApp();
    const [first, ...rest] = CITY;
    const documents = [...rest, { ...first, weight: 0.5, url: 'https://example.org/a' }];
    const intent = { problem: CITY_INTENT, userStory: 'I own a shop.', publishedAfter: '2020-01-01' };
    const callbackUrl = 'https://example.org/hook?secret=1';
    const digest = await made(service, { documents, intent, ...OPTIONS, callbackUrl });
    const kept = await requestOf(service, digest.id);
    expect(kept).toEqual({
      digest: digest.id,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      intent,
      collection: null,
      documents: documents.map(({ id, title = null, publishedAt = null, text, ...given }) => ({
        id,
        title,
        url: null,
        publishedAt,
        weight: null,
        ...given,
        characters: text.length,
      })),
      ...OPTIONS,
      experiment: null,
    });
    expect(JSON.stringify(kept)).not.toContain('secret');
  });

  test('of a collection names it, and the documents that it held then', async () => {
    const service = testApp();
    const collection = await collectionOf(service, CITY.slice(0, 2));
    const { id } = await made(service, { collection });
    await put(service, collection, { id: 'later', text: 'This came later.' });
    const { documents, ...kept } = await requestOf(service, id);
    expect(kept).toMatchObject({ collection, intent: null, selection: null, summary: null, engine: null });
    expect(documents).toEqual(
      CITY.slice(0, 2).map(({ id, title, publishedAt, text }) => ({
        id,
        title,
        url: null,
        publishedAt,
        weight: null,
        characters: text.length,
      })),
    );
  });

  test('names the earlier digest that it goes on from; a background in words is not kept beyond the end', async () => {
    const service = testApp();
    const { id: digest } = await made(service, { documents: CITY.slice(0, 2) });
    const update = { problem: 'What is new?', background: { digest } };
    const { id } = await made(service, { documents: CITY, intent: update });
    expect((await requestOf(service, id)).intent).toEqual(update);
    const told = { problem: 'What is new?', background: 'The charge starts on 1 September.' };
    const { id: other } = await made(service, { documents: CITY, intent: told });
    expect((await requestOf(service, other)).intent).toEqual({ problem: 'What is new?' });
  });

  test('is there whatever came of it: queued, cancelled, failed', async () => {
    const idle = testApp({ slots: 0 });
    const order = { documents: CITY.slice(0, 2), intent: CITY_INTENT };
    const id = await idIn(await idle.post('/v1/digests', order, LATER));
    const queued = await requestOf(idle, id);
    expect(queued).toMatchObject({ intent: CITY_INTENT, documents: order.documents.map((each) => ({ id: each.id })) });
    expect((await idle.app.request(`/v1/digests/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await requestOf(idle, id)).toEqual(queued);

    const broken = testApp();
    broken.parts.engine.rank = async () => {
      throw new Error('out of order');
    };
    expect((await broken.post('/v1/digests', order)).status).toBe(500);
    const { digests: listed } = Object(await (await broken.app.request('/v1/digests')).json());
    expect(listed).toMatchObject([{ status: 'failed' }]);
    expect((await requestOf(broken, listed[0].id)).intent).toBe(CITY_INTENT);
  });

  test('of an experiment tells the variant and its options, and not the subject', async () => {
    const service = testApp();
    const variants = ['a', 'b'].map((name) => ({ name, weight: 0.5, options: { summary: { format: 'bullets' } } }));
    const metrics = [{ key: 'read', type: 'count', direction: 'increase' }];
    await service.post('/v1/experiments', { key: 'e', hypothesis: 'h', variants, metrics, status: 'running' });
    const { id, experiment } = await made(service, { documents: CITY, experiment: { key: 'e', subject: 'captain' } });
    const kept = await requestOf(service, id);
    expect(kept).toMatchObject({ summary: { format: 'bullets' }, experiment: { key: 'e', version: 1 } });
    expect(kept.experiment).toEqual(experiment);
    expect(JSON.stringify(kept)).not.toContain('captain');
  });

  test('that was not kept is told as far as it is known', async () => {
    const service = testApp();
    const excluded: SourceDocument = { id: 'old', text: 'The mill closed.', publishedAt: '2020-01-01' };
    const intent = { problem: CITY_INTENT, publishedAfter: '2021-01-01' };
    const digest = await createStoredDigest({ documents: [...CITY, excluded], intent }, service.parts);
    expect(await requestOf(service, digest.id)).toMatchObject({ intent: { problem: CITY_INTENT } });
    // As one from before requests were kept.
    await service.parts.database.query.update(digests).set({ request: null });
    const kept = await requestOf(service, digest.id);
    expect(kept).toMatchObject({ intent: null, selection: null, summary: null, engine: null, experiment: null });
    const given = new Map([...CITY, excluded].map((document) => [document.id, document]));
    const cited = new Set(digest.sources.map(({ document }) => document));
    expect(kept.documents).toEqual(
      digest.documents.map(({ id }) => ({
        id,
        title: (cited.has(id) ? given.get(id)?.title : null) ?? null,
        url: null,
        publishedAt: null,
        weight: null,
        characters: id === 'old' ? null : given.get(id)?.text.length,
      })),
    );
    expect((await documentOf(service, digest.id, 'council')).text).toBe(given.get('council')?.text);
    expect((await service.app.request(`/v1/digests/${digest.id}/documents/old`)).status).toBe(404);

    // As one from before there were jobs that never came to an answer.
    await service.parts.database.query.update(digests).set({ answer: null });
    expect((await requestOf(service, digest.id)).documents.map(({ id }) => id)).toEqual(
      CITY.map(({ id }) => id).sort(),
    );
  });
});
