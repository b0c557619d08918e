import { type ApiKey, createKey, InvalidApiKeyError, listKeys, revokeKey } from '../store/api-keys.ts';
import { type Connection, DEFAULT_TENANT } from '../store/database.ts';
import { SCOPES, type Scope } from '../store/scopes.ts';
import { TesseraError } from '../tessera-error.ts';

/** There is no key with the id that was given. */
export class UnknownKeyError extends TesseraError {
  readonly code = 'unknown-key';
}

/** What a command prints: the key alone on standard output, so that it can be piped, and what it is on standard error. */
export interface CreatedKeyText {
  readonly out: string;
  readonly note: string;
}

/**
 * `keys create`
 *
 * @param values.scopes separated by commas; digests and experiments where absent
 * @throws InvalidApiKeyError
 */
export async function createKeyCommand(
  database: Connection,
  values: {
    readonly name?: string | undefined;
    readonly tenant?: string | undefined;
    readonly scopes?: string | undefined;
  },
): Promise<CreatedKeyText> {
  if (values.name === undefined) throw new InvalidApiKeyError('Name the key: --name NAME.');
  const { key, id, tenant, scopes } = await createKey(database, {
    tenant: values.tenant ?? DEFAULT_TENANT,
    name: values.name,
    scopes: values.scopes === undefined ? ['digests', 'experiments'] : scopesOf(values.scopes),
  });
  const note = `Key ${id} of tenant ${tenant} for ${scopes.join(', ')}. It is shown this once; only a hash of it is kept.\n`;
  return { out: `${key}\n`, note };
}

/** `keys list` */
export async function listKeysCommand(
  database: Connection,
  values: { readonly tenant?: string | undefined } = {},
): Promise<string> {
  const keys = await listKeys(database, values.tenant);
  if (keys.length === 0) return 'There are no keys.\n';
  return printTable(['id', 'tenant', 'name', 'key', 'scopes', 'created', 'last used', 'revoked'], keys.map(lineOf));
}

/**
 * `keys revoke ID`
 *
 * @throws UnknownKeyError
 */
export async function revokeKeyCommand(database: Connection, id: string): Promise<string> {
  if (!(await revokeKey(database, id)))
    throw new UnknownKeyError(`There is no key ${id}; "tessera keys list" shows all.`);
  return `${id} is revoked; a service that runs refuses it within 5 seconds.\n`;
}

/** Rows in columns under a heading. */
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
  return [id, tenant, name, `${shown}…`, scopes.join(','), day(key.createdAt), day(key.lastUsedAt), day(key.revokedAt)];
}

function day(time: number | null): string {
  return time === null ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`;
}

function scopesOf(text: string): Scope[] {
  return text.split(',').map((given) => {
    const scope = SCOPES.find((known) => known === given.trim());
    if (scope === undefined) throw new InvalidApiKeyError(`"${given}" is no scope; there are ${SCOPES.join(', ')}.`);
    return scope;
  });
}
