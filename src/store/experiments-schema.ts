import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Experiments, who saw them and what came of it. Part of `schema.ts`. Variants, metrics and experiments are numbers in the rows of
 * which there are millions; these tables are clustered by their keys (WITHOUT ROWID), so that a metric's totals are read in one go.
 */
const tenant = () => text().notNull();

export const experiments = sqliteTable(
  'experiments',
  {
    tenant: tenant(),
    /** Number of the tenant's experiment; the same in all versions. */
    experiment: integer().notNull(),
    version: integer().notNull(),
    key: text().notNull(),
    /** JSON of ExperimentDefinition. */
    definition: text().notNull(),
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    stoppedAt: integer('stopped_at'),
    /** Excluded outcomes. */
    beforeExposure: integer('before_exposure').notNull().default(0),
    afterStop: integer('after_stop').notNull().default(0),
    overridden: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    /** Counts the writes to its subjects' data. */
    dataVersion: integer('data_version').notNull().default(0),
    /** JSON of the sums once its subjects are deleted. */
    kept: text(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.experiment, table.version] }),
    uniqueIndex('experiments_key').on(table.tenant, table.key, table.version),
    index('experiments_stopped_at').on(table.stoppedAt),
  ],
);

export const experimentExposures = sqliteTable(
  'experiment_exposures',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    version: integer().notNull(),
    subject: text().notNull(),
    /** Index in the definition. */
    variant: integer().notNull(),
    exposedAt: integer('exposed_at').notNull(),
    /** 1 if a request ever set an option of the variants itself. */
    overridden: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.experiment, table.version, table.subject] })],
);

/** Outcomes by event id, which makes each count once. */
export const experimentEvents = sqliteTable(
  'experiment_events',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    event: text().notNull(),
    version: integer().notNull(),
    subject: text().notNull(),
    /** Index among the version's metrics. */
    metric: integer().notNull(),
    value: real().notNull(),
    /** 0 unless the metric is a ratio. */
    denominator: real().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.experiment, table.event] })],
);

/** Running totals of a subject's outcomes; overridden subjects have none. */
export const experimentTotals = sqliteTable(
  'experiment_totals',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    version: integer().notNull(),
    metric: integer().notNull(),
    variant: integer().notNull(),
    subject: text().notNull(),
    /** Sum of the values and its rounding error: together they do not depend on the order of outcomes. */
    x: real().notNull(),
    xLow: real('x_low').notNull(),
    /** The same for denominators. */
    y: real().notNull(),
    yLow: real('y_low').notNull(),
    events: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant, table.experiment, table.version, table.metric, table.variant, table.subject],
    }),
  ],
);
