import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { StoredEncoding } from '../../src/models/index.ts';
import {
  insertDigest,
  insertJob,
  readDigest,
  readDocuments,
  readExtractions,
  saveDigest,
  saveDocuments,
  saveExtractions,
  storeCache,
  sweep,
} from '../../src/store/index.ts';
import { digestDocuments } from '../../src/store/schema.ts';
import { onD1 } from './stores.ts';

/** Bytes of a row, a text and a parameter. */
const MAX_BYTES = 2_000_000;

onD1(({ openCounted }) => {
  test.each([
    ['CJK', '字', 40],
    ['pairs', '😀', 40],
    ['control characters, of which JSON makes six bytes each', '\u0001', 40],
  ])('a text of 1.9 million code units: %s', async (_, character, most) => {
    const { database, counts } = await openCounted();
    const text = character.repeat(1_900_000 / character.length);
    await saveDocuments(database, [{ hash: 'h'.repeat(64), text }]);
    expect((await readDocuments(database, ['h'.repeat(64)])).get('h'.repeat(64)) === text).toBe(true);
    expect(counts.statements).toBeLessThan(most);
    expect(counts.largest).toBeLessThan(MAX_BYTES);
    const [{ longest }] = await database.query.all<{ longest: number }>(
      sql`select max(length(cast(text as blob))) as longest from document_parts`,
    );
    expect(longest).toBeLessThanOrEqual(300_000);
  });

  test('an answer of 5 MB', async () => {
    const { database, counts } = await openCounted();
    const answer = JSON.stringify(
      Array.from({ length: 50_000 }, (_, i) => ({ text: `“Point” ${i} \\ ${'y'.repeat(75)}` })),
    );
    expect(answer.length).toBeGreaterThan(5_000_000);
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer }, []);
    expect((await readDigest(database, 'dig_1'))?.answer === answer).toBe(true);
    expect(counts.statements).toBeLessThan(12);
    expect(counts.largest).toBeLessThan(MAX_BYTES);
  });

  test('a digest of 2,000 sources, with their texts and what was extracted from them', async () => {
    const { database, counts } = await openCounted();
    const texts = Array.from({ length: 2000 }, (_, i) => ({
      hash: `${i}`.padStart(64, '0'),
      text: `Text ${i}. `.repeat(100),
    }));
    await saveDocuments(database, texts);
    await saveExtractions(
      database,
      texts.map(({ hash, text }, i) => ({
        documentHash: hash,
        extractor: `x/${i}`,
        language: 'eng',
        words: 200,
        keyPoints: JSON.stringify([text]),
        unverified: '[]',
      })),
    );
    const sources = texts.map(({ hash }, i) => ({ documentId: `document ${i}`, documentHash: hash }));
    const job = { id: 'dig_1', priority: 0, retries: 0, callbackUrl: null, lease: null };
    await database.commit([
      ...insertDigest(database, { id: 'dig_1', request: JSON.stringify(sources), sources }, 10),
      insertJob(database, { ...job, createdAt: database.now() }),
    ]);
    expect(counts.statements).toBeLessThan(20);
    const hashes = texts.map(({ hash }) => hash);
    expect((await readDocuments(database, hashes)).size).toBe(2000);
    const extracted = hashes.map((documentHash, i) => ({ documentHash, extractor: `x/${i}` }));
    expect(await readExtractions(database, extracted)).toHaveLength(2000);
    expect(counts.statements).toBeLessThan(110);
    expect(counts.largest).toBeLessThan(MAX_BYTES);
    expect(await database.query.$count(digestDocuments)).toBe(2000);
  });

  test('5,000 encodings', async () => {
    const { database, counts } = await openCounted();
    const rows: StoredEncoding[] = Array.from({ length: 5000 }, (_, i) => ({
      textHash: `${i}`.padStart(64, '0'),
      sentence: new Float32Array(384).fill(i),
      tokens: new Int8Array(768).fill(i),
      tokenIds: new Int32Array(8).fill(i),
    }));
    await storeCache(database).saveEncodings('e', rows);
    expect(counts.statements).toBeLessThan(15);
    expect(counts.largest).toBeLessThan(MAX_BYTES);
    const hashes = rows.map(({ textHash }) => textHash);
    expect((await storeCache(database).readSentenceVectors('e', hashes)).get(hashes[4999])?.[383]).toBe(4999);
    expect((await storeCache(database).readTokens('e', hashes.slice(4000, 4400))).get(hashes[4100])).toEqual({
      textHash: hashes[4100],
      tokens: rows[4100].tokens,
      tokenIds: rows[4100].tokenIds,
    });
    expect(counts.statements).toBeLessThan(40);
  });

  test('5,000 verdicts', async () => {
    const { database, counts } = await openCounted();
    const rows = Array.from({ length: 5000 }, (_, i) => ({
      key: `k${i}`.padStart(64, '0'),
      kind: 'k',
      verdict: `${i}`,
    }));
    await storeCache(database).saveJudgements(rows);
    expect(counts.statements).toBeLessThan(5);
    expect((await storeCache(database).readJudgements(rows.map(({ key }) => key))).size).toBe(5000);
  });

  test('clearing away runs no more statements than it may, reads counted', async () => {
    const { database, counts } = await openCounted();
    const DAY = 86_400_000;
    await saveDocuments(
      { ...database, now: () => 0 },
      Array.from({ length: 3000 }, (_, i) => ({ hash: `${i}`, text: `${i}` })),
    );
    for (let calls = 1; ; calls++) {
      counts.statements = 0;
      const { isFinished } = await sweep({ ...database, now: () => 90 * DAY }, 30 * DAY, 25);
      expect(counts.statements).toBeLessThanOrEqual(25);
      if (isFinished) break;
      expect(calls).toBeLessThan(10);
    }
    expect(await readDocuments(database, ['7', '2999'])).toEqual(new Map());
  });
});
