import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isTessera, refuseNewer } from '../store/index.node.ts';
import { TesseraError } from '../text/index.ts';
import { checkedCopy, removeCopy, removeLogs } from './checked-copy.node.ts';

/** A backup was not restored; the database is as it was. */
export class RestoreError extends TesseraError {
  readonly code = 'restore';
}

/**
 * `restore FILE`: puts a copy of a backup in the place of the database, once it is whole and checked. The next start migrates it.
 *
 * @param file the backup
 * @param database path of the database
 * @param force whether one that is there is replaced, unless a process has it open
 * @throws RestoreError, and NewerDatabaseError where a newer version made the backup
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
    removeLogs(target); // they belong to what goes; beside the copy they would be taken for its own
    renameSync(partial, target);
  } finally {
    old?.close();
  }
}

/** Nobody else can open the old database from here on, unless it is too damaged for anybody to. */
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
