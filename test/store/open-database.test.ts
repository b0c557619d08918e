import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NewerDatabaseError, type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { readDocuments, saveDocuments } from '../../src/store/index.ts';
import * as schema from '../../src/store/schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase, testApp } from '../support/test-deps.ts';

function opened(file: string): OpenDatabase {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

test('the file is made with its folder, for its owner alone, migrated, opened again with what it holds, and shared', async () => {
  const file = join(temporaryFolder(), 'deep', 'er', 'tessera.sqlite');
  const first = openDatabase(file);
  await saveDocuments(first, [{ hash: 'h', text: 'kept' }]);
  for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777).toBe(0o600);
  first.close();
  const [one, two] = [opened(file), opened(file)];
  expect(await readDocuments(one, ['h'])).toEqual(new Map([['h', 'kept']]));
  await saveDocuments(one, [{ hash: 'a', text: 'from one' }]);
  await saveDocuments(two, [{ hash: 'b', text: 'from two' }]);
  expect((await readDocuments(one, ['a', 'b'])).size).toBe(2);
});

test.each([
  ['a text file', (file: string) => writeFileSync(file, 'This is no database. '.repeat(500))],
  ['a folder', (file: string) => openDatabase(join(file, 'inside.sqlite')).close()],
])('%s in its place is an error, and stays what it is', (_, make) => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  make(file);
  expect(() => openDatabase(file)).toThrow();
  expect(existsSync(file)).toBe(true);
});

/** A database as it was before there were tenants and jobs, with rows in every table. */
function databaseFromBefore(): string {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const sqlite = new BetterSqlite3(file);
  sqlite.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  const before: { tag: string; when: number }[] = journal.entries.slice(0, 2);
  expect(before.map(({ tag }) => tag.slice(0, 4))).toEqual(['0000', '0001']);
  for (const { tag, when } of before) {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    for (const statement of text.split('--> statement-breakpoint')) sqlite.exec(statement);
    const hash = createHash('sha256').update(text).digest('hex');
    sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run(hash, when);
  }
  const insert = (table: string, ...rows: unknown[][]) => {
    for (const row of rows) sqlite.prepare(`insert into ${table} values (${row.map(() => '?').join()})`).run(...row);
  };
  insert('documents', ['h1', 'One.', 11], ['h2', 'Zwei “ö”\u0000.', 12], ['h3', '', 13]);
  insert('digests', ['dig_1', 'completed', '{"id":"dig_1"}', 21], ['dig_2', 'failed', '{"id":"dig_2"}', 22]);
  insert('digest_documents', ['dig_1', 'a', 'h1'], ['dig_1', 'b', 'h2'], ['dig_2', 'a', 'h2']);
  insert(
    'extractions',
    ['h1', 'rules-1', 'eng', 1, '[{"text":"One."}]', 31, '["lost"]'],
    ['h2', 'rules-1', 'deu', 1, '[]', 32, '[]'],
  );
  insert('encodings', ['t1', 'e5', Buffer.from([1, 2]), Buffer.from([3]), Buffer.from([4, 0])]);
  insert('encodings', ['t2', 'e5', Buffer.from([5]), Buffer.from([]), Buffer.from([])]);
  sqlite.close();
  return file;
}

describe('a database from before there were tenants', () => {
  test('is migrated with every row, all of them of the tenant "default"', async () => {
    const from = Date.now();
    const database = opened(databaseFromBefore());
    const { query } = database.query;
    const own = { tenant: 'default' };
    const usedAt = expect.toSatisfy((time: number) => time >= from - 1000 && time <= Date.now());
    expect(await query.documents.findMany()).toEqual([
      { ...own, hash: 'h1', text: 'One.', createdAt: 11, usedAt, parts: 0 },
      { ...own, hash: 'h2', text: 'Zwei “ö”\u0000.', createdAt: 12, usedAt, parts: 0 },
      { ...own, hash: 'h3', text: '', createdAt: 13, usedAt, parts: 0 },
    ]);
    const digest = { ...own, request: null, answerChunks: 0, receiptChunks: 0 };
    expect(await query.digests.findMany()).toEqual([
      { ...digest, id: 'dig_1', status: 'completed', answer: '{"id":"dig_1"}', createdAt: 21 },
      { ...digest, id: 'dig_2', status: 'failed', answer: '{"id":"dig_2"}', createdAt: 22 },
    ]);
    expect(await query.digestDocuments.findMany()).toEqual([
      { ...own, digestId: 'dig_1', documentId: 'a', documentHash: 'h1' },
      { ...own, digestId: 'dig_1', documentId: 'b', documentHash: 'h2' },
      { ...own, digestId: 'dig_2', documentId: 'a', documentHash: 'h2' },
    ]);
    const read = { ...own, extractor: 'rules-1', words: 1, parts: 0 };
    const found = { keyPoints: '[{"text":"One."}]', unverified: '["lost"]', createdAt: 31 };
    expect(await query.extractions.findMany()).toEqual([
      { ...read, ...found, documentHash: 'h1', language: 'eng' },
      { ...read, documentHash: 'h2', language: 'deu', keyPoints: '[]', unverified: '[]', createdAt: 32 },
    ]);
    const usedOn = expect.toSatisfy((day: number) => Math.abs(day - Date.now() / 86_400_000) <= 1);
    const blobs = ([sentence, tokens, tokenIds]: number[][]) => ({
      sentence: new Uint8Array(sentence),
      tokens: new Uint8Array(tokens),
      tokenIds: new Uint8Array(tokenIds),
    });
    expect(await query.encodings.findMany()).toEqual([
      { ...own, textHash: 't1', encoder: 'e5', usedOn, ...blobs([[1, 2], [3], [4, 0]]) },
      { ...own, textHash: 't2', encoder: 'e5', usedOn, ...blobs([[5], [], []]) },
    ]);
    for (const table of [schema.jobs, schema.apiKeys, schema.tenants, schema.webhooks, schema.idempotencyKeys]) {
      expect(await database.query.select().from(table)).toEqual([]);
    }
  });

  test('is whole: foreign keys hold, are held to, and carry deletions along', async () => {
    const { query, commit } = opened(databaseFromBefore());
    const remove = (hash: string) => commit([query.delete(schema.documents).where(eq(schema.documents.hash, hash))]);
    expect(await query.all(sql`pragma foreign_key_check`)).toEqual([]);
    expect(await query.all(sql`pragma integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
    expect(await query.all(sql`pragma foreign_keys`)).toEqual([{ foreign_keys: 1 }]);
    await expect(remove('h1')).rejects.toThrow(/FOREIGN KEY/);
    await commit([query.delete(schema.digests).where(eq(schema.digests.id, 'dig_1'))]);
    expect(await query.select().from(schema.digestDocuments)).toMatchObject([{ digestId: 'dig_2' }]);
    await remove('h1');
    expect(await query.select().from(schema.extractions)).toMatchObject([{ documentHash: 'h2' }]);
  });

  test('has the tables and indexes of a new one, is migrated once, and serves its digests', async () => {
    const file = databaseFromBefore();
    openDatabase(file).close();
    const old = opened(file);
    const made = (database: OpenDatabase) =>
      database.query.all<{ name: string; sql: string }>(
        sql`select name, sql from sqlite_master where name not like '|_|_%' escape '|' and sql is not null order by name`,
      );
    expect(await made(old)).toEqual(await made(memoryDatabase()));
    const { app } = testApp({ database: old });
    expect(await (await app.request('/v1/digests/dig_1')).json()).toEqual({ id: 'dig_1' });
    const list = { digests: [{ id: 'dig_2' }, { id: 'dig_1' }], next: null };
    expect(await (await app.request('/v1/digests')).json()).toMatchObject(list);
    expect((await app.request('/v1/digests/dig_1', { method: 'DELETE' })).status).toBe(204);
    expect((await app.request('/v1/digests/dig_1')).status).toBe(404);
  });
});

const OURS = { tenant: 'default', hash: 'ours', text: 'o', createdAt: 0 };

test.each([
  ['a commit', (database: OpenDatabase) => database.commit([database.query.insert(schema.documents).values(OURS)])],
  [
    'a single statement',
    (database: OpenDatabase) => database.write(() => database.query.insert(schema.documents).values(OURS).returning()),
  ],
])('%s waits while another process writes, and others are served meanwhile', async (_, write) => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const [one, other] = [opened(file), opened(file)];
  const timers: NodeJS.Timeout[] = [];
  onTestFinished(() => timers.forEach(clearTimeout));
  await saveDocuments(one, [{ hash: 'before', text: 'before' }]);
  await other.query.run(sql`begin immediate`);
  await other.query.insert(schema.documents).values({ tenant: 'default', hash: 'theirs', text: 't', createdAt: 0 });
  let isHeld = true;
  timers.push(
    setTimeout(() => {
      void other.query.run(sql`commit`);
      isHeld = false;
    }, 700),
  );
  const served: number[] = [];
  timers.push(
    setInterval(() => {
      if (isHeld) void readDocuments(one, ['before', 'theirs', 'ours']).then(({ size }) => served.push(size));
    }, 10),
  );
  await write(one);
  expect(isHeld).toBe(false);
  expect(served.length).toBeGreaterThan(2);
  expect(new Set(served)).toEqual(new Set([1])); // as it was before both
  expect([...(await readDocuments(one, ['before', 'theirs', 'ours'])).keys()].sort()).toEqual([
    'before',
    'ours',
    'theirs',
  ]);
});

test('a failed commit is a rejection, also of a closed database', async () => {
  const database = openDatabase(':memory:');
  database.close();
  await expect(saveDocuments(database, [{ hash: 'h', text: 't' }])).rejects.toThrow();
});

describe('a database that a newer version migrated', () => {
  const journal = readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
  const known: { when: number }[] = JSON.parse(journal).entries;
  const last = known[known.length - 1].when;

  /** One migration more than this version has, applied at a time. */
  function migratedAt(when: number): string {
    const file = join(temporaryFolder(), 'tessera.sqlite');
    openDatabase(file).close();
    const sqlite = new BetterSqlite3(file);
    sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('unknown', when);
    sqlite.pragma('journal_mode = DELETE');
    sqlite.close();
    return file;
  }

  test('is refused with both schemas, and not touched; one of this version is opened', () => {
    const file = migratedAt(last + 1);
    const before = readFileSync(file);
    expect(() => openDatabase(file)).toThrow(NewerDatabaseError);
    expect(() => openDatabase(file)).toThrow(
      `"${file}" has schema ${known.length + 1}, made by a newer Tessera, and this one knows schemas up to ${known.length}: `,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    openDatabase(migratedAt(last)).close();
  });
});
