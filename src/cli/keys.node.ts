import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { textTable } from '../lab/index.ts';
import {
  type Connection,
  createKey,
  DEFAULT_TENANT,
  InvalidApiKeyError,
  listKeys,
  revokeKey,
  SCOPES,
  type Scope,
  schema,
} from '../store/index.ts';
import { TesseraError } from '../text/index.ts';
import { UsageError } from './command.node.ts';

export class UnknownKeyError extends TesseraError {
  readonly code = 'unknown-key';
}

interface KeyFlags {
  readonly name: string;
  readonly tenant?: string | undefined;
  /** Comma-separated. */
  readonly scopes?: string | undefined;
}

/**
 * `keys create`
 * @returns `out` for standard output, which can be piped: the key alone; `note` for standard error
 * @throws UsageError
 */
export async function createKeyCommand(
  database: Connection,
  { name, tenant = DEFAULT_TENANT, scopes = 'digests,experiments' }: KeyFlags,
): Promise<{ readonly out: string; readonly note: string }> {
  const wanted = { tenant, name, scopes: scopes.split(',').map(scopeOf) };
  const made = await createKey(database, wanted).catch((cause: unknown) => {
    throw cause instanceof InvalidApiKeyError ? new UsageError(cause.message, { cause }) : cause;
  });
  const about = `Key ${made.id} of tenant ${made.tenant} for ${made.scopes.join(', ')}.`;
  return { out: `${made.key}\n`, note: `${about} It is shown this once; only a hash of it is kept.\n` };
}

/**
 * `keys create --sql`: SQL that creates a key in a database that this process cannot open, for `wrangler d1 execute
 * DATABASE --remote --file FILE`. It also creates a missing tenant with its webhook secret: anyone who can read the SQL
 * can sign webhooks.
 * @returns `out`: the SQL; `note`: the key, which is good when the SQL has run
 * @throws UsageError
 */
export async function createKeySql(flags: KeyFlags): ReturnType<typeof createKeyCommand> {
  const database = sqlConnection();
  const { out: key, note } = await createKeyCommand(database, flags);
  return { out: database.written(), note: `${key}${note}It is good when the SQL has run.\n` };
}

export async function listKeysCommand(database: Connection, tenant?: string): Promise<string> {
  const keys = await listKeys(database, tenant);
  if (keys.length === 0) return 'There are no keys.';
  const heads = ['id', 'tenant', 'name', 'key', 'scopes', 'created', 'last used', 'revoked'];
  const rows = keys.map(({ id, shown, scopes, createdAt, lastUsedAt, revokedAt, ...key }) => [
    ...[id, key.tenant, key.name, `${shown}…`, scopes.join(',')],
    ...[createdAt, lastUsedAt, revokedAt].map(minute),
  ]);
  return textTable(heads, rows, heads.length);
}

/** `keys revoke` @throws UnknownKeyError */
export async function revokeKeyCommand(database: Connection, id: string): Promise<string> {
  if (!(await revokeKey(database, id)))
    throw new UnknownKeyError(`There is no key ${id}; "tessera keys list" shows all.`);
  return `${id} is revoked; a service that runs refuses it within 5 seconds.`;
}

function minute(time: number | null): string {
  return time === null ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function scopeOf(given: string): Scope {
  const scope = SCOPES.find((known) => known === given.trim());
  if (scope === undefined) throw new UsageError(`"${given}" is no scope; there are ${SCOPES.join(', ')}.`);
  return scope;
}

/**
 * Turns commits into SQL for a database that this process cannot open, and rejects queries and direct writes.
 * `written` returns the statements so far with their values, one per line.
 */
export function sqlConnection(): Connection & { written(): string } {
  const dialect = new SQLiteAsyncDialect();
  const lines: string[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('the database is elsewhere');
  };
  return {
    query: drizzle(refuse, { schema }),
    async commit(statements) {
      for (const statement of statements) {
        // Drizzle statements have `getSQL`; the shared type has only what D1 needs.
        const made = (statement as unknown as { getSQL(): SQL }).getSQL();
        lines.push(dialect.sqlToQuery(made.inlineParams()).sql);
      }
    },
    write: refuse,
    now: () => Date.now(),
    written: () => lines.map((line) => `${line};\n`).join(''),
  };
}
