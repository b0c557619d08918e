import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { backupCommand } from '../../src/cli/backup.node.ts';
import { RestoreError, restoreCommand } from '../../src/cli/restore.node.ts';
import { NewerDatabaseError, type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { readDocuments, saveDocuments } from '../../src/store/index.ts';
import { runCli } from '../support/cli.ts';
import { settingsOf, startProcess } from '../support/service-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A backup that holds "old", and a database that holds "old" and "new", which nobody has open. */
async function backedUp() {
  const folder = temporaryFolder();
  const [backup, database] = [join(folder, 'copy.sqlite'), join(folder, 'data', 'tessera.sqlite')];
  const made = openDatabase(database);
  await saveDocuments(
    made,
    Array.from({ length: 100 }, (_, i) => ({ hash: `${i}`, text: `${i} `.repeat(2000) })),
  );
  await saveDocuments(made, [{ hash: 'old', text: 'old' }]);
  await backupCommand(made, backup);
  await saveDocuments(made, [{ hash: 'new', text: 'new' }]);
  made.close();
  return { backup, database, data: join(folder, 'data'), folder };
}

function open(file: string): OpenDatabase {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

async function heldBy(file: string): Promise<string[]> {
  return [...(await readDocuments(open(file), ['old', 'new'])).keys()].sort();
}

test('a backup comes to a place where there is nothing, and what a lost database left there is not taken for its log', async () => {
  const { backup, folder } = await backedUp();
  const target = join(folder, 'fresh', 'tessera.sqlite');
  mkdirSync(join(folder, 'fresh'));
  for (const end of ['-wal', '-shm', '-journal', '.partial']) writeFileSync(target + end, 'of another '.repeat(1000));
  expect(await restoreCommand(backup, target)).toBe(
    `${target}: ${statSync(backup).size} bytes from ${backup}, checked.\n`,
  );
  expect(readdirSync(join(folder, 'fresh'))).toEqual(['tessera.sqlite']);
  expect(statSync(target).mode & 0o077).toBe(0);
  expect(await heldBy(target)).toEqual(['old']);
  expect(await heldBy(backup)).toEqual(['old']);
});

test('a database that is there is replaced only where that is asked for', async () => {
  const { backup, database, data } = await backedUp();
  const before = readFileSync(database);
  await expect(restoreCommand(backup, database)).rejects.toThrow(/is there already; --force replaces it/);
  expect(readFileSync(database).equals(before)).toBe(true);
  await restoreCommand(backup, database, { force: true });
  expect(readdirSync(data)).toEqual(['tessera.sqlite']);
  expect(await heldBy(database)).toEqual(['old']);
});

test('one that is in use is never replaced', async () => {
  const { backup, database, data } = await backedUp();
  const user = openDatabase(database);
  await expect(restoreCommand(backup, database, { force: true })).rejects.toThrow(/is in use: stop/);
  await saveDocuments(user, [{ hash: 'later', text: 'written after' }]);
  expect((await readDocuments(user, ['old', 'new', 'later'])).size).toBe(3);
  expect(readdirSync(data).filter((name) => name.includes('partial'))).toEqual([]);
  user.close();
  await restoreCommand(backup, database, { force: true });
  expect(await heldBy(database)).toEqual(['old']);
});

test('nor is one that another process has open, by the command', async () => {
  const { backup, database, folder } = await backedUp();
  const settings = settingsOf(database, { TESSERA_JOBS: '0' });
  const worker = await startProcess('work', folder, settings);
  const refused = await runCli(['restore', backup, '--force'], folder, settings);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(`${database} is in use: stop "tessera serve" and every "tessera work" first.\n`);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toEqual([0, null]);
  expect(worker.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  expect(await runCli(['restore', backup, '--force'], folder, settings)).toMatchObject({ code: 0, stderr: '' });
  expect(await heldBy(database)).toEqual(['old']);
});

test('what a killed process had not yet put into the file goes with it', async () => {
  const { backup, database } = await backedUp();
  const user = openDatabase(database);
  await saveDocuments(user, [{ hash: 'later', text: 'in the log alone' }]);
  const log = readFileSync(`${database}-wal`);
  user.close();
  writeFileSync(`${database}-wal`, log); // as it lies there after SIGKILL
  await restoreCommand(backup, database, { force: true });
  expect(existsSync(`${database}-wal`)).toBe(false);
  expect((await readDocuments(open(database), ['old', 'new', 'later'])).size).toBe(1);
});

test('a database that is damaged beyond opening can be replaced', async () => {
  const { backup, database } = await backedUp();
  writeFileSync(database, 'no database any more '.repeat(1000));
  await restoreCommand(backup, database, { force: true });
  expect(await heldBy(database)).toEqual(['old']);
});

test('a backup that is damaged, of something else, of a newer version or not there leaves everything as it was', async () => {
  const { backup, database, data, folder } = await backedUp();
  const before = readFileSync(database);
  const refused = async (file: string, error: typeof RestoreError | typeof NewerDatabaseError | RegExp) => {
    await expect(restoreCommand(file, database, { force: true })).rejects.toThrow(error);
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(readdirSync(data)).toEqual(['tessera.sqlite']);
  };
  const damaged = join(folder, 'damaged.sqlite');
  const bytes = readFileSync(backup);
  writeFileSync(damaged, bytes.fill(0x55, Math.floor(bytes.length / 2), bytes.length - 4096));
  await refused(damaged, RestoreError);
  const text = join(folder, 'text.sqlite');
  writeFileSync(text, 'This is no database. '.repeat(500));
  await refused(text, /cannot be restored: file is not a database/);
  const other = join(folder, 'other.sqlite');
  new BetterSqlite3(other).exec('create table digests (id)').close();
  await refused(other, /is no database of Tessera/);
  const newer = new BetterSqlite3(backup);
  newer.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9e15)").close();
  await refused(backup, NewerDatabaseError);
  await refused(join(folder, 'none.sqlite'), /none.sqlite: no such file/);
  await refused(database, /is the database itself/);
});
