import { canonicalJson } from '../../contract/index.ts';
import { type Database, insertVersion, replaceDefinition, type StoredExperiment } from '../../store/index.ts';
import { checkDefinition } from './check-definition.ts';
import { checkLayer } from './check-layer.ts';
import type { DefinitionChanges, Experiment, ExperimentDefinition } from './experiment.ts';
import { ExperimentRunningError } from './experiment-running-error.ts';
import { ExperimentStateError } from './experiment-state-error.ts';
import { definitionOf, knownVersion, readExperiment, stateOf } from './read-experiment.ts';

interface ChangeOptions {
  /** Whether one that has begun gets a new version; a draft needs none. */
  readonly newVersion?: boolean | undefined;
  /** The version that is to be changed, which must be the newest; any by default. */
  readonly version?: number | undefined;
}

/** What subjects and outcomes depend on. */
const FIXED = ['variants', 'metrics', 'guardrails', 'traffic', 'layer', 'salt'] as const;

/**
 * Changes an experiment: a draft in all its fields, one that has begun in its hypothesis. A new version of it runs from now on with
 * any change: its subjects are assigned afresh, by a salt of its own where none is given, and what is known of the old ones stays with
 * the old version.
 *
 * @throws ExperimentNotFoundError
 * @throws InvalidExperimentError
 * @throws ExperimentRunningError at the first field that cannot change
 * @throws LayerTakenError where a new version would meet another experiment
 * @throws ExperimentStateError where another change came between, or the version is not the newest
 */
export async function changeExperiment(
  database: Database,
  key: string,
  changes: DefinitionChanges,
  { newVersion = false, version }: ChangeOptions = {},
): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (version !== undefined && version !== stored.version) {
    throw new ExperimentStateError(key, state, `Version ${version} is not the newest: that is ${stored.version}.`);
  }
  const before = definitionOf(stored);
  const changed = { ...before, ...given(changes), key };
  if (newVersion && state !== 'draft') {
    return renew(database, stored, { ...changed, salt: changes.salt ?? `${key}:${stored.version + 1}` });
  }
  if (state !== 'draft') {
    const field = FIXED.find((each) => canonicalJson(changed[each]) !== canonicalJson(before[each]));
    if (field !== undefined) throw new ExperimentRunningError(key, field, state);
  }
  checkDefinition(changed);
  if (!(await replaceDefinition(database, stored, JSON.stringify(changed)))) throw changedMeanwhile(key, state);
  return readExperiment(database, key);
}

async function renew(database: Database, stored: StoredExperiment, definition: ExperimentDefinition) {
  checkDefinition(definition);
  await checkLayer(database, definition);
  const json = JSON.stringify(definition);
  await insertVersion(database, stored, json, definition.layer);
  const { key, version } = stored;
  const newest = await knownVersion(database, key);
  if (newest.version !== version + 1 || newest.definition !== json) {
    await checkLayer(database, definition);
    throw changedMeanwhile(key, stateOf(newest));
  }
  return readExperiment(database, key);
}

function changedMeanwhile(key: string, state: Experiment['state']): ExperimentStateError {
  return new ExperimentStateError(key, state, 'The experiment was changed by another request at the same time.');
}

/** Without fields that are there and undefined. */
function given(changes: DefinitionChanges): Partial<ExperimentDefinition> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
