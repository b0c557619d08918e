import { and, eq, isNull, lt, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Database, wrote } from './database.ts';
import { fitsRow } from './rows.ts';
import { idempotencyKeys } from './schema.ts';

/** How long an answer is replayed. */
export const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The answer to a request with a key. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if it is the answer of the digest that the request created. */
  readonly body: string | null;
}

interface IdempotentRequest {
  readonly fingerprint: string;
  readonly digestId: string | null;
  readonly answer: KeptAnswer | null;
  /** Whether it is being handled. */
  readonly isInFlight: boolean;
}

/**
 * Takes a key for `lock` milliseconds if it is new, expired, or its owner is gone: then null, else the known request. One statement, so that of
 * two concurrent requests one gets it.
 */
export async function takeKey(
  database: Database,
  key: string,
  fingerprint: string,
  owner: string,
  lock: number,
): Promise<IdempotentRequest | null> {
  const { query, tenant, now } = database;
  const time = now();
  const lease = { owner, lockedUntil: time + lock };
  const fresh = { ...lease, fingerprint, createdAt: time, digestId: null, status: null, headers: null, body: null };
  const insert = query
    .insert(idempotencyKeys)
    .values({ tenant, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.tenant, idempotencyKeys.key],
      set: fresh,
      setWhere: lt(idempotencyKeys.createdAt, time - KEPT_MILLISECONDS),
    });
  if (await wrote(database, insert)) return null;
  const [row] = await query.select().from(idempotencyKeys).where(at(database, key));
  if (row === undefined) return takeKey(database, key, fingerprint, owner, lock); // given back meanwhile
  const { status, headers, body, lockedUntil, digestId } = row;
  const known: IdempotentRequest = {
    fingerprint: row.fingerprint,
    digestId,
    answer: status === null ? null : { status, headers: JSON.parse(headers ?? '{}'), body },
    isInFlight: status === null && lockedUntil > time,
  };
  if (known.answer !== null || known.isInFlight || row.fingerprint !== fingerprint) return known;
  const asRead = and(isNull(idempotencyKeys.status), eq(idempotencyKeys.lockedUntil, lockedUntil));
  const reclaim = update(database, lease, and(at(database, key), asRead));
  if (!(await wrote(database, reclaim))) return { ...known, isInFlight: true };
  return digestId === null ? null : known;
}

/** A statement that binds the request to its digest; committed with it, so that a repeated request creates no other. */
export function bindKey(database: Database, key: string, owner: string, digestId: string): BatchItem<'sqlite'> {
  return update(database, { digestId }, held(database, key, owner));
}

export async function renewKey(database: Database, key: string, owner: string, lock: number): Promise<void> {
  const lockedUntil = database.now() + lock;
  await database.commit([update(database, { lockedUntil }, held(database, key, owner))]);
}

/** Stores the answer for repeated requests. If it is too long for a row, the key is released, and a repeated request is handled again. */
export async function keepAnswer(database: Database, key: string, owner: string, answer: KeptAnswer): Promise<void> {
  const headers = JSON.stringify(answer.headers);
  if (!fitsRow(headers, answer.body ?? '')) return giveKeyBack(database, key, owner);
  await database.commit([update(database, { ...answer, headers, ...RELEASED }, held(database, key, owner))]);
}

/** Releases a key without an answer: deleted if the request created nothing, open for the same request if it created a digest. */
export async function giveKeyBack(database: Database, key: string, owner: string): Promise<void> {
  const own = held(database, key, owner);
  await database.commit([
    database.query.delete(idempotencyKeys).where(and(own, isNull(idempotencyKeys.digestId))),
    update(database, RELEASED, own),
  ]);
}

const RELEASED = { owner: null, lockedUntil: 0 };

function update({ query }: Database, values: Partial<typeof idempotencyKeys.$inferInsert>, rows: SQL | undefined) {
  return query.update(idempotencyKeys).set(values).where(rows);
}

function at({ tenant }: Database, key: string) {
  return and(eq(idempotencyKeys.tenant, tenant), eq(idempotencyKeys.key, key));
}

function held(database: Database, key: string, owner: string) {
  return and(at(database, key), eq(idempotencyKeys.owner, owner));
}
