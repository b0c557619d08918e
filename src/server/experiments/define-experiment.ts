import { type Database, insertExperiment } from '../../store/index.ts';
import { checkDefinition } from './check-definition.ts';
import type { Experiment, NewExperiment } from './experiment.ts';
import { ExperimentExistsError } from './experiment-exists-error.ts';
import { readExperiment } from './read-experiment.ts';

/**
 * Keeps a new experiment, as a draft.
 *
 * @throws InvalidExperimentError
 * @throws ExperimentExistsError
 */
export async function defineExperiment(database: Database, experiment: NewExperiment): Promise<Experiment> {
  const { key, hypothesis, variants, metrics, guardrails = [], traffic = 1, layer = null, salt = key } = experiment;
  const definition = { key, hypothesis, variants, metrics, guardrails, traffic, layer, salt };
  checkDefinition(definition);
  const isNew = await insertExperiment(database, { key, definition: JSON.stringify(definition) });
  if (!isNew) throw new ExperimentExistsError(key);
  return readExperiment(database, key);
}
