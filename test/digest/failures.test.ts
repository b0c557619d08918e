import { describe, expect, test } from 'vitest';
import type { SummarySentence } from '../../src/contract/index.ts';
import { type Checkpoints, createDigest, makeDigest, type ResolvedRequest } from '../../src/digest/index.ts';
import { createStoredDigest } from '../../src/server/index.ts';
import { wholeDigest } from '../../src/server/stored/stored-digests.ts';
import { readDigest, readExtractions } from '../../src/store/index.ts';
import { contentHash, SENTENCE_EXTRACTOR_ID } from '../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { givenPoints, goodBut } from '../support/good-model.ts';
import { modelApp, NOTES, NOTES_INTENT } from '../support/model-app.ts';
import { answered, expectSound } from '../support/promises.ts';
import { testDeps } from '../support/test-deps.ts';

const request = { documents: CITY, intent: CITY_INTENT, selection: { size: { keyPoints: 12 } } };
const SHOPS = CITY[1].text;

/** Parts over an engine that cannot read the letter of the shopkeepers. */
function brokenParts() {
  const parts = testDeps();
  parts.engine.unreadable.add(SHOPS);
  return parts;
}

describe('a document that cannot be read (P7)', () => {
  test('is reported, and the others make the digest', async () => {
    const digest = await createDigest(request, brokenParts());
    expectSound(digest, CITY);
    expect(digest.status).toBe('partial');
    const statuses = Object.fromEntries(digest.documents.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual({ ...Object.fromEntries(CITY.map(({ id }) => [id, 'ok'])), shops: 'failed' });
    expect(digest.sources.length).toBeGreaterThan(2);
    expect(digest.sources.map(({ document }) => document)).not.toContain('shops');

    const without = CITY.filter(({ id }) => id !== 'shops');
    const alone = await createDigest({ ...request, documents: without }, testDeps());
    expect(digest.keyPoints).toEqual(alone.keyPoints);
  });

  test('as it holds too many blocks says so', async () => {
    const long = { id: 'long', text: '- a\n'.repeat(50_001) };
    const digest = await createDigest({ ...request, documents: [...CITY, long] }, testDeps());
    expect(digest.documents.filter(({ status }) => status !== 'ok')).toMatchObject([
      { id: 'long', status: 'failed', error: { message: expect.stringContaining('at most 50000 paragraphs') } },
    ]);
  });

  test('its failure is not stored, so that the next request reads it', async () => {
    const parts = brokenParts();
    await createDigest(request, parts);
    const stored = await readExtractions(
      parts.database,
      CITY.map(({ text }) => ({ documentHash: contentHash(text), extractor: SENTENCE_EXTRACTOR_ID })),
    );
    expect(stored).toHaveLength(CITY.length - 1);
    expect(stored.map(({ documentHash }) => documentHash)).not.toContain(contentHash(SHOPS));

    parts.engine.unreadable.clear();
    parts.engine.extracted.length = 0;
    const healed = await createDigest(request, parts);
    expect(healed.status).toBe('completed');
    expect(parts.engine.extracted).toEqual([SHOPS]);
    expect(answered(healed)).toEqual(answered(await createDigest(request, testDeps())));
  });
});

test('steps that an earlier attempt saved count only if it read the same documents, and their keys hold no text of a document', async () => {
  const parts = brokenParts();
  const kept = new Map<string, { readonly key: string; readonly value: string }>();
  let saved = 0;
  const checkpoints: Checkpoints = {
    version: 'test',
    kept,
    worthKeeping: 0,
    async save(name, key, value) {
      expect(key).toMatch(/^[0-9a-f]+$/);
      kept.set(name, { key, value });
      saved++;
    },
  };
  const attempt = async () => (await makeDigest(request, parts, { checkpoints })).digest;
  const first = await attempt();
  expect(answered(await attempt())).toEqual(answered(first));
  expect(saved).toBe(kept.size);
  parts.engine.unreadable.clear();
  expect(answered(await attempt())).toEqual(answered(await createDigest(request, testDeps())));
});

test.each(['encode', 'rank', 'select'] as const)(
  'a failure in %s fails the request and stores no digest',
  async (stage) => {
    const parts = testDeps();
    const failure = new Error('out of memory');
    const fail = async () => {
      throw failure;
    };
    if (stage === 'encode') parts.engine.encoder.encode = fail;
    else parts.engine[stage] = fail;
    await expect(createStoredDigest(request, parts)).rejects.toBe(failure);
    expect(await parts.database.query.query.digests.findMany()).toEqual([]);
  },
);

test('documents with more key points than are reckoned with are refused by number, and nothing is encoded', async () => {
  const all = (await createDigest(request, testDeps())).keyPoints.length;
  const deps = { ...testDeps(), maxPoints: all - 1 };
  await expect(createDigest(request, deps)).rejects.toMatchObject({
    code: 'limit-exceeded',
    pointer: '/documents',
    message: `hold ${all} key points together; at most ${all - 1} go into a digest`,
  });
  expect(deps.engine.encoder.calls).toEqual([]);
  expect((await createDigest(request, { ...testDeps(), maxPoints: all })).keyPoints).toHaveLength(all);
});

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
    expect(stored && (await wholeDigest(stored, parts.database))).toEqual(digest);
  }
});

/** Sentences that stand once the writer has begun the one after them. */
const STANDING = 2;

test('what a writer did not say before it was cut off is not told in the words of the documents', async () => {
  const script = goodBut(['write'], (asked) => {
    const sentences = givenPoints(asked).flatMap((theme) => theme.map(({ text, number }) => `${text} [${number}]`));
    return { hang: 'mid-body', text: sentences.slice(0, STANDING + 1).join(' ') };
  });
  const { parts } = await modelApp(script);
  const cutting = new AbortController();
  const told: SummarySentence[] = [];
  const onSentence = (sentence: SummarySentence): void => {
    told.push(sentence);
    if (told.length === STANDING) cutting.abort(new Error('nobody waits'));
  };
  await expect(
    createDigest({ documents: NOTES, intent: NOTES_INTENT }, parts, { onSentence }, cutting.signal),
  ).rejects.toThrow('nobody waits');
  expect(told).toHaveLength(STANDING);
});
