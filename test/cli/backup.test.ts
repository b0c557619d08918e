import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { BackupError, backupCommand } from '../../src/cli/backup.node.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
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
  expect(readdirSync(backups)).toEqual(['copy.sqlite']);
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
  await expect(backupCommand(database, file)).rejects.toThrow(BackupError);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  const meanwhile = join(backups, 'meanwhile.sqlite');
  const slow = {
    async backup(partial: string) {
      await database.backup(partial);
      writeFileSync(meanwhile, 'made meanwhile');
    },
  };
  await expect(backupCommand(slow, meanwhile)).rejects.toThrow(BackupError);
  expect(readFileSync(meanwhile, 'utf8')).toBe('made meanwhile');
  expect(readdirSync(backups).sort()).toEqual(['copy.sqlite', 'meanwhile.sqlite']);
});

test('what an interrupted backup left is no hindrance', async () => {
  const { database, file, backups } = await filled();
  for (const end of ['', '-journal', '-wal']) writeFileSync(`${file}.partial${end}`, 'half a copy '.repeat(1000));
  await backupCommand(database, file);
  expect(readdirSync(backups)).toEqual(['copy.sqlite']);
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
  await expect(backupCommand(damaging, file)).rejects.toThrow(BackupError);
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
  await expect(backupCommand(database, join(backups, 'none', 'copy.sqlite'))).rejects.toThrow(BackupError);
  expect(existsSync(join(backups, 'none'))).toBe(false);
});
