import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { isNewest, ofVersion, type StoredExperiment } from './experiments.ts';
import { experiments } from './schema.ts';
import { fitting } from './too-long-error.ts';

/**
 * Writes another definition of a version that is still as it was read; false where it is not.
 *
 * @throws TooLongError where it does not fit into a row
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
          // What has begun since may no longer be changed like a draft.
          startedAt === null ? isNull(experiments.startedAt) : isNotNull(experiments.startedAt),
        ),
      )
      .returning({ version: experiments.version }),
  );
  return changed.length > 0;
}

/** A part of a layer, from 0 to 1. */
interface StoredShare {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** That no other experiment runs in a part of a layer. */
function isFree({ tenant }: Database, key: string, layer: StoredShare | null): SQL {
  if (layer === null) return sql`true`;
  const place = (field: string) => sql.raw(`json_extract(other.definition, '$.layer.${field}')`);
  return sql`not exists (select 1 from ${experiments} as other where other.tenant = ${tenant} and other.key <> ${key}
    and other.started_at is not null and other.stopped_at is null and ${place('key')} = ${layer.key}
    and ${place('from')} < ${layer.to} and ${place('to')} > ${layer.from})`;
}

/** Begins a draft that is still as it was read, where its part of the layer is free; false where it is not. */
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

/** Ends a version that runs; false where it does not. */
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
 * Ends a version and begins the next with another definition, where it is the newest and its part of the layer is free.
 *
 * @throws TooLongError where the definition does not fit into a row
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
