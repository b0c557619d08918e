import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { and, asc, eq, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { type Connection, wrote } from './database.ts';
import { InvalidApiKeyError } from './errors.ts';
import { apiKeys, tenants } from './schema.ts';
import { newWebhookSecret } from './webhooks.ts';

export const SCOPES = ['digests', 'experiments', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Enough base-62 digits for 256 bits. */
const SECRET_DIGITS = 43;
/** Enough base-62 digits for 32 bits. */
const CHECKSUM_DIGITS = 6;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `tsr_`, 43 digits, `_`, 6 digits of checksum. Secret scanners may look for it. */
export const API_KEY_PATTERN = /^tsr_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;

/** A key of 32 random bytes. */
export function makeApiKey(secret: Uint8Array = crypto.getRandomValues(new Uint8Array(32))): string {
  const rest = `tsr_${base62(BigInt(`0x${bytesToHex(secret)}`), SECRET_DIGITS)}_`;
  return rest + checksum(rest);
}

/** Whether a text has the form and checksum of a key, so that mistyped keys need no look at the database. Its time reveals no secret. */
export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_DIGITS)));
}

/** The stored form of a key: SHA-256 as 64 hex digits. With 256 random bits, a key cannot be guessed from it. */
export function hashApiKey(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key)));
}

function checksum(text: string): string {
  return base62(BigInt(crc32(utf8ToBytes(text))), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

type ApiKey = Readonly<Omit<typeof apiKeys.$inferSelect, 'hash' | 'scopes'>> & {
  readonly scopes: readonly Scope[];
};

export type NewApiKey = Pick<ApiKey, 'tenant' | 'name' | 'scopes'>;

/** Tenant names appear in metrics and in tables on terminals. */
const TENANT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const KEY_NAME = /^\P{C}{1,100}$/u;

/** Min milliseconds between two updates of `lastUsedAt`. */
const NOTE_EVERY = 60_000;

/** Owner of the revoked key that `deleteTenant` leaves if no other has keys, so that the service stays closed. No tenant has this name. */
export const NOBODY = '';

/**
 * Creates an API key, and its tenant if new. Returns the row, and the key, which is not stored.
 *
 * @throws InvalidApiKeyError
 */
export async function createKey(
  { query, commit, now }: Connection,
  { tenant, name, scopes }: NewApiKey,
): Promise<ApiKey & { readonly key: string }> {
  if (!TENANT_NAME.test(tenant)) {
    throw new InvalidApiKeyError(
      'A tenant has 1 to 63 letters, digits, dots, hyphens or underscores, a letter or digit first.',
    );
  }
  if (!KEY_NAME.test(name) || name.trim() === '')
    throw new InvalidApiKeyError('A key has a name of 1 to 100 characters on one line.');
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || scopes.some((scope) => !SCOPES.includes(scope))) {
    throw new InvalidApiKeyError(`A key has one or more of the scopes ${SCOPES.join(', ')}.`);
  }
  const key = makeApiKey();
  const id = `key_${crypto.randomUUID().replaceAll('-', '')}`;
  const createdAt = now();
  const row = { id, tenant, name, shown: key.slice(0, 12), createdAt, revokedAt: null, lastUsedAt: null };
  const ofTenant = { tenant, webhookSecret: newWebhookSecret(), createdAt };
  await commit([
    query.insert(tenants).values(ofTenant).onConflictDoNothing(),
    query.insert(apiKeys).values({ ...row, hash: hashApiKey(key), scopes: JSON.stringify(known) }),
  ]);
  return { ...row, scopes: known, key };
}

/** Keys of a tenant, or of all, oldest first, including revoked ones. */
export async function listKeys({ query }: Connection, tenant?: string): Promise<ApiKey[]> {
  const rows = await query
    .select()
    .from(apiKeys)
    .where(tenant === undefined ? ne(apiKeys.tenant, NOBODY) : eq(apiKeys.tenant, tenant))
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id));
  return rows.map(read);
}

/** Revokes a key. False if there is none with this id. */
export async function revokeKey(connection: Connection, id: string): Promise<boolean> {
  const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${connection.now()})`;
  const meant = and(eq(apiKeys.id, id), ne(apiKeys.tenant, NOBODY));
  return wrote(connection, connection.query.update(apiKeys).set({ revokedAt }).where(meant));
}

/** The row of a valid key, or undefined. */
export async function findKey({ query }: Connection, key: string): Promise<ApiKey | undefined> {
  if (!isApiKey(key)) return undefined;
  const [row] = await query
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hashApiKey(key)), isNull(apiKeys.revokedAt)));
  return row && read(row);
}

/** Whether a key that was found by its text has not been revoked since. */
export async function isKeyValid({ query }: Connection, id: string): Promise<boolean> {
  return (await query.$count(apiKeys, and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))) > 0;
}

export async function noteKeyUse({ query, commit, now }: Connection, { id, lastUsedAt }: ApiKey): Promise<void> {
  const time = now();
  if (lastUsedAt !== null && lastUsedAt > time - NOTE_EVERY) return;
  // Another process may have updated it since the row was read.
  const due = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, time - NOTE_EVERY));
  await commit([
    query
      .update(apiKeys)
      .set({ lastUsedAt: time })
      .where(and(eq(apiKeys.id, id), due)),
  ]);
}

/** Whether a key was ever created: a service whose last key was revoked is closed, not open. */
export async function hasKeys({ query }: Connection): Promise<boolean> {
  return (await query.select({ id: apiKeys.id }).from(apiKeys).limit(1)).length > 0;
}

function read({ hash: _, scopes, ...row }: typeof apiKeys.$inferSelect): ApiKey {
  // Another version of Tessera may have other scopes.
  const stored: unknown[] = JSON.parse(scopes);
  return { ...row, scopes: SCOPES.filter((scope) => stored.includes(scope)) };
}
