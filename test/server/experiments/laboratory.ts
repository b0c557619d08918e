import type { Experiment, MetricType, Outcome } from '../../../src/contract/index.ts';
import { assign, exposureStatements } from '../../../src/server/experiments/assignment.ts';
import { defineExperiment, startExperiment } from '../../../src/server/experiments/definition.ts';
import {
  type ExperimentDefinition,
  metricsOf,
  type NewExperiment,
} from '../../../src/server/experiments/experiment.ts';
import { type Database, forTenant, type StoredSums } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

/** A database whose time is set by hand. */
export interface Laboratory {
  readonly database: Database;
  readonly clock: { time: number };
}

export const START = 1_000_000;

export const iso = (time: number) => new Date(time).toISOString();

export function laboratory(tenant = 'default', database: Database = memoryDatabase()): Laboratory {
  const clock = { time: START };
  return { clock, database: { ...forTenant(database, tenant), now: () => clock.time } };
}

export function metric(key: string, type: MetricType = 'mean') {
  return { key, type, direction: 'increase', minimumEffect: null } as const;
}

/** One metric of each type, and two variants. */
export const PLAIN: NewExperiment = {
  key: 'exp',
  hypothesis: 'It helps.',
  variants: [
    { name: 'control', weight: 0.5, options: {} },
    { name: 'treatment', weight: 0.5, options: { selection: { strategy: 'mmr' } } },
  ],
  metrics: [metric('won', 'binomial'), metric('spent'), metric('visits', 'count'), metric('rate', 'ratio')],
};

export async function running(database: Database, change: Partial<NewExperiment> = {}): Promise<Experiment> {
  const experiment = await defineExperiment(database, { ...PLAIN, ...change });
  return startExperiment(database, experiment.key);
}

/** An experiment that runs, without a database. */
export function experimentOf(change: Partial<ExperimentDefinition> = {}): Experiment {
  const { key } = { ...PLAIN, ...change };
  return {
    ...PLAIN,
    guardrails: [],
    traffic: 1,
    salt: key,
    ...change,
    version: 1,
    status: 'running',
    createdAt: iso(START),
    startedAt: iso(START),
    stoppedAt: null,
  };
}

/** An outcome at a time in milliseconds, as it is sent. */
export function sent({ at, ...outcome }: Omit<Outcome, 'at'> & { readonly at?: number | undefined }): Outcome {
  return { ...outcome, ...(at !== undefined && { at: iso(at) }) };
}

/** Records that a subject saw its variant, and that a request of it set an option of the variants. */
export async function override(database: Database, experiment: Experiment, subject: string): Promise<void> {
  const { variant } = assign(experiment, subject);
  await database.commit(exposureStatements(database, experiment, subject, { variant, overridden: true }));
}

/** Sums with the names of their metrics and variants. */
export function namedSums(experiment: Experiment, sums: readonly StoredSums[]) {
  return sums.map((own) => {
    return { ...own, metric: metricsOf(experiment)[own.metric].key, variant: experiment.variants[own.variant].name };
  });
}

export function evenly(variants: number): ExperimentDefinition['variants'] {
  return Array.from({ length: variants }, (_, place) => ({ name: `v${place}`, weight: 1 / variants, options: {} }));
}
