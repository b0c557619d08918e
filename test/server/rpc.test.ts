import { hc } from 'hono/client';
import { expect, expectTypeOf, test } from 'vitest';
import { NEW_EXPERIMENT } from '../../src/contract/experiments.ts';
import type { App } from '../../src/server/app.ts';
import { plain } from '../../src/server/plain.ts';
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

test('a digest that is made later', async () => {
  const { v1 } = rpc();
  const accepted = await v1.digests.$post({ query: {}, header: { prefer: 'respond-async' }, json: { documents } });
  expect(accepted.status).toBe(202);
  if (accepted.status !== 202) return;
  const pending = await accepted.json();
  expectTypeOf(pending.status).toEqualTypeOf<'queued' | 'running' | 'cancelled' | 'failed'>();
  expect(['queued', 'running']).toContain(pending.status);
});

test('selections and key points', async () => {
  const { v1 } = rpc();
  const selected = await v1.selections.$post({
    header: {},
    json: {
      kernel: [
        [1, 0.9],
        [0.9, 1],
      ],
      selection: { strategy: 'dpp-map', size: { keyPoints: 1 } },
    },
  });
  expect(selected.status).toBe(200);
  if (selected.status !== 200) return;
  const answer = await selected.json();
  if (!('selected' in answer)) throw new Error('one selection was asked for');
  expectTypeOf(answer.selected[0].rank).toEqualTypeOf<number>();
  expect(answer.selected).toHaveLength(1);

  const extracted = await v1['key-points'].$post({ header: {}, json: { documents } });
  if (extracted.status !== 200) throw new Error(await extracted.text());
  const { keyPoints } = await extracted.json();
  expectTypeOf(keyPoints[0].document).toEqualTypeOf<string>();
  expect(keyPoints.length).toBeGreaterThan(5);
});

test('an evaluation: what is answered is told apart by its metric', async () => {
  const { v1 } = rpc();
  const insights = [{ id: 'i', text: 'Residents pay half.' }];
  const scored = await v1.evaluations.$post({
    header: {},
    json: { metric: 'summhay', bullets: ['Residents pay half. [1]'], insights },
  });
  if (scored.status !== 200) throw new Error(await scored.text());
  const answer = await scored.json();
  expectTypeOf(answer.metric).toEqualTypeOf<'summhay' | 'key-point-recall' | 'argue' | 'source-coverage'>();
  if (answer.metric !== 'summhay') throw new Error('another metric was asked for');
  expectTypeOf(answer.insights[0].coverage).toEqualTypeOf<0 | 50 | 100>();
  expect(answer.insights).toMatchObject([{ id: 'i', coverage: 100, bullet: 0, f1: null }]);
});

test('an experiment: defined, used, looked at', async () => {
  const { v1 } = rpc();
  const made = await v1.experiments.$post({ header: {}, json: plain(NEW_EXPERIMENT) });
  if (made.status !== 201) throw new Error(await made.text());
  const { key, status, variants } = await made.json();
  expectTypeOf(status).toEqualTypeOf<'draft' | 'running' | 'stopped'>();
  expectTypeOf(variants[0].weight).toEqualTypeOf<number>();

  const subjects = v1.experiments[':key'];
  const assigned = await subjects.assignment.$get({ param: { key }, query: { subject: 'a b' } });
  if (assigned.status !== 200) throw new Error(await assigned.text());
  const { variant } = await assigned.json();
  expectTypeOf(variant).toEqualTypeOf<string | null>();
  expect(variants.map(({ name }) => name)).toContain(variant);
  const exposed = await subjects.exposures.$post({ param: { key }, header: {}, json: { subject: 'a b' } });
  expect(exposed.status).toBe(200);
  const outcomes = [{ eventId: 'e', subject: 'a b', metric: 'source-opened' }];
  const recorded = await subjects.outcomes.$post({ param: { key }, header: {}, json: { outcomes } });
  expect(recorded.status).toBe(200);

  const shown = await subjects.results.$get({ param: { key }, query: { version: '1', alpha: '0.1' } });
  if (shown.status !== 200) throw new Error(await shown.text());
  const { verdict, metrics } = await shown.json();
  expectTypeOf(verdict).toEqualTypeOf<'none' | 'mismatch' | 'winner' | 'loser' | 'guardrail' | 'inconclusive'>();
  expectTypeOf(metrics[0].comparisons[0].p).toEqualTypeOf<number | null>();
  expect(metrics[0].arms.find((arm) => arm.variant === variant)).toMatchObject({ n: 1, conversions: 1 });
  expect((await subjects.stop.$post({ param: { key }, header: {} })).status).toBe(200);
});

test('collections and their documents', async () => {
  const { v1 } = rpc();
  const made = await v1.collections.$post({ header: {}, json: { name: 'City' } });
  if (made.status !== 201) throw new Error(await made.text());
  const { id, name } = await made.json();
  expectTypeOf(name).toEqualTypeOf<string | null>();

  const { text } = documents[0];
  const put = await v1.collections[':id'].documents[':documentId'].$put({
    // Hono puts parameters into the path as they stand.
    param: { id, documentId: encodeURIComponent('council/1') },
    json: { text, title: 'Council minutes' },
  });
  expect(put.status).toBe(201);
  if (put.status !== 201) return;
  const document = await put.json();
  expectTypeOf(document.status).toEqualTypeOf<'ok' | 'empty' | 'failed'>();
  expect(document).toMatchObject({ id: 'council/1', title: 'Council minutes', status: 'ok' });

  const listed = await v1.collections[':id'].documents.$get({ param: { id }, query: {} });
  if (listed.status !== 200) throw new Error(await listed.text());
  expect((await listed.json()).documents.map((each) => each.id)).toEqual(['council/1']);

  const digest = await v1.digests.$post({ query: {}, header: {}, json: { collection: id, intent: CITY_INTENT } });
  expect(digest.status).toBe(201);
  expect((await v1.collections[':id'].$delete({ param: { id } })).status).toBe(204);
});

test('a problem is typed as one', async () => {
  const { v1 } = rpc();
  const refused = await v1.digests[':id'].$get({ query: {}, param: { id: 'dig_0' }, header: {} });
  if (refused.status !== 404) throw new Error(String(refused.status));
  const problem = await refused.json();
  expectTypeOf(problem.type).toEqualTypeOf<string>();
  expectTypeOf(problem.errors).toEqualTypeOf<{ pointer: string; detail: string }[] | undefined>();
  expect(problem.type).toBe('urn:tessera:problem:not-found');
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
