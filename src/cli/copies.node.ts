import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isTessera, type OpenDatabase, refuseNewer } from '../store/index.node.ts';
import { TesseraError } from '../text/index.ts';

export class BackupError extends TesseraError {
  readonly code = 'backup';
}

/**
 * `backup FILE`: copies the database while it is in use. The file appears once it is complete and checked.
 * @throws BackupError if the file exists, or the copy cannot be written or is damaged
 */
export async function backupCommand(database: Pick<OpenDatabase, 'backup'>, file: string): Promise<string> {
  const target = resolve(file);
  if (existsSync(target)) throw new BackupError(`${file} is there already and is not overwritten.`);
  const partial = `${target}.partial`;
  try {
    const finding = await checkedCopy(partial, (copy) => database.backup(copy));
    if (finding !== 'ok') throw new BackupError(`The copy is damaged: ${finding}`);
    if (existsSync(target)) throw new BackupError(`${file} has been made meanwhile and is not overwritten.`);
    renameSync(partial, target);
  } catch (cause) {
    removeCopy(partial);
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return `${file}: ${statSync(target).size} bytes, checked.\n`;
}

export class RestoreError extends TesseraError {
  readonly code = 'restore';
}

/**
 * `restore FILE`: replaces the database by a checked copy of a backup. The next start migrates it.
 * @param file the backup
 * @param database path of the database
 * @param force replaces an existing database, unless a process has it open
 * @throws RestoreError; NewerDatabaseError if a newer version made the backup
 */
export async function restoreCommand(file: string, database: string, { force = false } = {}): Promise<string> {
  const target = resolve(database);
  if (!existsSync(file)) throw new RestoreError(`${file}: no such file.`);
  if (target === resolve(file)) throw new RestoreError(`${file} is the database itself.`);
  if (existsSync(target) && !force) throw new RestoreError(`${database} is there already; --force replaces it.`);
  const partial = `${target}.partial`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    const finding = await copyBackup(file, partial);
    if (finding !== 'ok') throw new RestoreError(`${file} is damaged: ${finding}`);
    putInPlace(partial, target, database);
  } catch (cause) {
    removeCopy(partial);
    if (cause instanceof TesseraError) throw cause;
    throw new RestoreError(`${file} cannot be restored: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return `${database}: ${statSync(target).size} bytes from ${file}, checked.\n`;
}

async function copyBackup(file: string, partial: string): Promise<string> {
  const source = new BetterSqlite3(file, { readonly: true });
  try {
    if (!isTessera(source)) throw new RestoreError(`${file} is no database of Tessera.`);
    refuseNewer(source, file);
    return await checkedCopy(partial, (copy) => source.backup(copy, { progress: () => 0x7fffffff }));
  } finally {
    source.close();
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
    throw new RestoreError(`${name} is in use: stop "tessera serve" and every "tessera work" first.`, { cause });
  }
}

/** @returns `ok`, or the problems that SQLite finds in the copy */
async function checkedCopy(file: string, copy: (file: string) => Promise<unknown>): Promise<string> {
  removeCopy(file); // of a run that was interrupted
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 }); // it holds the texts of all tenants
  await copy(file);
  const copied = new BetterSqlite3(file);
  try {
    copied.pragma('journal_mode = DELETE');
    return String(copied.pragma('integrity_check(1)', { simple: true }));
  } finally {
    copied.close();
  }
}

function removeCopy(file: string): void {
  rmSync(file, { force: true });
  removeLogs(file);
}

function removeLogs(file: string): void {
  for (const end of ['-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}
