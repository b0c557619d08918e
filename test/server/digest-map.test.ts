import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Digest, type DigestMap, digestMapSchema } from '../../src/contract/index.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HashedWordsEncoder } from '../support/hashed-words-encoder.ts';
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
