import { expect, test } from 'vitest';
import { DIGEST_REQUESTS, type Digest, digestSchema } from '../../src/contract/index.ts';
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

test('a part that no digest has, or a parameter that is not known, is refused', async () => {
  const { app, post } = testApp();
  for (const query of ['include=text', 'include=', 'exclude=id', 'inlcude=summary']) {
    const refused = await post(`/v1/digests?${query}`, REQUEST);
    expect(refused.status, query).toBe(422);
    expect((await refused.json()).errors[0].pointer).toMatch(/^\/(?:include|exclude|inlcude)/);
    expect((await app.request(`/v1/digests/dig_0?${query}`)).status, query).toBe(422);
  }
});

test('text, citations and sources of a short digest take less than 5 kB', async () => {
  const { post } = testApp();
  const answer = await post(`/v1/digests?${LEAN}`, DIGEST_REQUESTS.documents.value);
  const text = await answer.text();
  expect(JSON.parse(text).summary.sentences.length).toBeGreaterThan(1);
  expect(text.length).toBeLessThan(5000);
});

test('the list says what each digest was asked for, of what, and when it was finished', async () => {
  const { app, post } = testApp();
  const many = Array.from({ length: 12 }, (_, i) => `The tram line ${i} opens in spring.`);
  const first = await (await post('/v1/digests', REQUEST)).json();
  const report = { problem: 'When do lines open?', userStory: 'I commute.' };
  const second = await (await post('/v1/digests', { documents: many, intent: report })).json();
  const third = await (await post('/v1/digests', { documents: ['The tram is late.'] })).json();
  const { digests } = await (await app.request('/v1/digests')).json();
  const entries = new Map(digests.map((entry: { id: string }) => [entry.id, entry]));
  expect(entries.get(first.id)).toEqual({
    id: first.id,
    status: 'completed',
    intent: CITY_INTENT,
    documents: CITY.length,
    titles: CITY.map(({ id, title }) => title ?? id),
    createdAt: expect.any(String),
    finishedAt: expect.any(String),
  });
  expect(entries.get(second.id)).toMatchObject({
    intent: 'When do lines open?',
    documents: 12,
    titles: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  });
  expect(entries.get(third.id)).toMatchObject({ intent: null, documents: 1, titles: ['1'] });
  for (const { createdAt, finishedAt } of digests)
    expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
});
