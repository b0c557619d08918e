import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Connection, sweep } from '../../src/store/index.ts';
import * as schema from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 20_000 * DAY + 5 * HOUR;
const NONE = {
  idempotencyKeys: 0,
  jobEvents: 0,
  digests: 0,
  webhooks: 0,
  documents: 0,
  encodings: 0,
  vectorLists: 0,
  judgements: 0,
  experiments: 0,
  isFinished: true,
};

interface Job {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Days ago. */
  readonly ended: number | null;
}

interface Asked {
  readonly tenant?: string;
  readonly id: string;
  /** Days ago. */
  readonly age: number;
  readonly status?: string;
  readonly job?: Job | null;
  readonly documents?: readonly string[];
}

onBothStores(({ name, open }) => {
  /** A database at `NOW`, and ways to fill it. */
  async function store() {
    const { query, commit, write } = await open();
    const database: Connection = { query, commit, write, now: () => NOW };
    return {
      database,
      document: (hash: string, age: number, tenant = 't') =>
        query.insert(schema.documents).values({ tenant, hash, text: hash, createdAt: 0, usedAt: NOW - age * DAY }),
      async digest({ tenant = 't', id, age, status = 'completed', job = null, documents = [] }: Asked) {
        const createdAt = NOW - age * DAY;
        const rows: BatchItem<'sqlite'>[] = [
          query.insert(schema.digests).values({ tenant, id, status, createdAt }),
          ...documents.map((hash) =>
            query.insert(schema.digestDocuments).values({ tenant, digestId: id, documentId: hash, documentHash: hash }),
          ),
        ];
        if (job !== null) {
          const endedAt = job.ended === null ? null : NOW - job.ended * DAY;
          const row = { tenant, id, state: job.state, priority: 0, retries: 0, notBefore: 0, createdAt, endedAt };
          rows.push(
            query.insert(schema.jobs).values(row),
            query.insert(schema.jobEvents).values({ tenant, jobId: id, number: 1, event: 'accepted', data: '{}' }),
            query.insert(schema.jobCheckpoints).values({ tenant, jobId: id, stage: 's', key: 'k', value: 'v' }),
          );
        }
        await commit(rows);
      },
      async collected(hash: string, tenant = 't') {
        const id = `col-${tenant}`;
        await query.insert(schema.collections).values({ tenant, id, createdAt: 0 }).onConflictDoNothing();
        const row = {
          tenant,
          collectionId: id,
          documentId: hash,
          documentHash: hash,
          characters: 1,
          keyPoints: 1,
          updatedAt: 0,
        };
        await query.insert(schema.collectionDocuments).values(row);
      },
      idempotencyKey: (key: string, age: number, digestId: string | null = null) =>
        query
          .insert(schema.idempotencyKeys)
          .values({ tenant: 't', key, fingerprint: 'f', digestId, lockedUntil: 0, createdAt: NOW - age * DAY }),
      digests: async () =>
        (await query.select({ id: schema.digests.id }).from(schema.digests)).map(({ id }) => id).sort(),
      documents: async () =>
        (await query.select().from(schema.documents)).map(({ tenant, hash }) => `${tenant}/${hash}`).sort(),
    };
  }

  test('idempotency keys go after a day, with and without retention', async () => {
    const { database, idempotencyKey } = await store();
    await Promise.all(Array.from({ length: 250 }, (_, i) => idempotencyKey(`old ${i}`, 1.0001)));
    await idempotencyKey('new', 1);
    expect(await sweep(database, null)).toEqual({ ...NONE, idempotencyKeys: 250 });
    expect((await database.query.select().from(schema.idempotencyKeys)).map(({ key }) => key)).toEqual(['new']);
    expect(await sweep(database, 90 * DAY)).toEqual(NONE);
  });

  test('of what ended jobs told, the last event and those that are no progress stay', async () => {
    const { database, digest } = await store();
    const { query } = database;
    const jobs: Record<string, Job> = {
      ended: { state: 'done', ended: 1.1 },
      cancelled: { state: 'cancelled', ended: 9 },
      fresh: { state: 'done', ended: 0.9 },
      running: { state: 'running', ended: null },
    };
    for (const [id, job] of Object.entries(jobs)) {
      await digest({ id, age: 10, job });
      const last = id === 'ended' ? 'digest' : 'sentence';
      for (const [i, event] of ['progress', 'sentence', 'progress', last].entries()) {
        await query.insert(schema.jobEvents).values({ tenant: 't', jobId: id, number: i + 2, event, data: '{}' });
      }
    }
    expect(await sweep(database, null)).toEqual({ ...NONE, jobEvents: 6 });
    const left = async (id: string) =>
      (await query.select().from(schema.jobEvents).where(sql`job_id = ${id}`)).map(
        ({ number, event }) => `${number} ${event}`,
      );
    expect(await left('ended')).toEqual(['1 accepted', '5 digest']);
    expect(await left('cancelled')).toEqual(['1 accepted', '5 sentence']);
    const whole = ['1 accepted', '2 progress', '3 sentence', '4 progress', '5 sentence'];
    expect(await left('fresh')).toEqual(whole);
    expect(await left('running')).toEqual(whole);
    expect(await sweep(database, null)).toEqual(NONE);
  });

  test('events of more jobs than are read at a time', async () => {
    const { database, digest } = await store();
    await Promise.all(
      Array.from({ length: 450 }, (_, i) => digest({ id: `d${i}`, age: 5, job: { state: 'done', ended: 5 } })),
    );
    const { query } = database;
    await query.update(schema.jobEvents).set({ number: 2, event: 'digest' });
    await query.run(sql`insert into job_events select tenant, id, 1, 'progress', null from jobs`);
    expect((await sweep(database, null)).jobEvents).toBe(450);
    expect(await query.select().from(schema.jobEvents)).toHaveLength(450);
  });

  test('an old digest goes with everything that hangs on it, and then its texts', async () => {
    const { database, document, digest, digests, documents } = await store();
    const { query } = database;
    await document('a', 31);
    await document('b', 29);
    await query.insert(schema.extractions).values({
      tenant: 't',
      documentHash: 'a',
      extractor: 'x',
      language: 'eng',
      words: 1,
      keyPoints: '[]',
      createdAt: 0,
    });
    await digest({ id: 'old', age: 31, job: { state: 'done', ended: 31 }, documents: ['a', 'b'] });
    expect(await sweep(database, null)).toEqual(NONE);
    expect(await sweep(database, 30 * DAY)).toEqual({ ...NONE, digests: 1, documents: 1 });
    expect(await digests()).toEqual([]);
    expect(await documents()).toEqual(['t/b']);
    const { jobs, jobEvents, jobCheckpoints, digestDocuments, extractions } = schema;
    for (const table of [jobs, jobEvents, jobCheckpoints, digestDocuments, extractions]) {
      expect(await query.select().from(table)).toEqual([]);
    }
  });

  test('a digest stays as long as the answer to a request that may come again', async () => {
    const { database, digest, idempotencyKey, digests } = await store();
    await digest({ id: 'asked', age: 0.9 });
    await digest({ id: 'other', age: 0.9 });
    await idempotencyKey('k', 0.9, 'asked');
    await sweep(database, DAY / 2);
    expect(await digests()).toEqual(['asked']);
  });

  test('ended webhooks go, waiting ones never', async () => {
    const { database } = await store();
    const { query } = database;
    const rows: [id: string, state: string, ended: number | null][] = [
      ['a', 'delivered', 31],
      ['b', 'failed', 31],
      ['c', 'delivered', 29],
      ['d', 'waiting', null],
    ];
    for (const [id, state, ended] of rows) {
      const times = { notBefore: 0, createdAt: 0, endedAt: ended === null ? null : NOW - ended * DAY };
      await query
        .insert(schema.webhooks)
        .values({ tenant: 't', id, digestId: 'd', url: 'u', payload: 'p', state, ...times });
    }
    expect(await sweep(database, 30 * DAY)).toEqual({ ...NONE, webhooks: 2 });
    expect((await query.select().from(schema.webhooks)).map(({ id }) => id)).toEqual(['c', 'd']);
  });

  test('vectors, lists of vectors and verdicts go by the day on which they were last read', async () => {
    const { database } = await store();
    const bytes = Buffer.from([0]);
    for (const daysAgo of [29, 30, 31, 400]) {
      const row = { tenant: 't', encoder: 'e', usedOn: 20_000 - daysAgo };
      const vectors = { sentence: bytes, tokens: bytes, tokenIds: bytes };
      await database.commit([
        database.query.insert(schema.encodings).values({ ...row, ...vectors, textHash: `${daysAgo}` }),
        database.query.insert(schema.vectorLists).values({ ...row, key: `${daysAgo}`, vectors: bytes }),
        database.query
          .insert(schema.judgements)
          .values({ ...row, key: `${daysAgo}`, kind: 'k', verdict: '1', createdAt: 0 }),
      ]);
    }
    expect(await sweep(database, null)).toEqual(NONE);
    expect(await sweep(database, 30 * DAY)).toEqual({ ...NONE, encodings: 2, vectorLists: 2, judgements: 2 });
    for (const table of [schema.encodings, schema.vectorLists, schema.judgements]) {
      const rows = await database.query.select({ usedOn: table.usedOn }).from(table);
      expect(rows.map(({ usedOn }) => 20_000 - usedOn).sort()).toEqual([29, 30]);
    }
  });

  const days = fc.integer({ min: 0, max: 6 });
  const tenant = fc.constantFrom('t', 'u');
  const job: fc.Arbitrary<Job | null> = fc.oneof(
    fc.constant(null),
    fc.record({ state: fc.constantFrom('queued' as const, 'running' as const), ended: fc.constant(null) }),
    fc.record({ state: fc.constantFrom('done' as const, 'failed' as const, 'cancelled' as const), ended: days }),
  );
  const world = fc.record({
    documents: fc.uniqueArray(
      fc.record({ tenant, hash: fc.constantFrom('a', 'b', 'c', 'd', 'e'), age: days, isCollected: fc.boolean() }),
      {
        selector: ({ tenant: own, hash }) => `${own}/${hash}`,
        minLength: 3,
      },
    ),
    digests: fc.array(
      fc.record({
        age: days,
        job,
        documents: fc.array(fc.nat(9), { maxLength: 3 }),
        at: fc.nat(9),
      }),
      { maxLength: 6 },
    ),
    retention: fc.integer({ min: 1, max: 5 }),
  });

  test('what goes is what is old and what neither a kept digest nor a collection needs: worked out a second way', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ documents, digests, retention }) => {
        const made = await store();
        for (const { hash, age, tenant: own } of documents) await made.document(hash, age, own);
        for (const { hash, isCollected, tenant: own } of documents) if (isCollected) await made.collected(hash, own);
        // A digest is its first document's tenant's, and made from documents of that tenant alone.
        const asked = digests.map((digest, i) => {
          const own = documents[digest.at % documents.length].tenant;
          const hashes = digest.documents
            .map((at) => documents[at % documents.length])
            .filter((one) => one.tenant === own);
          const status = digest.job === null || digest.job.state === 'done' ? 'completed' : 'queued';
          const used = [...new Set(hashes.map(({ hash }) => hash))];
          return { tenant: own, id: `dig${i}`, age: digest.age, status, job: digest.job, documents: used };
        });
        for (const digest of asked) await made.digest(digest);

        const isUnderWay = ({ job: of }: Asked) => of?.state === 'queued' || of?.state === 'running';
        const keptDigests = asked.filter(
          (one) => isUnderWay(one) || one.age <= retention || (one.job?.ended ?? 9) <= retention,
        );
        const keptDocuments = documents.filter(
          (one) =>
            one.age <= retention ||
            one.isCollected ||
            keptDigests.some((digest) => digest.tenant === one.tenant && digest.documents.includes(one.hash)),
        );

        const swept = await sweep(made.database, retention * DAY);
        expect(await made.digests()).toEqual(keptDigests.map(({ id }) => id).sort());
        expect(await made.documents()).toEqual(keptDocuments.map(({ tenant: own, hash }) => `${own}/${hash}`).sort());
        expect(swept.digests).toBe(asked.length - keptDigests.length);
        expect(swept.documents).toBe(documents.length - keptDocuments.length);
        expect(await made.database.query.all(sql`pragma foreign_key_check`)).toEqual([]);
        expect(await sweep(made.database, retention * DAY)).toEqual(NONE);
      }),
      { numRuns: name === 'D1' ? 6 : 60, seed: 6 },
    );
  });

  test('old texts are gone through by the index, from where the last chunk ended', async () => {
    const { query } = await open();
    const plan = await query.all<{ detail: string }>(
      sql`explain query plan select used_at, rowid from documents where used_at < 9 and (used_at, rowid) > (1, 2) order by used_at, rowid limit 50`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH documents USING COVERING INDEX documents_used_at \(.*used_at.*\)$/),
    ]);
  });

  test('with a bound of statements every call goes on where the one before stopped, until all is gone', async () => {
    const { database, document, digest, collected, idempotencyKey, digests, documents } = await store();
    await Promise.all(Array.from({ length: 400 }, (_, i) => document(`old ${i}`, 31)));
    await document('kept', 40);
    await collected('kept');
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => digest({ id: `d${i}`, age: 31, job: { state: 'done', ended: 31 } })),
    );
    await Promise.all(Array.from({ length: 120 }, (_, i) => idempotencyKey(`k${i}`, 2)));
    let statements = 0;
    const counted: Connection = {
      ...database,
      commit(all) {
        statements += all.length;
        return database.commit(all);
      },
      write: (statement) => database.write(statement).finally(() => statements++),
    };
    const gone = { idempotencyKeys: 0, digests: 0, documents: 0 };
    let calls = 0;
    for (let isFinished = false; !isFinished; calls++) {
      statements = 0;
      const swept = await sweep(counted, 30 * DAY, 20);
      expect(statements).toBeLessThanOrEqual(20);
      for (const table of ['idempotencyKeys', 'digests', 'documents'] as const) gone[table] += swept[table];
      ({ isFinished } = swept);
      expect(calls).toBeLessThan(20);
    }
    expect(calls).toBeGreaterThan(1);
    expect(gone).toEqual({ idempotencyKeys: 120, digests: 30, documents: 400 });
    expect([await digests(), await documents()]).toEqual([[], ['t/kept']]);
    expect(await database.query.select().from(schema.chores)).toEqual([]);
  });

  test('texts that stay do not keep a bounded call from those behind them', async () => {
    const { database, document, collected, documents } = await store();
    const { query, commit } = database;
    // More than are looked at in one go: 1,100 that stay, and one that goes behind them.
    const hashes = Array.from({ length: 1100 }, (_, i) => `${i}`.padStart(4, '0'));
    const rows = JSON.stringify(hashes);
    await commit([
      query
        .insert(schema.documents)
        .select(sql`select 't', value, value, 0, ${NOW - 40 * DAY}, 0 from json_each(${rows}) where true`),
    ]);
    await document('free', 31);
    await collected('0000');
    await commit([
      query
        .insert(schema.collectionDocuments)
        .select(
          sql`select 't', 'col-t', value, value, null, null, null, null, 1, 1, 0 from json_each(${rows}) where value <> '0000'`,
        ),
    ]);
    const calls: number[] = [];
    for (let isFinished = false; !isFinished && calls.length < 10; ) {
      const swept = await sweep(database, 30 * DAY, 12);
      calls.push(swept.documents);
      isFinished = swept.isFinished;
    }
    expect(calls.length).toBeLessThan(10);
    expect(calls.slice(1)).toContain(1);
    expect(await documents()).toHaveLength(1100);
  });
});
