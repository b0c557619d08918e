import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { readDocuments, saveDocuments } from '../../src/store/documents.ts';
import { openDatabase } from '../../src/store/open-database.node.ts';
import * as schema from '../../src/store/schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-parts.ts';

test('the file is made with its folder, migrated, and opened again with what it holds', async () => {
  const file = join(temporaryFolder(), 'deep', 'er', 'tessera.sqlite');
  const first = openDatabase(file);
  await saveDocuments(first, [{ hash: 'h', text: 'kept' }]);
  first.close();
  expect(existsSync(file)).toBe(true);
  const second = openDatabase(file);
  onTestFinished(() => second.close());
  expect(await readDocuments(second, ['h'])).toEqual(new Map([['h', 'kept']]));
});

test('two connections to one file see each other’s writes', async () => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const [one, two] = [openDatabase(file), openDatabase(file)];
  onTestFinished(() => {
    one.close();
    two.close();
  });
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

test('a commit writes all statements or none', async () => {
  const { query, commit } = memoryDatabase();
  const { documents } = schema;
  const insert = (hash: string) => query.insert(documents).values({ hash, text: hash, createdAt: 1 });
  await expect(commit([insert('a'), insert('b'), insert('a')])).rejects.toThrow(/UNIQUE/);
  expect(await query.select().from(documents)).toEqual([]);
  await commit([insert('a'), insert('b')]);
  expect((await query.select().from(documents)).map(({ hash }) => hash)).toEqual(['a', 'b']);
  await expect(commit([])).resolves.toBeUndefined();
});

test('foreign keys hold, and what was made of a document goes with it', async () => {
  const { query, commit } = memoryDatabase();
  const { documents, extractions } = schema;
  const made = { extractor: 'x', language: 'eng', words: 1, keyPoints: '[]', createdAt: 1 };
  await expect(commit([query.insert(extractions).values({ documentHash: 'h', ...made })])).rejects.toThrow(
    /FOREIGN KEY/,
  );
  await commit([
    query.insert(documents).values({ hash: 'h', text: 't', createdAt: 1 }),
    query.insert(extractions).values({ documentHash: 'h', ...made }),
  ]);
  await commit([query.delete(documents)]);
  expect(await query.select().from(extractions)).toEqual([]);
});

test('the schema in code is the schema of the migrations', async () => {
  const { query } = memoryDatabase();
  const tables = await query.all<{ name: string }>(sql`select name from sqlite_master where type = 'table'`);
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('__'));
  expect(names.sort()).toEqual(['digest_documents', 'digests', 'documents', 'encodings', 'extractions']);
  for (const table of [
    schema.digestDocuments,
    schema.digests,
    schema.documents,
    schema.encodings,
    schema.extractions,
  ]) {
    expect(await query.select().from(table)).toEqual([]);
  }
});

test('a failed commit is a rejection, also of a closed database', async () => {
  const database = openDatabase(':memory:');
  database.close();
  await expect(saveDocuments(database, [{ hash: 'h', text: 't' }])).rejects.toThrow();
});
