import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
import { NewerDatabaseError, StorageFullError } from './errors.ts';
import * as schema from './schema.ts';

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

/** SQLite's code of a failure, such as `SQLITE_FULL`; drizzle wraps it. */
function codeOf(failure: unknown): string | undefined {
  if (failure instanceof BetterSqlite3.SqliteError) return failure.code;
  return failure instanceof Error && failure.cause !== undefined ? codeOf(failure.cause) : undefined;
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
 * @throws NewerDatabaseError before anything is written; SQLite's error if the file cannot be opened or is no database
 */
export function openDatabase(file: string): OpenDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true });
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
