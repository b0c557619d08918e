import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { OpenDatabase } from '../../store/index.node.ts';
import { TesseraError } from '../../text/index.ts';

/** A backup was not made; nothing of it is left behind. */
export class BackupError extends TesseraError {
  readonly code = 'backup';
}

/**
 * `backup FILE`: a copy as of now, while others read and write. It comes to its name only when it is whole and checked.
 *
 * @throws BackupError where there is such a file already, or the copy cannot be written or is damaged
 */
export async function backupCommand(database: Pick<OpenDatabase, 'backup'>, file: string): Promise<string> {
  const target = resolve(file);
  if (existsSync(target)) throw new BackupError(`${file} is there already and is not overwritten.`);
  const partial = `${target}.partial`;
  try {
    remove(partial); // of a backup that was interrupted
    writeFileSync(partial, '', { flag: 'wx', mode: 0o600 }); // it holds the texts of all tenants
    await database.backup(partial);
    const finding = checkCopy(partial);
    if (finding !== 'ok') throw new BackupError(`The copy is damaged: ${finding}`);
    if (existsSync(target)) throw new BackupError(`${file} has been made meanwhile and is not overwritten.`);
    renameSync(partial, target);
  } catch (cause) {
    remove(partial);
    if (cause instanceof BackupError) throw cause;
    throw new BackupError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return `${file}: ${statSync(target).size} bytes, checked.\n`;
}

/** What SQLite finds wrong with a copy, or `ok`; makes it one file that needs none beside it. */
function checkCopy(file: string): string {
  const copy = new BetterSqlite3(file);
  try {
    copy.pragma('journal_mode = DELETE');
    return String(copy.pragma('integrity_check(1)', { simple: true }));
  } finally {
    copy.close();
  }
}

function remove(file: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}
