import { beginVersion, type Database } from '../../store/index.ts';
import { checkLayer } from './check-layer.ts';
import type { Experiment } from './experiment.ts';
import { ExperimentStateError } from './experiment-state-error.ts';
import { definitionOf, knownVersion, readExperiment, stateOf } from './read-experiment.ts';

/**
 * Begins a draft: from now on subjects are assigned.
 *
 * @throws ExperimentNotFoundError
 * @throws ExperimentStateError where it is no draft any more
 * @throws LayerTakenError where another experiment runs in its part of the layer
 */
export async function startExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (state === 'running') throw new ExperimentStateError(key, state, 'The experiment is running already.');
  if (state === 'stopped') {
    throw new ExperimentStateError(key, state, 'The experiment was stopped: it runs again in a new version only.');
  }
  const definition = definitionOf(stored);
  await checkLayer(database, definition);
  if (!(await beginVersion(database, stored, definition.layer))) {
    await checkLayer(database, definition);
    throw new ExperimentStateError(key, state, 'The experiment was changed by another request at the same time.');
  }
  return readExperiment(database, key);
}
