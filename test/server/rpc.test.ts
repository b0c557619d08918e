import { hc } from 'hono/client';
import { expect, expectTypeOf, test } from 'vitest';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import type { App } from '../../src/server/app.ts';
import { plain } from '../../src/server/problem.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

/** A typed client of Hono's, from nothing but the type of the app. */
function rpc() {
  const { app, parts } = testApp();
  const { v1 } = hc<App>('http://localhost', {
    fetch: (input: string | URL | Request, init?: RequestInit) => app.request(String(input), init),
  });
  return { v1, parts };
}

const documents = CITY.map(({ id, text }) => ({ id, text }));

test('a digest: made, read, listed, removed', async () => {
  const { v1 } = rpc();
  const made = await v1.digests.$post({ query: {}, header: {}, json: { documents, intent: CITY_INTENT } });
  expect(made.status).toBe(201);
  if (made.status !== 201) return;
  const digest = await made.json();
  expectTypeOf(digest.status).toEqualTypeOf<'completed' | 'partial' | 'failed'>();
  expectTypeOf(digest.summary.sentences[1].citations[0].quote.start).toEqualTypeOf<number>();
  expectTypeOf(digest.offsetUnit).toEqualTypeOf<'utf16'>();
  expect(digest.status).toBe('completed');

  const read = await v1.digests[':id'].$get({ query: {}, param: { id: digest.id }, header: {} });
  expect(await read.json()).toEqual(digest);

  const mapped = await v1.digests[':id'].map.$get({ param: { id: digest.id }, query: { dimensions: '2' } });
  if (mapped.status !== 200) throw new Error(await mapped.text());
  const { points } = await mapped.json();
  expectTypeOf(points[0].vector).toEqualTypeOf<number[]>();
  expect(points.map((point) => point.id)).toEqual(digest.keyPoints.map((point) => point.id));

  const requested = await v1.digests[':id'].request.$get({ param: { id: digest.id } });
  if (requested.status !== 200) throw new Error(await requested.text());
  const kept = await requested.json();
  expectTypeOf(kept.documents[0].characters).toEqualTypeOf<number | null>();
  expect(kept.intent).toBe(CITY_INTENT);

  const source = await v1.digests[':id'].documents[':documentId'].$get({
    param: { id: digest.id, documentId: documents[0].id },
  });
  if (source.status !== 200) throw new Error(await source.text());
  const { text } = await source.json();
  expectTypeOf(text).toEqualTypeOf<string>();
  expect(text).toBe(documents[0].text);

  const listed = await v1.digests.$get({ query: { limit: '5', status: 'completed' } });
  expect(listed.status).toBe(200);
  if (listed.status !== 200) return;
  const { digests, next } = await listed.json();
  expectTypeOf(next).toEqualTypeOf<string | null>();
  expect(digests.map(({ id }) => id)).toEqual([digest.id]);

  const removed = await v1.digests[':id'].$delete({ param: { id: digest.id } });
  expect(removed.status).toBe(204);
  const gone = await v1.digests[':id'].$get({ query: {}, param: { id: digest.id }, header: {} });
  expect(gone.status).toBe(404);
});

test('what does not fit does not compile, and is refused', async () => {
  const { v1 } = rpc();
  const wrong = await Promise.all([
    // @ts-expect-error a document without a text
    v1.digests.$post({ query: {}, header: {}, json: { documents: [{ id: 'a' }] } }),
    // @ts-expect-error no such strategy
    v1.digests.$post({ query: {}, header: {}, json: { documents, selection: { strategy: 'best' } } }),
    // @ts-expect-error a size that is no number
    v1.selections.$post({ header: {}, json: { kernel: [[1]], selection: { size: { keyPoints: 'two' } } } }),
    // @ts-expect-error no such metric
    v1.evaluations.$post({ header: {}, json: { metric: 'rouge', summary: 'x' } }),
    // @ts-expect-error no such direction
    v1.experiments.$post({ header: {}, json: { ...plain(NEW_EXPERIMENT), metrics: [{ direction: 'up' }] } }),
    // @ts-expect-error no documents
    v1['key-points'].$post({ header: {}, json: {} }),
    // @ts-expect-error a name that is no text
    v1.collections.$post({ header: {}, json: { name: 7 } }),
    // @ts-expect-error no such status
    v1.digests.$get({ query: { status: 'done' } }),
  ]);
  expect(wrong.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422, 422, 422]);
  // @ts-expect-error no such route
  expect((await v1.summaries.$get()).status).toBe(404);
});
