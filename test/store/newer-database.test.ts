import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { NewerDatabaseError } from '../../src/store/errors.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const journal = readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
const KNOWN: { when: number }[] = JSON.parse(journal).entries;
const LAST = KNOWN[KNOWN.length - 1].when;

/** A database with one migration more than this version has, applied at a time. */
function migratedAt(when: number): string {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  openDatabase(file).close();
  const sqlite = new BetterSqlite3(file);
  sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('unknown', when);
  sqlite.pragma('journal_mode = DELETE');
  sqlite.close();
  return file;
}

test('a database that a newer version migrated is refused with both schemas, and not touched', () => {
  const file = migratedAt(LAST + 1);
  const before = readFileSync(file);
  expect(() => openDatabase(file)).toThrow(NewerDatabaseError);
  expect(() => openDatabase(file)).toThrow(
    `"${file}" has schema ${KNOWN.length + 1}, made by a newer Tessera, and this one knows schemas up to ${KNOWN.length}: `,
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('one that has what this version has is opened', () => {
  openDatabase(migratedAt(LAST)).close();
});
