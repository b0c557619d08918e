import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/store/index.node.ts';
import { readDocuments, StorageFullError, saveDocuments } from '../../src/store/index.ts';
import * as schema from '../../src/store/schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-deps.ts';

/** Leaves a database no page more than it has; SQLite says the same then as on a full disk. */
async function fill({ query }: OpenDatabase): Promise<void> {
  const [{ page_count: pages }] = await query.all<{ page_count: number }>(sql`pragma page_count`);
  await query.run(sql.raw(`pragma max_page_count = ${pages}`));
}

const makeRoom = ({ query }: OpenDatabase) => query.run(sql`pragma max_page_count = 1000000`);
const LARGE = { hash: 'large', text: 'x'.repeat(200_000) };

test('what finds no room wrote nothing, and says so by its own error', async () => {
  const database = memoryDatabase();
  await saveDocuments(database, [{ hash: 'before', text: 'kept' }]);
  await fill(database);
  await expect(saveDocuments(database, [{ hash: 'small', text: 'x' }, LARGE])).rejects.toThrow(StorageFullError);
  const { text } = LARGE;
  const single = database.write(() =>
    database.query
      .insert(schema.documents)
      .values({ tenant: 'default', hash: 'large', text, createdAt: 0 })
      .returning(),
  );
  await expect(single).rejects.toThrow(StorageFullError);
  expect(await readDocuments(database, ['before', 'small', 'large'])).toEqual(new Map([['before', 'kept']]));
});

test('it is not ready until there is room, whatever small write succeeds meanwhile, and leaves no trace of the trial', async () => {
  const database = memoryDatabase();
  const tables = () => database.query.all(sql`select name from sqlite_master order by name`);
  const before = await tables();
  await fill(database);
  await database.ready(); // nothing has failed yet
  await expect(saveDocuments(database, [LARGE])).rejects.toThrow(StorageFullError);
  await expect(database.ready()).rejects.toThrow(StorageFullError);
  await saveDocuments(database, [{ hash: 'small', text: 'fits into a page that is there' }]);
  await expect(database.ready()).rejects.toThrow(StorageFullError);
  await makeRoom(database);
  await database.ready();
  await saveDocuments(database, [LARGE]);
  expect(await tables()).toEqual(before);
});

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!canMount)('on a full disk what is deleted makes room, and of the reserve nothing else is written', () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('on-full-disk.ts', import.meta.url));
  const command = `mount -t tmpfs -o size=24m tmpfs ${folder} && ${process.execPath} --import tsx ${script} ${folder}`;
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', command], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ deleted: true, isReady: true, again: true, isFull: true });
});
