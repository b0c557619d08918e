import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { type Page, type PageRequest, pageOf, timeCursor } from './page.ts';
import { fitting } from './rows.ts';
import { experiments } from './schema.ts';

/** A version of an experiment. */
export interface StoredExperiment {
  readonly key: string;
  readonly version: number;
  /** JSON. */
  readonly definition: string;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
}

const COLUMNS = {
  key: experiments.key,
  version: experiments.version,
  definition: experiments.definition,
  createdAt: experiments.createdAt,
  startedAt: experiments.startedAt,
  stoppedAt: experiments.stoppedAt,
};

/**
 * Inserts an experiment as a draft; false if the key exists.
 *
 * @throws TooLongError if the definition does not fit into a row
 */
export async function insertExperiment(
  { query, write, tenant, now }: Database,
  { key, definition }: Pick<StoredExperiment, 'key' | 'definition'>,
): Promise<boolean> {
  fitting('The experiment', definition);
  const next = sql`coalesce((select max(experiment) from ${experiments} where tenant = ${tenant}), 0) + 1`;
  const added = await write(() =>
    query
      .insert(experiments)
      .values({ tenant, experiment: next, version: 1, key, definition, createdAt: now() })
      .onConflictDoNothing()
      .returning({ key: experiments.key }),
  );
  return added.length > 0;
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
  const [row] = await database.query
    .select(COLUMNS)
    .from(experiments)
    .where(and(all(database, key), version === undefined ? undefined : eq(experiments.version, version)))
    .orderBy(desc(experiments.version))
    .limit(1);
  return row;
}

/**
 * Experiments in their newest versions, newest experiment first.
 *
 * @throws InvalidCursorError
 */
export async function listVersions({ query, tenant }: Database, request: PageRequest): Promise<Page<StoredExperiment>> {
  const after = timeCursor(request.cursor);
  const found = await query
    .select(COLUMNS)
    .from(experiments)
    .where(
      and(
        eq(experiments.tenant, tenant),
        isNewest(),
        after === null
          ? undefined
          : sql`(${experiments.createdAt}, ${experiments.key}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(experiments.createdAt), desc(experiments.key))
    .limit(request.limit + 1);
  return pageOf(found, request, ({ createdAt, key }) => [createdAt, key]);
}

export async function readRunning({ query, tenant }: Database): Promise<StoredExperiment[]> {
  return query
    .select(COLUMNS)
    .from(experiments)
    .where(and(eq(experiments.tenant, tenant), isNotNull(experiments.startedAt), isNull(experiments.stoppedAt)));
}

/** Number of the tenant's experiment with this key, by which its subjects' data is stored. */
export function numberOf({ tenant }: Database, key: string): SQL {
  return sql`(select experiment from ${experiments} where tenant = ${tenant} and key = ${key} limit 1)`;
}

/** Condition: there is no later version. */
function isNewest(): SQL {
  return sql`not exists (select 1 from ${experiments} as later where later.tenant = ${experiments.tenant}
    and later.key = ${experiments.key} and later.version > ${experiments.version})`;
}

function all({ tenant }: Database, key: string) {
  return and(eq(experiments.tenant, tenant), eq(experiments.key, key));
}

export function ofVersion(database: Database, key: string, version: number) {
  return and(all(database, key), eq(experiments.version, version));
}

/**
 * Replaces the definition of a version; false if it has changed since it was read.
 *
 * @throws TooLongError if it does not fit into a row
 */
export async function replaceDefinition(
  database: Database,
  { key, version, definition: before, startedAt }: StoredExperiment,
  definition: string,
): Promise<boolean> {
  fitting('The experiment', definition);
  const changed = await database.write(() =>
    database.query
      .update(experiments)
      .set({ definition })
      .where(
        and(
          ofVersion(database, key, version),
          isNewest(),
          eq(experiments.definition, before),
          // A version that has started since may no longer be changed like a draft.
          startedAt === null ? isNull(experiments.startedAt) : isNotNull(experiments.startedAt),
        ),
      )
      .returning({ version: experiments.version }),
  );
  return changed.length > 0;
}

/** A share of a layer, within 0 to 1. */
interface StoredShare {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Condition: no other experiment runs in this share of the layer. */
function isFree({ tenant }: Database, key: string, layer: StoredShare | null): SQL {
  if (layer === null) return sql`true`;
  const place = (field: string) => sql.raw(`json_extract(other.definition, '$.layer.${field}')`);
  return sql`not exists (select 1 from ${experiments} as other where other.tenant = ${tenant} and other.key <> ${key}
    and other.started_at is not null and other.stopped_at is null and ${place('key')} = ${layer.key}
    and ${place('from')} < ${layer.to} and ${place('to')} > ${layer.from})`;
}

/** Starts a draft; false if it has changed since it was read, or if its share of the layer is taken. */
export async function beginVersion(
  database: Database,
  { key, version, definition }: StoredExperiment,
  layer: StoredShare | null,
): Promise<boolean> {
  const begun = await database.write(() =>
    database.query
      .update(experiments)
      .set({ startedAt: database.now() })
      .where(
        and(
          ofVersion(database, key, version),
          eq(experiments.definition, definition),
          isNull(experiments.startedAt),
          isFree(database, key, layer),
        ),
      )
      .returning({ version: experiments.version }),
  );
  return begun.length > 0;
}

/** Stops a version; false if it does not run. */
export async function endVersion(database: Database, key: string, version: number): Promise<boolean> {
  const ended = await database.write(() =>
    database.query
      .update(experiments)
      .set({ stoppedAt: database.now() })
      .where(and(ofVersion(database, key, version), isNotNull(experiments.startedAt), isNull(experiments.stoppedAt)))
      .returning({ version: experiments.version }),
  );
  return ended.length > 0;
}

/**
 * Stops a version and starts the next with another definition, if it is the newest and its share of the layer is free.
 *
 * @throws TooLongError if the definition does not fit into a row
 */
export async function insertVersion(
  database: Database,
  { key, version, definition: before }: StoredExperiment,
  definition: string,
  layer: StoredShare | null,
): Promise<void> {
  fitting('The experiment', definition);
  const time = database.now();
  await database.commit([
    database.query
      .insert(experiments)
      .select(
        sql`select tenant, experiment, version + 1, key, ${definition}, created_at, ${time}, null, 0, 0, 0, 0, 0, null
          from ${experiments} where ${ofVersion(database, key, version)} and definition = ${before}
            and ${isFree(database, key, layer)}`,
      )
      .onConflictDoNothing(),
    database.query
      .update(experiments)
      .set({ stoppedAt: time })
      .where(and(ofVersion(database, key, version), isNull(experiments.stoppedAt), sql`changes() > 0`)),
  ]);
}
