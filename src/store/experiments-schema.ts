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
    experiment: integer().notNull(), // number of the tenant's experiment; the same in all versions
    version: integer().notNull(),
    key: text().notNull(),
    definition: text().notNull(), // JSON of ExperimentDefinition
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    stoppedAt: integer('stopped_at'),
    beforeExposure: integer('before_exposure').notNull().default(0), // excluded outcomes
    afterStop: integer('after_stop').notNull().default(0),
    overridden: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    dataVersion: integer('data_version').notNull().default(0), // counts the writes to its subjects' data
    kept: text(), // JSON of the sums once its subjects are deleted
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
    variant: integer().notNull(), // index in the definition
    exposedAt: integer('exposed_at').notNull(),
    overridden: integer().notNull(), // 1 if a request ever set an option of the variants itself
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
    metric: integer().notNull(), // index among the version's metrics
    value: real().notNull(),
    denominator: real().notNull(), // 0 unless the metric is a ratio
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
    y: real().notNull(), // the same for denominators
    yLow: real('y_low').notNull(),
    events: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.tenant, table.experiment, table.version, table.metric, table.variant, table.subject],
    }),
  ],
);
