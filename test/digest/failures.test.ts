import { describe, expect, test } from 'vitest';
import { createDigest, extractKeyPoints } from '../../src/digest/index.ts';
import { createStoredDigest } from '../../src/server/index.ts';
import { readExtractions } from '../../src/store/index.ts';
import { contentHash, SENTENCE_EXTRACTOR_ID } from '../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
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

  test('when no document can be read, the digest failed and says nothing of its own', async () => {
    const parts = testDeps();
    for (const { text } of CITY) parts.engine.unreadable.add(text);
    const digest = await createDigest(request, parts);
    expect(digest.status).toBe('failed');
    expectSound(digest, CITY);
    expect(digest.sources).toEqual([]);
    expect(digest.summary.sentences.every(({ framing }) => framing)).toBe(true);
  });

  test('key points alone are as forgiving', async () => {
    const { keyPoints, documents } = await extractKeyPoints(request, brokenParts());
    expect(documents.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(['shops']);
    expect(new Set(keyPoints.map(({ document }) => document)).size).toBe(CITY.length - 1);
  });
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
