import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { type Database, wrote } from './database.ts';
import { newestFirst, type Page, type PageRequest } from './page.ts';
import { fitting, valuesOf } from './rows.ts';
import { experiments } from './schema.ts';

const { createdAt, startedAt, stoppedAt } = experiments;
const COLUMNS = {
  key: experiments.key,
  version: experiments.version,
  definition: experiments.definition,
  createdAt,
  startedAt,
  stoppedAt,
};

/** A version of an experiment; its definition is JSON. */
export type StoredExperiment = Readonly<Pick<typeof experiments.$inferSelect, keyof typeof COLUMNS>>;

export const IS_RUNNING = and(isNotNull(startedAt), isNull(stoppedAt));

/**
 * Inserts an experiment as a draft; false if the key exists.
 *
 * @throws TooLongError if the definition does not fit into a row
 */
export async function insertExperiment(
  database: Database,
  { key, definition }: Pick<StoredExperiment, 'key' | 'definition'>,
): Promise<boolean> {
  const { query, tenant, now } = database;
  fitting('The experiment', definition);
  const next = sql`coalesce((select max(experiment) from ${experiments} where tenant = ${tenant}), 0) + 1`;
  const row = { tenant, experiment: next, version: 1, key, definition, createdAt: now() };
  return wrote(database, query.insert(experiments).values(row).onConflictDoNothing());
}

/** All versions of an experiment, newest first. */
export async function readVersions(database: Database, key: string): Promise<StoredExperiment[]> {
  return database.query.select(COLUMNS).from(experiments).where(all(database, key)).orderBy(desc(experiments.version));
}

/** A version of an experiment, the newest by default, or undefined. */
export async function readVersion(
  database: Database,
  key: string,
  version?: number,
): Promise<StoredExperiment | undefined> {
  const isMeant = and(all(database, key), version === undefined ? undefined : eq(experiments.version, version));
  const found = database.query.select(COLUMNS).from(experiments).where(isMeant);
  const [row] = await found.orderBy(desc(experiments.version)).limit(1);
  return row;
}

/** Experiments in their newest versions, newest experiment first. @throws InvalidCursorError */
export async function listVersions({ query, tenant }: Database, request: PageRequest): Promise<Page<StoredExperiment>> {
  const isListed = and(eq(experiments.tenant, tenant), IS_NEWEST);
  const list = query.select(COLUMNS).from(experiments);
  return newestFirst(request, list, isListed, [createdAt, experiments.key], (row) => row.key);
}

/** Number of the tenant's experiment with this key, by which its subjects' data is stored. */
export function numberOf({ tenant }: Database, key: string): SQL {
  return sql`(select experiment from ${experiments} where tenant = ${tenant} and key = ${key} limit 1)`;
}

/** Condition: there is no later version. */
const IS_NEWEST = sql`not exists (select 1 from ${experiments} as later where later.tenant = ${experiments.tenant}
    and later.key = ${experiments.key} and later.version > ${experiments.version})`;

function all({ tenant }: Database, key: string) {
  return and(eq(experiments.tenant, tenant), eq(experiments.key, key));
}

export function ofVersion(database: Database, key: string, version: number) {
  return and(all(database, key), eq(experiments.version, version));
}

/** Condition: the version is as it was read. */
function isAsRead(database: Database, stored: StoredExperiment) {
  return and(ofVersion(database, stored.key, stored.version), eq(experiments.definition, stored.definition));
}

/**
 * Replaces the definition of a version; false if it has changed since it was read.
 *
 * @throws TooLongError if it does not fit into a row
 */
export async function replaceDefinition(
  database: Database,
  before: StoredExperiment,
  replacement: string,
): Promise<boolean> {
  fitting('The experiment', replacement);
  // A version that has started since may no longer be changed like a draft.
  const hasStartedAsRead = before.startedAt === null ? isNull(startedAt) : isNotNull(startedAt);
  const isMeant = and(isAsRead(database, before), IS_NEWEST, hasStartedAsRead);
  return wrote(database, database.query.update(experiments).set({ definition: replacement }).where(isMeant));
}

/** Starts a draft; false if it has changed since it was read. */
export async function beginVersion(database: Database, draft: StoredExperiment): Promise<boolean> {
  const mayStart = and(isAsRead(database, draft), isNull(startedAt));
  return wrote(database, database.query.update(experiments).set({ startedAt: database.now() }).where(mayStart));
}

/** Stops a version; false if it does not run. */
export async function endVersion(database: Database, key: string, version: number): Promise<boolean> {
  const isMeant = and(ofVersion(database, key, version), IS_RUNNING);
  return wrote(database, database.query.update(experiments).set({ stoppedAt: database.now() }).where(isMeant));
}

/**
 * Stops a version and starts the next with another definition, if it is the newest.
 *
 * @throws TooLongError if the definition does not fit into a row
 */
export async function insertVersion(database: Database, before: StoredExperiment, replacement: string): Promise<void> {
  fitting('The experiment', replacement);
  const { query, tenant, now } = database;
  const { key, version } = before;
  const time = now();
  const same = { tenant, key, experiment: sql`experiment`, createdAt: sql`created_at` };
  const row = { ...same, version: sql`version + 1`, definition: replacement, startedAt: time };
  const next = sql`select ${valuesOf(experiments, row)} from ${experiments} where ${isAsRead(database, before)}`;
  const mayStop = and(ofVersion(database, key, version), isNull(stoppedAt), sql`changes() > 0`);
  await database.commit([
    query.insert(experiments).select(next).onConflictDoNothing(),
    query.update(experiments).set({ stoppedAt: time }).where(mayStop),
  ]);
}
