import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { Database } from './database.ts';
import * as schema from './schema.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

export interface OpenDatabase extends Database {
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
  const sqlite = new BetterSqlite3(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL'); // NORMAL may drop the last commits when the power fails
  sqlite.pragma('foreign_keys = ON');
  const query = drizzle(sqlite, { schema });
  migrate(query, { migrationsFolder: MIGRATIONS });
  return {
    query,
    async commit(statements) {
      // Statements of this driver run at once and have `run`; the shared type knows only what D1 needs.
      sqlite.transaction(() => {
        for (const statement of statements) (statement as unknown as { run(): unknown }).run();
      })();
    },
    now: () => Date.now(),
    close: () => sqlite.close(),
  };
}
