import type { BatchItem } from 'drizzle-orm/batch';
import type { Assignment } from '../../contract/index.ts';
import { type Database, insertExposure } from '../../store/index.ts';
import { assignSubject } from './assign-subject.ts';
import type { Experiment } from './experiment.ts';
import { metricsOf } from './metrics-of.ts';

/** Who saw what. */
interface Exposure {
  readonly subject: string;
  /** Of the experiment's variants; null where the subject takes no part. */
  readonly variant: string | null;
  readonly overridden: boolean;
}

/**
 * Statements that note that a subject saw its variant, to be written with what it saw. Once per subject and version; one that
 * overrides, now or later, is outside the analysis from then on, with all that it did before. None where there is no variant, and
 * they do nothing once the version has ended.
 */
export function exposureStatements(
  database: Database,
  experiment: Experiment,
  { subject, variant, overridden }: Exposure,
): BatchItem<'sqlite'>[] {
  const place = experiment.variants.findIndex(({ name }) => name === variant);
  if (place < 0) return [];
  const exposure = { subject, version: experiment.version, variant: place, overridden };
  return insertExposure(database, experiment.key, exposure, metricsOf(experiment).length);
}

/**
 * Assigns a subject and notes that it sees its variant, for apps that make the difference themselves.
 *
 * @throws InvalidExperimentError for a subject that cannot be kept
 */
export async function recordExposure(
  database: Database,
  experiment: Experiment,
  subject: string,
  { overridden = false }: { readonly overridden?: boolean } = {},
): Promise<Assignment> {
  const assignment = await assignSubject(database, experiment, subject);
  const statements = exposureStatements(database, experiment, { subject, variant: assignment.variant, overridden });
  if (statements.length > 0) await database.commit(statements);
  return assignment;
}
