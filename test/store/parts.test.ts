import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { TooLongError } from '../../src/store/errors.ts';
import {
  appendEvents,
  cancelJob,
  type Database,
  deleteDigest,
  documents,
  endJob,
  insertDigest,
  insertExperiment,
  insertJob,
  listDigests,
  readCheckpoints,
  readDigest,
  readDocuments,
  readEvents,
  readExtractions,
  saveCheckpoint,
  saveDigest,
  saveDocuments,
  saveExtractions,
  storeCache,
  takeJob,
} from '../../src/store/index.ts';
import { digestChunks, documentChunks, jobCheckpoints } from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

/** More than a row holds, of pairs, which no part may split. */
const LONG = `x${'😀"\\\u0000'.repeat(100_000)}`;
const LONGER = `${LONG}${'字'.repeat(200_000)}`;

async function count({ query }: Database, table: typeof digestChunks | typeof documentChunks): Promise<number> {
  return (await query.select({ part: table.part }).from(table)).length;
}

/** A job that is being done. */
async function underWay(database: Database, id = 'dig_1') {
  const job = { id, priority: 0, retries: 0, callbackUrl: null, lease: null };
  await database.commit([
    ...insertDigest(database, { id, request: '{}', sources: [] }, 1000),
    insertJob(database, { ...job, createdAt: database.now() }),
  ]);
  return (await takeJob(database, id, 'me', 1000)) ?? expect.fail('it waits');
}

onBothStores(({ open }) => {
  test('long texts come back unit for unit beside short ones, and take their parts along', async () => {
    const database = await open();
    const texts = [
      { hash: 'a', text: LONG },
      { hash: 'b', text: 'short' },
      { hash: 'c', text: LONGER },
    ];
    await saveDocuments(database, texts);
    await saveDocuments(database, texts);
    const found = await readDocuments(database, ['a', 'b', 'c', 'd']);
    expect(new Set(found.keys())).toEqual(new Set(['a', 'b', 'c']));
    for (const { hash, text } of texts) expect(found.get(hash) === text).toBe(true);
    await database.commit([database.query.delete(documents).where(sql`hash = 'a'`)]);
    expect((await readDocuments(database, ['a', 'c'])).size).toBe(1);
    await database.commit([database.query.delete(documents)]);
    expect(await count(database, documentChunks)).toBe(0);
  });

  test('a text that was kept whole, from before there were parts, stays whole', async () => {
    const database = await open();
    await database.query.insert(documents).values({ tenant: 'default', hash: 'a', text: LONG, createdAt: 0 });
    await saveDocuments(database, [{ hash: 'a', text: LONG }]);
    expect(await count(database, documentChunks)).toBe(0);
    expect((await readDocuments(database, ['a'])).get('a') === LONG).toBe(true);
  });

  test('a text whose parts are not all there is not given for whole', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'a', text: LONG }]);
    await database.commit([database.query.delete(documentChunks).where(sql`part = 1`)]);
    expect(await readDocuments(database, ['a'])).toEqual(new Map());
  });

  test('long extractions, by extractor; the first stays, with nothing of the second', async () => {
    const database = await open();
    await saveDocuments(database, [
      { hash: 'a', text: 'a' },
      { hash: 'b', text: 'b' },
    ]);
    const row = {
      ...{ documentHash: 'a', extractor: 'x', language: 'eng', words: 7 },
      ...{ keyPoints: JSON.stringify([LONG]), unverified: '[1]' },
    };
    const short = { ...row, documentHash: 'b', keyPoints: '[]' };
    await saveExtractions(database, [row, short]);
    const parts = await count(database, documentChunks);
    await saveExtractions(database, [{ ...row, keyPoints: JSON.stringify([LONGER]) }]);
    await saveExtractions(database, [{ ...short, unverified: JSON.stringify([LONG]) }]);
    expect(await count(database, documentChunks)).toBe(parts);
    const other = { ...row, extractor: 'y', keyPoints: '[]', unverified: JSON.stringify([LONGER]) };
    await saveExtractions(database, [other, { ...other, extractor: 'z', keyPoints: JSON.stringify([LONG]) }]);
    const found = await readExtractions(database, [row, short, other]);
    const named = new Map(found.map((each) => [each.extractor + each.documentHash, each]));
    expect(named.size).toBe(3);
    expect([named.get('xa'), named.get('xb'), named.get('ya')]).toEqual([row, short, other]);
  });

  test('a long answer of a digest that was made at once, in the list and gone with it', async () => {
    const database = await open();
    await saveDigest(database, { id: 'dig_1', status: 'completed', answer: LONGER }, []);
    expect((await readDigest(database, 'dig_1'))?.answer === LONGER).toBe(true);
    const list = await listDigests(database, { limit: 5 }, { status: 'completed', titles: 10 });
    expect(list.rows.map(({ id }) => id)).toEqual(['dig_1']);
    await deleteDigest(database, 'dig_1');
    expect(await count(database, digestChunks)).toBe(0);
  });

  test('a job ends with a long answer, and its long checkpoints are gone', async () => {
    const database = await open();
    const lease = await underWay(database);
    const checkpoint = { stage: 'extract', key: 'k', value: LONG };
    await saveCheckpoint(database, lease, checkpoint);
    await saveCheckpoint(database, lease, { stage: 'write', key: 'k', value: 'short' });
    expect([...(await readCheckpoints(database, lease.id))].map(([stage, { value }]) => [stage, value.length])).toEqual(
      [
        ['extract', LONG.length],
        ['write', 5],
      ],
    );
    await saveCheckpoint(database, lease, { ...checkpoint, value: LONGER });
    expect((await readCheckpoints(database, lease.id)).get('extract')?.value === LONGER).toBe(true);
    await saveCheckpoint(database, lease, { ...checkpoint, value: 'now short' });
    expect((await readCheckpoints(database, lease.id)).get('extract')?.value).toBe('now short');
    expect(await count(database, digestChunks)).toBe(0);
    await saveCheckpoint(database, lease, checkpoint);
    await database.commit(endJob(database, lease, { status: 'completed', answer: LONGER, problem: null }));
    expect(await readDigest(database, lease.id)).toMatchObject({ status: 'completed', state: 'done' });
    expect((await readDigest(database, lease.id))?.answer === LONGER).toBe(true);
    expect(await database.query.select().from(jobCheckpoints)).toEqual([]);
    expect(new Set((await database.query.select().from(digestChunks)).map(({ kind }) => kind))).toEqual(
      new Set(['answer']),
    );
  });

  test('who lost the job writes no part: neither of an answer nor of a checkpoint', async () => {
    const database = await open();
    const lost = await underWay(database);
    const lease = (await takeJob(database, lost.id, 'me', 1000)) ?? expect.fail('it is mine');
    await saveCheckpoint(database, lost, { stage: 's', key: 'k', value: LONG });
    await database.commit(endJob(database, lost, { status: 'completed', answer: LONG, problem: null }));
    expect(await count(database, digestChunks)).toBe(0);
    expect(await readDigest(database, lost.id)).toMatchObject({ answer: null, state: 'running' });
    await saveCheckpoint(database, lease, { stage: 's', key: 'k', value: LONGER });
    await saveCheckpoint(database, lost, { stage: 's', key: 'k', value: LONG });
    expect((await readCheckpoints(database, lease.id)).get('s')?.value === LONGER).toBe(true);
    await database.commit(endJob(database, lost, { status: 'completed', answer: LONG, problem: null }));
    await database.commit(endJob(database, lease, { status: 'completed', answer: LONGER, problem: null }));
    await database.commit(endJob(database, lost, { status: 'completed', answer: LONG, problem: null }));
    expect((await readDigest(database, lease.id))?.answer === LONGER).toBe(true);
  });

  test('a cancelled job leaves no part of its checkpoints', async () => {
    const database = await open();
    const lease = await underWay(database);
    await saveCheckpoint(database, lease, { stage: 's', key: 'k', value: LONG });
    await database.commit(cancelJob({ ...database, tenant: 'another' }, lease.id));
    expect(await count(database, digestChunks)).toBeGreaterThan(1);
    await database.commit(cancelJob(database, lease.id));
    expect(await count(database, digestChunks)).toBe(0);
  });

  test('what must be whole and is too long is refused, or left out where it can be made again', async () => {
    const database = await open();
    const most = 'x'.repeat(1_599_000);
    const more = `${most}${'x'.repeat(2000)}`;
    const digest = (request: string) => insertDigest(database, { id: 'dig_1', request, sources: [] }, 9);
    expect(() => digest(more)).toThrow(TooLongError);
    await database.commit(digest(most));
    await expect(insertExperiment(database, { key: 'k', definition: more })).rejects.toThrow(/experiment is too long/);
    await storeCache(database).saveJudgements([
      { key: 'a', kind: 'k', verdict: more },
      { key: 'b', kind: 'k', verdict: '1' },
    ]);
    expect([...(await storeCache(database).readJudgements(['a', 'b'])).keys()]).toEqual(['b']);
    const lease = await underWay(database, 'dig_2');
    // A quote takes twice the room where it travels as JSON.
    const told = ['{}', more, most, '"'.repeat(900_000)].map((data) => ({ event: 'sentence', data }));
    await database.commit(appendEvents(database, lease, told));
    expect((await readEvents(database, lease.id, 0)).map(({ data }) => data?.length)).toEqual([2, most.length]);
  });
});
