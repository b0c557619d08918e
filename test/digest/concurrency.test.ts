import { expect, test } from 'vitest';
import { createDigest, type ResolvedRequest } from '../../src/digest/index.ts';
import { createStoredDigest } from '../../src/server/index.ts';
import { readDigest } from '../../src/store/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { testApp, testDeps } from '../support/test-deps.ts';

const REQUESTS: readonly ResolvedRequest[] = [
  { documents: CITY, intent: CITY_INTENT },
  { documents: CITY, intent: 'When does the second tram line open?' },
  { documents: [...CITY].reverse(), intent: CITY_INTENT, summary: { format: 'bullets' } },
  { documents: CITY.slice(0, 2) },
  { documents: CITY.slice(1, 5), selection: { strategy: 'relevance' }, intent: 'Who pays the charge?' },
  { documents: CITY, intent: 'neutron stars' },
  { documents: CITY, intent: CITY_INTENT },
];

test('requests at once answer as one after the other', async () => {
  const alone = [];
  for (const request of REQUESTS) alone.push(answered(await createDigest(request, testDeps())));
  const parts = testDeps();
  const together = await Promise.all(REQUESTS.map((request) => createStoredDigest(request, parts)));
  expect(together.map(answered)).toEqual(alone);
  expect(new Set(together.map(({ id }) => id)).size).toBe(REQUESTS.length);
  for (const digest of together) {
    const stored = await readDigest(parts.database, digest.id);
    expect(JSON.parse(stored?.answer ?? 'null')).toEqual(digest);
  }
});

test('a request that fails takes no other with it', async () => {
  const { post, parts } = testApp();
  const { rank } = parts.engine;
  parts.engine.rank = async (task) => {
    if (task.facets.some(({ text }) => text.includes('tram'))) throw new Error('out of memory');
    return rank(task);
  };
  const bodies = [...REQUESTS, '{', {}];
  const answers = await Promise.all(bodies.map((body) => post('/v1/digests', body)));
  expect(answers.map(({ status }) => status)).toEqual([201, 500, 201, 201, 201, 201, 201, 400, 422]);
});
