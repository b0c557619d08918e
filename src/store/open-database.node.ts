import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { packageFile } from '../text/index.node.ts';
import { type Database, DEFAULT_TENANT } from './database.ts';
import * as schema from './schema.ts';

const MIGRATIONS = packageFile('migrations');

/** Milliseconds for which a commit tries again while another process writes, for example clears away. */
const PATIENCE = 60_000;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 25));
}

/** Does work again as long as another process is writing. */
async function untilFree<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE; ; ) {
    try {
      return await work();
    } catch (failure) {
      if (!isBusy(failure) || performance.now() > until) throw failure;
      await pause(); // others are served between two tries
    }
  }
}

function isBusy(failure: unknown): boolean {
  if (failure instanceof BetterSqlite3.SqliteError) return failure.code.startsWith('SQLITE_BUSY');
  return failure instanceof Error && failure.cause !== undefined && isBusy(failure.cause); // drizzle wraps it
}

export interface OpenDatabase extends Database {
  /** Writes a copy as of now to a file, while others read and write. */
  backup(file: string): Promise<void>;
  /** Gives the space of what was deleted back, so that nothing of it is left in the file. */
  compact(): void;
  close(): void;
}

/**
 * Opens the SQLite file, made with its folder where it is missing, and applies the migrations.
 *
 * @param file path, or `:memory:`
 * @throws where the file cannot be opened or is no database
 */
export function openDatabase(file: string): OpenDatabase {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const sqlite = new BetterSqlite3(file); // which waits for seconds while another process migrates
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL'); // NORMAL may drop the last commits when the power fails
  const query = drizzle(sqlite, { schema });
  // A table that is made anew is dropped, which would take the rows that refer to it along.
  sqlite.pragma('foreign_keys = OFF');
  migrate(query, { migrationsFolder: MIGRATIONS });
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 0'); // from here on who waits does so without holding up the event loop
  return {
    tenant: DEFAULT_TENANT,
    query,
    async commit(statements) {
      // Statements of this driver run at once and have `run`; the shared type knows only what D1 needs.
      const write = sqlite.transaction(() => {
        for (const statement of statements) (statement as unknown as { run(): unknown }).run();
      });
      // Other processes write as well: who begins by reading may not write later.
      await untilFree(async () => write.immediate());
    },
    write: (statement) => untilFree(async () => statement()),
    now: () => Date.now(),
    async backup(target) {
      // In one go: where it takes turns with other writers, each of them makes it begin again.
      await sqlite.backup(target, { progress: () => 0x7fffffff });
    },
    compact() {
      sqlite.exec('VACUUM');
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
    },
    close: () => sqlite.close(),
  };
}
