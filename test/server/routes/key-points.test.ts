import { expect, test } from 'vitest';
import { digestSchema, keyPointsSchema, problemSchema } from '../../../src/contract/index.ts';
import { CITY } from '../../support/documents.ts';
import { testApp } from '../../support/test-deps.ts';

test('answers 200 with every key point, its exact quote and its speaker', async () => {
  const { post } = testApp();
  const response = await post('/v1/key-points', { documents: CITY });
  expect(response.status).toBe(200);
  const json = await response.json();
  const { keyPoints, documents, usage } = keyPointsSchema.parse(json);
  expect(keyPointsSchema.parse(json)).toEqual(json);

  const texts = new Map(CITY.map(({ id, text }) => [id, text]));
  for (const { document, quote, selfContained } of keyPoints) {
    if (quote.start === null) throw new Error('a sentence was cut from nowhere');
    expect(texts.get(document)?.slice(quote.start, quote.end)).toBe(quote.text);
    expect(selfContained).toBeGreaterThan(0);
    expect(selfContained).toBeLessThanOrEqual(1);
  }
  for (const { id, status, keyPoints: count } of documents) {
    expect(status).toBe('ok');
    expect(count).toBe(keyPoints.filter(({ document }) => document === id).length);
  }
  const said = keyPoints.filter(({ document }) => document === 'meeting').map(({ speaker }) => speaker);
  expect(new Set(said)).toEqual(new Set(['MAYOR', 'RESIDENT', 'SHOPKEEPER']));
  expect(keyPoints.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('Minutes of 2 March'));
  expect(keyPoints.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('?'));
  expect(usage.reusedExtractions).toBe(0);
});

test('its ids are those of a digest of the same documents, which extracts nothing again', async () => {
  const { post, parts } = testApp();
  const { keyPoints } = keyPointsSchema.parse(await (await post('/v1/key-points', { documents: CITY })).json());
  const digest = digestSchema.parse(await (await post('/v1/digests', { documents: CITY })).json());
  expect(digest.keyPoints.map(({ id }) => id)).toEqual(keyPoints.map(({ id }) => id));
  expect(digest.usage.reusedExtractions).toBe(CITY.length);
  expect(parts.engine.extracted).toHaveLength(CITY.length);
});

test('encodes nothing', async () => {
  const { post, parts } = testApp();
  await post('/v1/key-points', { documents: CITY });
  expect(parts.engine.encoder.calls).toEqual([]);
});

test('refuses the fields of a digest', async () => {
  const response = await testApp().post('/v1/key-points', { documents: CITY, intent: 'x', selection: {} });
  expect(response.status).toBe(422);
  const { errors } = problemSchema.parse(await response.json());
  expect(errors?.map(({ pointer }) => pointer)).toEqual(['/intent', '/selection']);
});
