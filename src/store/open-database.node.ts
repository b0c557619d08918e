import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { is, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { SQLiteDeleteBase } from 'drizzle-orm/sqlite-core';
import { packageFile } from '../text/index.node.ts';
import { type Database, DEFAULT_TENANT } from './database.ts';
import { NewerDatabaseError, NotAFileError, StorageFullError } from './errors.ts';
import * as schema from './schema.ts';

/** Some 300,000 key points. */
const HELD = 256_000_000;

const MIGRATIONS = packageFile('migrations');

export function isTessera(sqlite: BetterSqlite3.Database): boolean {
  const tables =
    "select count(*) from sqlite_master where type = 'table' and name in ('__drizzle_migrations', 'digests')";
  return sqlite.prepare(tables).pluck().get() === 2;
}

/**
 * The schema version is the number of applied migrations.
 *
 * @param file for the message
 * @throws NewerDatabaseError if migrations were applied that this version does not know
 */
export function refuseNewer(sqlite: BetterSqlite3.Database, file: string): void {
  if (!isTessera(sqlite)) return;
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  const applied = sqlite.prepare('select count(*), max(created_at) from __drizzle_migrations').raw().get();
  const [schema, last] = applied as [number, number]; // there is one row, of these two
  if (last > known[known.length - 1].folderMillis) throw new NewerDatabaseError(file, schema, known.length);
}

/** Milliseconds for which a commit waits for another process that writes. */
const PATIENCE = 60_000;

/** Allocates pages and frees them. */
const TRIAL = 'create table trial (bytes); insert into trial values (zeroblob(65536)); drop table trial;';

/** Bytes beside the file that deletions may use on a full disk: more than the log of the database grows to. */
const RESERVE = 8 * 1024 * 1024;

function keepReserve(file: string): void {
  try {
    if (!existsSync(file)) writeFileSync(file, Buffer.alloc(RESERVE), { mode: 0o600 });
  } catch {
    rmSync(file, { force: true }); // half of it is of no use
  }
}

/** Retries while another process writes. */
async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE; ; ) {
    try {
      return await work();
    } catch (failure) {
      if (!isBusy(failure) || performance.now() > until) throw failure;
      await pause(25); // others are served between two tries
    }
  }
}

function isBusy(failure: unknown): boolean {
  return codeOf(failure)?.startsWith('SQLITE_BUSY') === true;
}

/** SQLite's code of a failure, such as `SQLITE_FULL`, or the system's; drizzle wraps it. */
function codeOf(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  return codeOf(failure.cause) ?? ('code' in failure && typeof failure.code === 'string' ? failure.code : undefined);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'its folder does not exist and cannot be created',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  SQLITE_BUSY: 'another process is using it',
  SQLITE_CORRUPT: 'it is damaged',
  SQLITE_FULL: 'the disk is full',
  SQLITE_NOTADB: 'it is a file of another kind',
  SQLITE_READONLY: 'this user may not write there',
};

/** Why `openDatabase` failed, in a few words. */
export function whyNotOpened(failure: unknown): string {
  if (failure instanceof NotAFileError) return failure.message;
  const code = codeOf(failure) ?? 'unknown error';
  return REASONS[code] ?? REASONS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''] ?? code;
}

/** Creates missing parents too. Node's own `recursive` never returns in /proc, where nothing can be created. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (failure) {
    if (!existsSync(folder)) throw failure; // otherwise another process was faster
  }
}

export interface OpenDatabase extends Database {
  /** Writes a snapshot to a file while others read and write. */
  backup(file: string): Promise<void>;
  /**
   * Resolves if the database can be read and, after a write that found no room, be written.
   *
   * @throws StorageFullError if there is still no room
   */
  ready(): Promise<void>;
  /** Frees the space of deleted rows, so that no trace of them is left in the file. */
  compact(): void;
  close(): void;
}

/**
 * Opens the SQLite file, creating it and its folder if missing, and applies the migrations.
 *
 * @param file path, or `:memory:`
 * @throws NewerDatabaseError before anything is written; NotAFileError; the error of SQLite or of the system if the file cannot be
 * opened or is no database (`whyNotOpened`)
 */
export function openDatabase(file: string): OpenDatabase {
  if (file !== ':memory:') {
    // To open a pipe would wait for its other end.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new NotAFileError();
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600)); // it holds the texts of all tenants; SQLite gives its logs the same mode
  }
  const sqlite = new BetterSqlite3(file); // which waits for seconds while another process migrates
  try {
    refuseNewer(sqlite, file);
  } catch (failure) {
    sqlite.close();
    throw failure;
  }
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL'); // NORMAL may drop the last commits when the power fails
  const query = drizzle(sqlite, { schema });
  // Migrations that recreate a table drop it, which would cascade.
  sqlite.pragma('foreign_keys = OFF');
  migrate(query, { migrationsFolder: MIGRATIONS });
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 0'); // from here on who waits does so without holding up the event loop
  let isFull = false;
  const reserve = file === ':memory:' ? null : `${file}-reserve`;
  if (reserve !== null) keepReserve(reserve);
  /** Executes a write, and remembers if there was no room for it. Then its log begins anew, and a deletion may fill the reserve. */
  async function written<T>(work: () => Promise<T>, mayFill = () => false): Promise<T> {
    try {
      return await untilFree(work);
    } catch (failure) {
      if (codeOf(failure) !== 'SQLITE_FULL') throw failure;
    }
    isFull = true;
    const lent = mayFill() ? reserve : null;
    if (lent !== null) rmSync(lent, { force: true });
    try {
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
      const result = await untilFree(work);
      if (lent !== null) sqlite.pragma('wal_checkpoint(TRUNCATE)');
      return result;
    } catch (failure) {
      throw codeOf(failure) === 'SQLITE_FULL' ? new StorageFullError(failure) : failure;
    } finally {
      if (lent !== null) keepReserve(lent);
    }
  }
  return {
    tenant: DEFAULT_TENANT,
    query,
    async commit(statements) {
      // Statements of this driver have `run`; the shared type has only what D1 needs.
      const write = sqlite.transaction(() => {
        for (const statement of statements) (statement as unknown as { run(): unknown }).run();
      });
      // Immediate: a transaction that begins by reading may fail to write while other processes do.
      await written(async () => write.immediate());
    },
    write: (statement) =>
      written(
        async () => statement(),
        () => is(statement(), SQLiteDeleteBase),
      ),
    async ready() {
      query.run(sql`select 1`);
      if (!isFull) return;
      // Only new pages prove that there is room.
      await written(async () => sqlite.transaction(() => sqlite.exec(TRIAL)).immediate());
      isFull = false;
    },
    now: () => Date.now(),
    heldBytes: HELD,
    async backup(target) {
      // In one step: any write in between restarts the backup.
      await sqlite.backup(target, { progress: () => 0x7fffffff });
    },
    compact() {
      sqlite.exec('VACUUM');
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => sqlite.close(),
  };
}
