import { expect, test } from 'vitest';
import { type Digest, digestSchema } from '../../src/contract/index.ts';
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
