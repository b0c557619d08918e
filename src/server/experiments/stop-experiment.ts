import { type Database, endVersion } from '../../store/index.ts';
import type { Experiment } from './experiment.ts';
import { ExperimentStateError } from './experiment-state-error.ts';
import { knownVersion, readExperiment, stateOf } from './read-experiment.ts';

/**
 * Ends an experiment: nobody is assigned any more, and outcomes up to now still count when they come.
 *
 * @throws ExperimentNotFoundError
 * @throws ExperimentStateError where it does not run
 */
export async function stopExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  if (!(await endVersion(database, key, stored.version))) {
    const state = stateOf(stored);
    throw new ExperimentStateError(
      key,
      state,
      state === 'draft' ? 'The experiment has not begun.' : 'The experiment was stopped already.',
    );
  }
  return readExperiment(database, key);
}
