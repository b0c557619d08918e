import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import {
  type ApiKey,
  type Connection,
  createKey,
  DEFAULT_TENANT,
  InvalidApiKeyError,
  listKeys,
  type NewApiKey,
  revokeKey,
  SCOPES,
  type Scope,
  schema,
} from '../store/index.ts';
import { TesseraError } from '../text/index.ts';

export class UnknownKeyError extends TesseraError {
  readonly code = 'unknown-key';
}

/** For standard output, which can be piped (the key alone, or the SQL), and for standard error. */
interface CreatedKeyText {
  readonly out: string;
  readonly note: string;
}

interface KeyFlags {
  readonly name: string;
  readonly tenant?: string | undefined;
  /** Comma-separated; digests and experiments by default. */
  readonly scopes?: string | undefined;
}

/** `keys create` @throws InvalidApiKeyError */
export async function createKeyCommand(database: Connection, flags: KeyFlags): Promise<CreatedKeyText> {
  const { key, ...made } = await createKey(database, keyOf(flags));
  return { out: `${key}\n`, note: `${about(made)} It is shown this once; only a hash of it is kept.\n` };
}

/**
 * `keys create --sql`: SQL that creates a key in a database that this process cannot open, for `wrangler d1 execute
 * DATABASE --remote --file FILE`. It also creates a missing tenant with its webhook secret: anyone who can read the SQL
 * can sign webhooks.
 * @throws InvalidApiKeyError
 */
export async function createKeySql(flags: KeyFlags): Promise<CreatedKeyText> {
  const database = sqlConnection();
  const { key, ...made } = await createKey(database, keyOf(flags));
  const note = `${about(made)} It is shown this once, and good when the SQL has run; only a hash of it is in there.\n`;
  return { out: database.written(), note: `${key}\n${note}` };
}

function keyOf({ name, tenant = DEFAULT_TENANT, scopes }: KeyFlags): NewApiKey {
  return { tenant, name, scopes: scopes === undefined ? ['digests', 'experiments'] : scopesOf(scopes) };
}

function about({ id, tenant, scopes }: ApiKey): string {
  return `Key ${id} of tenant ${tenant} for ${scopes.join(', ')}.`;
}

export async function listKeysCommand(database: Connection, tenant?: string): Promise<string> {
  const keys = await listKeys(database, tenant);
  if (keys.length === 0) return 'There are no keys.\n';
  return printTable(['id', 'tenant', 'name', 'key', 'scopes', 'created', 'last used', 'revoked'], keys.map(lineOf));
}

/** `keys revoke` @throws UnknownKeyError */
export async function revokeKeyCommand(database: Connection, id: string): Promise<string> {
  if (!(await revokeKey(database, id)))
    throw new UnknownKeyError(`There is no key ${id}; "tessera keys list" shows all.`);
  return `${id} is revoked; a service that runs refuses it within 5 seconds.\n`;
}

export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column]))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function lineOf(key: ApiKey): string[] {
  const { id, tenant, name, shown, scopes } = key;
  return [
    id,
    tenant,
    name,
    `${shown}…`,
    scopes.join(','),
    minute(key.createdAt),
    minute(key.lastUsedAt),
    minute(key.revokedAt),
  ];
}

function minute(time: number | null): string {
  return time === null ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function scopesOf(text: string): Scope[] {
  return text.split(',').map((given) => {
    const scope = SCOPES.find((known) => known === given.trim());
    if (scope === undefined) throw new InvalidApiKeyError(`"${given}" is no scope; there are ${SCOPES.join(', ')}.`);
    return scope;
  });
}

/** Turns commits into SQL for a database that this process cannot open. */
interface SqlConnection extends Connection {
  /** The statements so far with their values, one per line. */
  written(): string;
}

/** Rejects queries and direct writes: a remote database cannot be read. */
export function sqlConnection(): SqlConnection {
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
