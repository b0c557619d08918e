import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Digest, type DigestMap, digestMapSchema } from '../../src/contract/index.ts';
import { ModelCallError } from '../../src/models/index.ts';
import { createStoredDigest } from '../../src/server/index.ts';
import { digests } from '../../src/store/index.ts';
import { encodings } from '../../src/store/schema.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../support/in-process-engine.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';

async function mapOf({ app }: TestApp, id: string, query = ''): Promise<DigestMap> {
  const response = await app.request(`/v1/digests/${id}/map${query}`);
  expect(response.status, await response.clone().text()).toBe(200);
  return digestMapSchema.parse(await response.json());
}

/** One fewer than there are different points. */
function dimensionsOf({ keyPoints }: Digest): number {
  return new Set(keyPoints.map(({ text, speaker }) => `${speaker}: ${text}`)).size - 1;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.sqrt(Array.from(a).reduce((sum, value, c) => sum + (value - b[c]) ** 2, 0));
}

test('every point is where its sentence vector is among the others', async () => {
  const service = testApp();
  const digest = await digestOf(service, { documents: CITY, intent: CITY_INTENT });
  const map = await mapOf(service, digest.id, '?dimensions=50');
  const n = digest.keyPoints.length;
  expect(map).toMatchObject({
    digest: digest.id,
    encoder: 'hashed-words/1',
    dimensions: dimensionsOf(digest),
    explained: 1,
  });
  expect(map.points.map(({ id }) => id)).toEqual(digest.keyPoints.map(({ id }) => id));
  const texts = digest.keyPoints.map(({ text, speaker }) => (speaker === null ? text : `${speaker}: ${text}`));
  const vectors = (await new HashedWordsEncoder().encode(texts)).map(({ sentence }) => sentence);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const apart = distance(map.points[i].vector, map.points[j].vector);
      expect(apart).toBeCloseTo(distance(vectors[i], vectors[j]), 3);
    }
  }
  for (const { vector } of map.points) for (const value of vector) expect(Math.round(value * 1e4) / 1e4).toBe(value);
});

test('fewer dimensions are the first of more, and 32 at most without a number', async () => {
  const service = testApp();
  const digest = await digestOf(service, { documents: CITY });
  const [two, most, usual] = [
    await mapOf(service, digest.id, '?dimensions=2'),
    await mapOf(service, digest.id, '?dimensions=50'),
    await mapOf(service, digest.id),
  ];
  expect(two.dimensions).toBe(2);
  expect(usual.dimensions).toBe(Math.min(32, dimensionsOf(digest)));
  expect(two.explained).toBeLessThan(usual.explained);
  for (const [i, { vector }] of two.points.entries())
    expect(distance(vector, most.points[i].vector.slice(0, 2))).toBe(0);
});

test('nothing is encoded again that is kept; what is not, is', async () => {
  const service = testApp();
  const { engine, database } = service.parts;
  const digest = await digestOf(service, { documents: CITY });
  const before = engine.encoder.texts.length;
  const map = await mapOf(service, digest.id);
  expect(engine.encoder.texts).toHaveLength(before);
  await database.query.delete(encodings);
  expect(await mapOf(service, digest.id)).toEqual(map);
  expect(engine.encoder.texts.length).toBeGreaterThan(before);
});

test('an encoder that cannot be asked is told as what it is', async () => {
  const service = testApp();
  const { engine, database } = service.parts;
  const digest = await digestOf(service, { documents: CITY });
  await database.query.delete(encodings);
  engine.encoder.encode = async () => {
    throw new ModelCallError('unreachable', 'The encoder cannot be reached.');
  };
  const response = await service.app.request(`/v1/digests/${digest.id}/map`);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({
    type: 'urn:tessera:problem:model-call-failed',
    detail: 'The encoder cannot be reached.',
  });
});

test('it is by the encoder of the digest, else by the default', async () => {
  const other = new HashedWordsEncoder({ id: 'other/1' });
  const service = testApp({ engine: new InProcessEngine({ other }) });
  const digest = await digestOf(service, { documents: CITY, engine: { encoder: 'other' } });
  expect(await mapOf(service, digest.id)).toMatchObject({ encoder: 'other/1' });
  const without = testApp({ database: service.parts.database });
  expect(await mapOf(without, digest.id)).toMatchObject({ encoder: 'hashed-words/1' });
});

test.each([
  ['none', [], 0],
  ['one', ['The charge rises.'], 0],
  ['the same twice', ['The charge rises.', 'The charge rises.'], 0],
  ['two', ['The charge rises.', 'Trams run late.'], 1],
])('of a digest with %s there is a map', async (_, said, dimensions) => {
  const service = testApp();
  const documents = said.length === 0 ? ['.'] : said;
  const digest = await digestOf(service, { documents: documents.map((text, i) => ({ id: `d${i}`, text })) });
  const map = await mapOf(service, digest.id, '?dimensions=2');
  expect(map).toMatchObject({ dimensions, explained: 1 });
  expect(map.points).toHaveLength(said.length);
  expect(map.points.every(({ vector }) => vector.length === dimensions)).toBe(true);
});

test('points that are nowhere in their document are not on it', async () => {
  const service = testApp();
  const { database } = service.parts;
  const digest = await createStoredDigest({ documents: CITY }, service.parts);
  const [first, ...rest] = digest.keyPoints;
  const changed: Digest = { ...digest, keyPoints: [{ ...first, relevance: null }, ...rest] };
  await database.query.update(digests).set({ answer: JSON.stringify(changed) });
  expect((await mapOf(service, digest.id)).points.map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
});

test('the order of the documents moves no point', async () => {
  const service = testApp();
  const placed = async (documents: typeof CITY) => {
    const digest = await digestOf(service, { documents });
    const { points, ...facts } = await mapOf(service, digest.id, '?dimensions=8');
    return { ...facts, digest: null, points: [...points].sort((a, b) => (a.id < b.id ? -1 : 1)) };
  };
  const expected = await placed(CITY);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...CITY], { minLength: CITY.length }), async (documents) => {
      expect(await placed(documents)).toEqual(expected);
    }),
    { numRuns: 4 },
  );
});

test('there is none of a digest without an answer', async () => {
  const service = testApp({ slots: 0 });
  const response = await service.post('/v1/digests', { documents: CITY }, { prefer: 'respond-async' });
  const path = `${response.headers.get('location')}/map`;
  const refused = await service.app.request(path);
  expect([refused.status, Object(await refused.json()).detail]).toEqual([404, 'There is no digest with this id.']);
});
