import type { D1Database } from '@cloudflare/workers-types';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_TENANT, documents, forTenant } from '../../src/store/index.ts';
import { openD1 } from '../../src/store/index.worker.ts';
import { d1InWorkerd, migrateD1, migrationFiles } from './d1-in-workerd.ts';

const ROW = { tenant: DEFAULT_TENANT, hash: 'h', text: 't', createdAt: 0 };

/** A binding that fails so many times before it writes. */
function failing(message: string, times: number) {
  let calls = 0;
  const answer = async () => {
    calls++;
    if (calls <= times) throw new Error(message);
    return { results: [], success: true, meta: {} };
  };
  const statement = { bind: () => statement, run: answer, all: answer, raw: async () => (await answer()).results };
  const binding = { prepare: () => statement, batch: async () => [await answer()] } as unknown as D1Database;
  return { database: openD1(binding), calls: () => calls };
}

describe('a write', () => {
  const overloaded = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.';

  test.each([
    ['that D1 was too busy to begin is begun again', overloaded, 2, 3],
    ['is not begun for ever', overloaded, 9, 4],
    ['whose connection was lost is not repeated: it may have been written', 'D1_ERROR: Network connection lost.', 1, 1],
    ['that is refused is not repeated', 'D1_ERROR: UNIQUE constraint failed: SQLITE_CONSTRAINT', 1, 1],
  ])('%s', async (_, message, times, calls) => {
    vi.useFakeTimers();
    try {
      for (const write of ['commit', 'write'] as const) {
        const made = failing(message, times);
        const { query, commit } = made.database;
        const statement = () => query.insert(documents).values(ROW).returning();
        const written = (write === 'commit' ? commit([statement()]) : made.database.write(statement)).then(
          () => 'written',
          () => 'failed',
        );
        await vi.runAllTimersAsync();
        expect(await written).toBe(times < calls ? 'written' : 'failed');
        expect(made.calls()).toBe(calls);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test('of nothing asks D1 for nothing', async () => {
    const { database, calls } = failing('never', 9);
    await database.commit([]);
    expect(calls()).toBe(0);
  });
});

describe('migrations on D1, where foreign keys are always on', () => {
  let workerd: Awaited<ReturnType<typeof d1InWorkerd>> | undefined;
  beforeAll(async () => {
    workerd = await d1InWorkerd(2);
  });
  afterAll(() => workerd?.dispose());

  test('keep every row from before, and what refers to what', async () => {
    const { binding } = workerd?.database('DB0') ?? expect.fail('it runs');
    const files = migrationFiles();
    expect(files.slice(0, 3).map(({ name }) => name)).toEqual([
      '0000_initial.sql',
      '0001_unverified.sql',
      '0002_service.sql',
    ]);
    await migrateD1(binding, files.slice(0, 2));
    const insert = (table: string, ...rows: unknown[][]) =>
      rows.map((row) => binding.prepare(`insert into ${table} values (${row.map(() => '?').join()})`).bind(...row));
    await binding.batch([
      ...insert('documents', ['h1', 'One.', 11], ['h2', 'Zwei “ö”.', 12]),
      ...insert('digests', ['dig_1', 'completed', '{"id":"dig_1"}', 21], ['dig_2', 'failed', '{}', 22]),
      ...insert('digest_documents', ['dig_1', 'a', 'h1'], ['dig_1', 'b', 'h2'], ['dig_2', 'a', 'h2']),
      ...insert('extractions', ['h1', 'x', 'eng', 1, '[1]', 31, '["lost"]'], ['h2', 'x', 'deu', 1, '[]', 32, '[]']),
      ...insert('encodings', ['t1', 'e5', new Uint8Array([1, 2]), new Uint8Array([3]), new Uint8Array(0)]),
    ]);
    await migrateD1(binding, files.slice(2));
    const { query, commit } = forTenant(openD1(binding), DEFAULT_TENANT);
    const all = await Promise.all([
      query.query.documents.findMany(),
      query.query.digests.findMany(),
      query.query.digestDocuments.findMany(),
      query.query.extractions.findMany(),
      query.query.encodings.findMany(),
    ]);
    expect(all.map((rows) => rows.length)).toEqual([2, 2, 3, 2, 1]);
    expect(all.flat().every(({ tenant }) => tenant === DEFAULT_TENANT)).toBe(true);
    expect(all[3]).toMatchObject([
      { documentHash: 'h1', language: 'eng', keyPoints: '[1]', unverified: '["lost"]', createdAt: 31, parts: 0 },
      { documentHash: 'h2', language: 'deu' },
    ]);
    expect(all[4]).toMatchObject([{ sentence: new Uint8Array([1, 2]), tokens: new Uint8Array([3]) }]);
    expect(await query.all(sql`pragma foreign_key_check`)).toEqual([]);
    await expect(commit([query.delete(documents)])).rejects.toThrow(/FOREIGN KEY/);
  });

  test('leave the tables of a new database', async () => {
    const made = async (name: string) => {
      const { binding } = workerd?.database(name) ?? expect.fail('it runs');
      if (name === 'DB1') await migrateD1(binding);
      const { results } = await binding
        .prepare(
          "select name, sql from sqlite_master where name not like '|_%' escape '|' and sql is not null order by name",
        )
        .all();
      return results;
    };
    expect(await made('DB0')).toEqual(await made('DB1'));
  });
});
