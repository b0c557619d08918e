import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isTessera, makeFolder, type OpenDatabase, refuseNewer } from '../store/index.node.ts';
import { TesseraError } from '../text/index.ts';

export class CopyError extends TesseraError {
  readonly code = 'copy';
}

/**
 * `backup FILE`: copies the database while it is in use. The file appears once it is complete and checked, with FILE.sha256 beside it.
 * @throws CopyError if the file exists, or the copy cannot be written or is damaged
 */
export async function backupCommand(database: Pick<OpenDatabase, 'backup'>, file: string): Promise<string> {
  const target = resolve(file);
  if (existsSync(target)) throw new CopyError(`${file} is there already and is not overwritten.`);
  await withPartial(target, `${file} cannot be written`, async (partial) => {
    await checkedCopy(partial, (copy) => database.backup(copy), 'The copy');
    if (existsSync(target)) throw new CopyError(`${file} has been made meanwhile and is not overwritten.`);
    writeFileSync(`${target}.sha256`, `${await sumOf(partial)}  ${basename(target)}\n`, { mode: 0o600 });
    renameSync(partial, target);
  });
  return `${file}: ${statSync(target).size} bytes, checked.\n`;
}

/**
 * `restore FILE`: replaces the database by a checked copy of a backup. The next start migrates it.
 * @param file the backup
 * @param database path of the database
 * @param force replaces an existing database, unless a process has it open
 * @throws CopyError; NewerDatabaseError if a newer version made the backup
 */
export async function restoreCommand(file: string, database: string, { force = false } = {}): Promise<string> {
  const target = resolve(database);
  if (!existsSync(file)) throw new CopyError(`${file}: no such file.`);
  if (target === resolve(file)) throw new CopyError(`${file} is the database itself.`);
  if (existsSync(target) && !force) throw new CopyError(`${database} is there already; --force replaces it.`);
  const sum = `${file}.sha256`; // SQLite's own check is of the form, not of the texts
  const checked = existsSync(sum) ? 'checked' : `its form checked, without ${basename(sum)} not its bytes`;
  await withPartial(target, `${file} cannot be restored`, async (partial) => {
    makeFolder(dirname(target));
    const source = new BetterSqlite3(file, { readonly: true });
    try {
      if (!isTessera(source)) throw new CopyError(`${file} is no database of Tessera.`);
      refuseNewer(source, file);
      if (existsSync(sum) && !(await readFile(sum, 'utf8')).startsWith(await sumOf(file)))
        throw new CopyError(`${file} is damaged: it is not what ${sum} was written for.`);
      await checkedCopy(partial, (copy) => source.backup(copy), file);
    } finally {
      source.close();
    }
    putInPlace(partial, target, database);
  });
  return `${database}: ${statSync(target).size} bytes from ${file}, ${checked}.\n`;
}

/** Calls with the path of an unfinished copy, and removes that on failure. */
async function withPartial(target: string, failed: string, make: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${target}.partial`;
  try {
    await make(partial);
  } catch (cause) {
    removeCopy(partial);
    if (cause instanceof TesseraError) throw cause;
    throw new CopyError(`${failed}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function putInPlace(partial: string, target: string, database: string): void {
  const old = existsSync(target) ? new BetterSqlite3(target, { timeout: 0 }) : null;
  try {
    if (old !== null) lock(old, database);
    removeLogs(target); // beside the copy they would be taken for its own
    renameSync(partial, target);
  } finally {
    old?.close();
  }
}

/** Blocks all other processes from the old database, unless it is damaged. */
function lock(old: BetterSqlite3.Database, name: string): void {
  try {
    old.pragma('journal_mode = DELETE'); // fails as long as a process has it open
    old.exec('begin exclusive');
  } catch (cause) {
    const code = cause instanceof BetterSqlite3.SqliteError ? cause.code : '';
    if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return;
    if (!code.startsWith('SQLITE_BUSY')) throw cause;
    throw new CopyError(`${name} is in use: stop "tessera serve" and every "tessera work" first.`, { cause });
  }
}

/** @throws CopyError if SQLite finds the copy damaged */
async function checkedCopy(file: string, copy: (file: string) => Promise<unknown>, what: string): Promise<void> {
  removeCopy(file); // of a run that was interrupted
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 }); // it holds the texts of all tenants
  await copy(file);
  const copied = new BetterSqlite3(file);
  try {
    copied.pragma('journal_mode = DELETE');
    const finding = String(copied.pragma('integrity_check(1)', { simple: true }));
    if (finding !== 'ok') throw new CopyError(`${what} is damaged: ${finding}`);
  } finally {
    copied.close();
  }
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of (await open(file)).createReadStream()) hash.update(bytes);
  return hash.digest('hex');
}

function removeCopy(file: string): void {
  rmSync(file, { force: true });
  removeLogs(file);
}

function removeLogs(file: string): void {
  for (const end of ['-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}
