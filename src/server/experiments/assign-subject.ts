import type { Database } from '../../store/database.ts';
import { readExposures } from '../../store/experiment-exposures.ts';
import { assign } from './assign.ts';
import type { Assignment, Experiment } from '../../contract/experiment.ts';
import { InvalidExperimentError } from './invalid-experiment-error.ts';
import { problemOfId } from './problem-of-id.ts';

/**
 * What becomes of a subject: the variant that it saw in this version, and by hash where it saw none. Writes nothing.
 *
 * @param pointer to the subject in the request
 * @throws InvalidExperimentError for a subject that cannot be kept
 */
export async function assignSubject(
  database: Database,
  experiment: Experiment,
  subject: string,
  pointer = '/subject',
): Promise<Assignment> {
  const detail = problemOfId(subject);
  if (detail !== null) throw new InvalidExperimentError([{ pointer, detail }]);
  const assigned = assign(experiment, subject);
  if (experiment.state !== 'running') return assigned;
  const { key, version, variants } = experiment;
  const seen = (await readExposures(database, key, [subject])).find((exposure) => exposure.version === version);
  return seen === undefined ? assigned : { key, version, variant: variants[seen.variant].name, reason: 'assigned' };
}
