import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * Experiments, who saw them and what came of it. Part of `schema.ts`. Variants, metrics and experiments are numbers in the rows of
 * which there are millions; these tables are clustered by their keys (WITHOUT ROWID), so that a metric's totals are read in one go.
 */
const tenant = () => text().notNull();

/** Versions of experiments: what is tried, since when and until when. */
export const experiments = sqliteTable(
  'experiments',
  {
    tenant: tenant(),
    /** Counts the tenant's experiments; the same in all versions. */
    experiment: integer().notNull(),
    version: integer().notNull(),
    key: text().notNull(),
    /** JSON of ExperimentDefinition. */
    definition: text().notNull(),
    /** Of the first version. */
    createdAt: integer('created_at').notNull(),
    startedAt: integer('started_at'),
    stoppedAt: integer('stopped_at'),
    /** Outcomes that were left out. */
    beforeExposure: integer('before_exposure').notNull().default(0),
    afterStop: integer('after_stop').notNull().default(0),
    overridden: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    /** Counts what was written of its subjects. */
    dataVersion: integer('data_version').notNull().default(0),
    /** JSON of the sums, once its subjects are forgotten. */
    kept: text(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.experiment, table.version] }),
    uniqueIndex('experiments_key').on(table.tenant, table.key, table.version),
    index('experiments_stopped_at').on(table.stoppedAt),
  ],
);

/** Which subjects saw which variant. */
export const experimentExposures = sqliteTable(
  'experiment_exposures',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    version: integer().notNull(),
    subject: text().notNull(),
    /** Place in the definition, from 0. */
    variant: integer().notNull(),
    /** The first time. */
    exposedAt: integer('exposed_at').notNull(),
    /** 1 where a request ever set what variants set. */
    overridden: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.experiment, table.version, table.subject] })],
);

/** Outcomes as they came, by the id that makes one count once. */
export const experimentEvents = sqliteTable(
  'experiment_events',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    event: text().notNull(),
    version: integer().notNull(),
    subject: text().notNull(),
    /** Place among the version's metrics, from 0. */
    metric: integer().notNull(),
    value: real().notNull(),
    /** 0 but for ratios. */
    denominator: real().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.experiment, table.event] })],
);

/** What the outcomes of a subject come to, kept up to date with them; subjects that were overridden have none. */
export const experimentTotals = sqliteTable(
  'experiment_totals',
  {
    tenant: tenant(),
    experiment: integer().notNull(),
    version: integer().notNull(),
    metric: integer().notNull(),
    variant: integer().notNull(),
    subject: text().notNull(),
    /** Sum of the values, and what rounding took from it: added, they do not depend on the order of the outcomes. */
    x: real().notNull(),
    xLow: real('x_low').notNull(),
    /** The same of the denominators. */
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
