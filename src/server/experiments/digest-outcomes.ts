import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { EndedDigest } from '../jobs/run-job.ts';
import type { Database } from '../../store/database.ts';
import { automaticOutcomes } from './automatic-outcomes.ts';
import { readExperiment } from './read-experiment.ts';

/**
 * What a digest tells of itself, as statements for the commit that ends its job.
 *
 * @param guard what must hold for anything to be written
 * @throws ExperimentNotFoundError where the experiment is gone
 */
export async function digestOutcomes(
  { experiment: { key, version, subject }, ...given }: EndedDigest,
  database: Database,
  guard: SQL,
): Promise<BatchItem<'sqlite'>[]> {
  const experiment = await readExperiment(database, key, version);
  return automaticOutcomes(database, experiment, { ...given, subject }, guard);
}
