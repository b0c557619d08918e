import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { backupCommand, CopyError, restoreCommand } from '../../src/cli/copies.node.ts';
import { NewerDatabaseError, type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { readDocuments, saveDocuments } from '../../src/store/index.ts';
import { nextTurn } from '../../src/text/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function open(file: string): OpenDatabase {
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  return database;
}

/** A database with some hundred pages in a folder of its own. */
async function filled() {
  const folder = temporaryFolder();
  const database = open(join(folder, 'data', 'tessera.sqlite'));
  const texts = Array.from({ length: 400 }, (_, i) => ({ hash: `${i}`, text: `${i} `.repeat(2000) }));
  await saveDocuments(database, texts);
  mkdirSync(join(folder, 'backups'));
  return { database, texts, folder, backups: join(folder, 'backups'), file: join(folder, 'backups', 'copy.sqlite') };
}

test('the copy is one whole file that opens as a database and holds everything', async () => {
  const { database, texts, backups, file } = await filled();
  expect(await backupCommand(database, file)).toBe(`${file}: ${statSync(file).size} bytes, checked.\n`);
  expect(readdirSync(backups)).toEqual(['copy.sqlite', 'copy.sqlite.sha256']);
  expect(statSync(file).mode & 0o077).toBe(0);
  // Versions of the file format: 1 is a file that needs no log beside it and can be read where nothing can be written.
  expect([...readFileSync(file).subarray(18, 20)]).toEqual([1, 1]);
  const copy = open(file);
  expect(await copy.query.all(sql`pragma integrity_check`)).toEqual([{ integrity_check: 'ok' }]);
  expect(await copy.query.all(sql`pragma foreign_key_check`)).toEqual([]);
  expect(
    await readDocuments(
      copy,
      texts.map(({ hash }) => hash),
    ),
  ).toEqual(new Map(texts.map(({ hash, text }) => [hash, text])));
});

test('it ends while others go on writing, and what they had written before is in it', async () => {
  const { database, folder, file } = await filled();
  const other = open(join(folder, 'data', 'tessera.sqlite'));
  await saveDocuments(other, [{ hash: 'before', text: 'before' }]);
  let [written, isDone] = [0, false];
  const writing = (async () => {
    // A copy that begins again after every write of another connection would not end before these do.
    while (!isDone && written < 300) {
      await saveDocuments(other, [{ hash: `during ${written++}`, text: 'x' }]);
      await nextTurn();
    }
  })();
  await backupCommand(database, file);
  isDone = true;
  await writing;
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(300);
  const copy = open(file);
  expect((await readDocuments(copy, ['before'])).size).toBe(1);
  await saveDocuments(other, [{ hash: 'after', text: 'after' }]);
  expect((await readDocuments(copy, ['after'])).size).toBe(0);
});

test('a file that is there is not overwritten', async () => {
  const { database, file, backups } = await filled();
  writeFileSync(file, 'precious');
  await expect(backupCommand(database, file)).rejects.toThrow(CopyError);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  const meanwhile = join(backups, 'meanwhile.sqlite');
  const slow = {
    async backup(partial: string) {
      await database.backup(partial);
      writeFileSync(meanwhile, 'made meanwhile');
    },
  };
  await expect(backupCommand(slow, meanwhile)).rejects.toThrow(CopyError);
  expect(readFileSync(meanwhile, 'utf8')).toBe('made meanwhile');
  expect(readdirSync(backups).sort()).toEqual(['copy.sqlite', 'meanwhile.sqlite']);
});

test('what an interrupted backup left is no hindrance', async () => {
  const { database, file, backups } = await filled();
  for (const end of ['', '-journal', '-wal']) writeFileSync(`${file}.partial${end}`, 'half a copy '.repeat(1000));
  await backupCommand(database, file);
  expect(readdirSync(backups)).toEqual(['copy.sqlite', 'copy.sqlite.sha256']);
});

test('a copy that is damaged, or breaks off, comes to no name', async () => {
  const { database, file, backups } = await filled();
  const damaging = {
    async backup(partial: string) {
      await database.backup(partial);
      const bytes = readFileSync(partial);
      bytes.fill(0x55, 4096 * 3, 4096 * 9);
      writeFileSync(partial, bytes);
    },
  };
  await expect(backupCommand(damaging, file)).rejects.toThrow(CopyError);
  const breaking = {
    async backup(partial: string) {
      writeFileSync(partial, 'half');
      throw new Error('disk full');
    },
  };
  await expect(backupCommand(breaking, file)).rejects.toThrow(/cannot be written: disk full/);
  expect(readdirSync(backups)).toEqual([]);
});

test('a folder that is not there', async () => {
  const { database, backups } = await filled();
  await expect(backupCommand(database, join(backups, 'none', 'copy.sqlite'))).rejects.toThrow(CopyError);
  expect(existsSync(join(backups, 'none'))).toBe(false);
});

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
  expect(readdirSync(data)).toEqual(['tessera.sqlite', 'tessera.sqlite-reserve']);
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
  const refused = async (file: string, error: typeof CopyError | typeof NewerDatabaseError | RegExp) => {
    await expect(restoreCommand(file, database, { force: true })).rejects.toThrow(error);
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(readdirSync(data)).toEqual(['tessera.sqlite', 'tessera.sqlite-reserve']);
  };
  const damaged = join(folder, 'damaged.sqlite');
  const bytes = readFileSync(backup);
  writeFileSync(damaged, bytes.fill(0x55, Math.floor(bytes.length / 2), bytes.length - 4096));
  await refused(damaged, CopyError);
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

test.for([0.4, 0.7, 1])('bytes that are others than those backed up are found wherever they are: %d', async (place) => {
  const { backup, database, data } = await backedUp();
  const before = readFileSync(database);
  const bytes = readFileSync(backup);
  const at = 100 + Math.floor((bytes.length - 114) * place);
  writeFileSync(backup, bytes.fill(0x37, at, at + 14));
  await expect(restoreCommand(backup, database, { force: true })).rejects.toThrow(/is damaged/);
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(readdirSync(data)).toEqual(['tessera.sqlite', 'tessera.sqlite-reserve']);
});

test('of a backup without its sum it is said that its form alone was checked', async () => {
  const { backup, folder } = await backedUp();
  const target = join(folder, 'fresh.sqlite');
  rmSync(`${backup}.sha256`);
  expect(await restoreCommand(backup, target)).toMatch(
    /, its form checked, without copy.sqlite.sha256 not its bytes\.$/m,
  );
  expect(await heldBy(target)).toEqual(['old']);
});
