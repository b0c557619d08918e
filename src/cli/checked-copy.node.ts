import { rmSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

/**
 * Copies a database to a file, and checks the copy; makes it one file that needs none beside it.
 *
 * @param copy writes the copy to an empty file, which is there
 * @returns what SQLite finds wrong with it, or `ok`
 */
export async function checkedCopy(file: string, copy: (file: string) => Promise<unknown>): Promise<string> {
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

/** Removes a database with what SQLite keeps beside it. */
export function removeCopy(file: string): void {
  rmSync(file, { force: true });
  removeLogs(file);
}

/** Removes what SQLite keeps beside a database. */
export function removeLogs(file: string): void {
  for (const end of ['-journal', '-wal', '-shm']) rmSync(file + end, { force: true });
}
