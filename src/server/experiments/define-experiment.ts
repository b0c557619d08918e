import type { Experiment, ExperimentDefinition } from '../../contract/experiment.ts';
import type { Database } from '../../store/database.ts';
import { insertExperiment } from '../../store/experiments.ts';
import { checkDefinition } from './check-definition.ts';
import { ExperimentExistsError } from './experiment-exists-error.ts';
import { readExperiment } from './read-experiment.ts';

/** An experiment as it is asked for: without guardrails, with all the traffic, in no layer and hashed with its key by default. */
export type NewExperiment = Pick<ExperimentDefinition, 'key' | 'hypothesis' | 'variants' | 'metrics'> & {
  readonly [field in 'guardrails' | 'traffic' | 'layer' | 'salt']?: ExperimentDefinition[field] | undefined;
};

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
