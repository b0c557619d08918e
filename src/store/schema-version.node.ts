import type { Database } from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { packageFile } from '../text/index.node.ts';
import { TesseraError } from '../text/index.ts';

/** The migrations that this version knows. */
export const MIGRATIONS = packageFile('migrations');

/** A database was migrated by a version of Tessera that came after this one. */
export class NewerDatabaseError extends TesseraError {
  readonly code = 'newer-database';

  constructor(file: string, schema: number, known: number) {
    super(
      `"${file}" has schema ${schema}, made by a newer Tessera, and this one knows schemas up to ${known}: start the newer one, or restore a backup from before the upgrade.`,
    );
  }
}

/** Whether an SQLite database is one of Tessera's. */
export function isTessera(sqlite: Database): boolean {
  const tables =
    "select count(*) from sqlite_master where type = 'table' and name in ('__drizzle_migrations', 'digests')";
  return sqlite.prepare(tables).pluck().get() === 2;
}

/**
 * A schema counts the migrations that made it.
 *
 * @param file how the failure names it
 * @throws NewerDatabaseError where migrations were applied that this version does not know
 */
export function refuseNewer(sqlite: Database, file: string): void {
  if (!isTessera(sqlite)) return;
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS });
  const applied = sqlite.prepare('select count(*), max(created_at) from __drizzle_migrations').raw().get();
  const [schema, last] = applied as [number, number]; // there is one row, of these two
  if (last > known[known.length - 1].folderMillis) throw new NewerDatabaseError(file, schema, known.length);
}
