import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Digest, type DigestKeyPoint, digestSchema, restored, shortened } from '../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const REQUEST = { documents: CITY, intent: CITY_INTENT };
const LEAN = 'include=summary,sources';

test('a digest is answered with the parts that are asked for, made or read', async () => {
  const { app, post } = testApp();
  const made = await post(`/v1/digests?${LEAN}`, REQUEST);
  expect(made.status).toBe(201);
  const lean = await made.json();
  expect(Object.keys(lean)).toEqual(['id', 'status', 'summary', 'sources']);
  const read = async (query = ''): Promise<Digest> => (await app.request(`/v1/digests/${lean.id}${query}`)).json();
  const whole = await read();
  expect(digestSchema.parse(whole)).toEqual(whole);
  expect(lean).toEqual({ id: whole.id, status: whole.status, summary: whole.summary, sources: whole.sources });
  expect(await read(`?${LEAN}`)).toEqual(lean);
  const { keyPoints, selection, ...rest } = whole;
  expect(keyPoints.length).toBeGreaterThan(0);
  expect(selection.strategy).toBe('dpp-map');
  expect(await read('?exclude=keyPoints,%20selection')).toEqual(rest);
  expect(await read('?include=summary,sources,usage&exclude=usage')).toEqual(lean);
  expect(await read('?exclude=summary')).not.toHaveProperty('summary');
});

test('a stream ends with the parts that are asked for', async () => {
  const { post } = testApp();
  const answer = await post(`/v1/digests?${LEAN}`, REQUEST, { accept: 'text/event-stream' });
  const [, data] = /event: digest\ndata: (.*)\n/.exec(await answer.text()) ?? [];
  expect(Object.keys(JSON.parse(data))).toEqual(['id', 'status', 'summary', 'sources']);
});

test('an answer is short whatever it was made from; pages and receipts give every key point', async () => {
  const { app, post } = testApp();
  const documents = Array.from({ length: 120 }, (_, n) => {
    const { text } = CITY[n % CITY.length];
    const own = text.replace(/(?<=\. |^)(?=\w)/g, `In district ${n}, with ${n + 2} streets: `);
    return { id: `d${n}`, text: `${own} The charge was welcome everywhere.` };
  });
  const { id } = await (await post('/v1/digests', { documents, intent: CITY_INTENT })).json();
  const answer = await (await app.request(`/v1/digests/${id}`)).text();
  expect(answer.length).toBeLessThan(50_000);
  const short: Digest = JSON.parse(answer);
  const read = async (path: string) => (await app.request(`/v1/digests/${id}${path}`)).json();
  const whole: Digest = await read('?include=receipts');
  expect(whole.documents.map((each) => each.id)).toEqual(documents.map((each) => each.id));
  expect(short).toEqual(shortened(whole).digest);
  expect(whole.counts).toEqual({
    keyPoints: whole.keyPoints.length,
    documents: { ok: documents.length, failed: 0, empty: 0, excluded: 0 },
  });
  expect(short.keyPoints.filter(({ selected }) => selected)).toEqual(
    whole.keyPoints.filter(({ selected }) => selected),
  );
  expect(short.documents.length).toBeLessThan(documents.length);
  expect(Math.max(...short.summary.sentences.map(({ keyPoints }) => keyPoints.length))).toBeGreaterThan(4);
  const listed: DigestKeyPoint[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await read(`/key-points?limit=100${cursor && `&cursor=${cursor}`}`);
    listed.push(...page.keyPoints);
    cursor = page.next;
  }
  expect(listed).toEqual(whole.keyPoints);
  expect(await read('?include=summary,receipts')).toEqual({
    id,
    status: whole.status,
    summary: whole.summary,
    keyPoints: whole.keyPoints,
  });
});

test('what a digest leaves out puts it together again', () => {
  const lists = fc.array(fc.record({ isKept: fc.boolean(), isFailed: fc.boolean() }), { maxLength: 250 });
  fc.assert(
    fc.property(lists, lists, (points, files) => {
      const digest = {
        keyPoints: points.map(({ isKept }, n) => ({ id: `k${n}`, document: `d${n}`, selected: isKept })),
        documents: files.map(({ isFailed }, n) => ({ id: `d${n}`, error: isFailed ? { code: 'x' } : null })),
        summary: { sentences: [{ keyPoints: ['k7'] }] },
        intent: { nearest: ['k3'] },
      } as unknown as Digest; // the fields that are read
      const { digest: short, rest } = shortened(digest);
      expect(rest === null ? short : restored(short, JSON.parse(JSON.stringify(rest)))).toEqual(digest);
      expect(short.keyPoints.map(({ id }) => id)).toEqual(
        digest.keyPoints.flatMap(({ id, selected }) => (selected || ['k3', 'k7'].includes(id) ? id : [])),
      );
    }),
  );
});

test('a part that no digest has, or a parameter that is not known, is refused', async () => {
  const { app, post } = testApp();
  for (const query of ['include=text', 'include=', 'exclude=id', 'inlcude=summary']) {
    const refused = await post(`/v1/digests?${query}`, REQUEST);
    expect(refused.status, query).toBe(422);
    expect((await refused.json()).errors[0].pointer).toMatch(/^\/(?:include|exclude|inlcude)/);
    expect((await app.request(`/v1/digests/dig_0?${query}`)).status, query).toBe(422);
  }
});
