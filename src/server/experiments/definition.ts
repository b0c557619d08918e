import { canonicalJson, type Experiment, type ExperimentChanges, MAX_METRICS } from '../../contract/index.ts';
import {
  beginVersion,
  type Database,
  endVersion,
  insertExperiment,
  insertVersion,
  replaceDefinition,
  type StoredExperiment,
} from '../../store/index.ts';
import { experimentRunning, InvalidExperimentError, type PointedProblem, ServiceError } from '../errors.ts';
import {
  AUTOMATIC_METRICS,
  definitionOf,
  type ExperimentDefinition,
  firstProblem,
  isAutomatic,
  knownVersion,
  type NewExperiment,
  readExperiment,
  stateOf,
} from './experiment.ts';

/** @throws InvalidExperimentError; ServiceError if the key is taken */
export async function defineExperiment(database: Database, experiment: NewExperiment): Promise<Experiment> {
  const { key, hypothesis, variants, metrics, guardrails = [], traffic = 1, salt = key } = experiment;
  const definition = { key, hypothesis, variants, metrics, guardrails, traffic, salt };
  checkDefinition(definition);
  const isNew = await insertExperiment(database, { key, definition: JSON.stringify(definition) });
  if (!isNew) throw new ServiceError('experiment-exists', 'An experiment with this key already exists.', '/key');
  return readExperiment(database, key);
}

const FIXED = ['variants', 'metrics', 'guardrails', 'traffic', 'salt'] as const;

/**
 * Changes all fields of a draft, or only the hypothesis after the start. With `newVersion`, any change starts a new version: its subjects
 * are assigned afresh (with a new salt by default), and the old version keeps its data.
 *
 * @param changes.version must be the newest; any by default
 * @throws ServiceError at the first field that cannot change
 * @throws ServiceError after a concurrent change, or if the version is not the newest
 * @throws ExperimentNotFoundError, InvalidExperimentError
 */
export async function changeExperiment(
  database: Database,
  key: string,
  { newVersion = false, version, ...changes }: ExperimentChanges,
): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (version !== undefined && version !== stored.version) {
    throw refused(`Version ${version} is not the newest: that is ${stored.version}.`);
  }
  const before = definitionOf(stored);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed: ExperimentDefinition = { ...before, ...given, key };
  if (newVersion && state !== 'draft') {
    return renew(database, stored, { ...changed, salt: changes.salt ?? `${key}:${stored.version + 1}` });
  }
  if (state !== 'draft') {
    const field = FIXED.find((each) => canonicalJson(changed[each]) !== canonicalJson(before[each]));
    if (field !== undefined) throw experimentRunning(field, state);
  }
  checkDefinition(changed);
  if (!(await replaceDefinition(database, stored, JSON.stringify(changed)))) throw changedMeanwhile();
  return readExperiment(database, key);
}

async function renew(database: Database, stored: StoredExperiment, definition: ExperimentDefinition) {
  checkDefinition(definition);
  const json = JSON.stringify(definition);
  await insertVersion(database, stored, json);
  const { key, version } = stored;
  const newest = await knownVersion(database, key);
  if (newest.version !== version + 1 || newest.definition !== json) throw changedMeanwhile();
  return readExperiment(database, key);
}

function refused(why: string): ServiceError {
  return new ServiceError('experiment-state', why);
}

function changedMeanwhile(): ServiceError {
  return refused('The experiment was changed by another request at the same time.');
}

/**
 * @throws ExperimentNotFoundError
 * @throws ServiceError if it is not a draft
 */
export async function startExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (state === 'running') throw refused('The experiment is running already.');
  if (state === 'stopped') throw refused('The experiment was stopped: it runs again in a new version only.');
  if (!(await beginVersion(database, stored))) throw changedMeanwhile();
  return readExperiment(database, key);
}

/**
 * Earlier outcomes still count if they arrive later.
 *
 * @throws ExperimentNotFoundError
 * @throws ServiceError if it is not running
 */
export async function stopExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  if (!(await endVersion(database, key, stored.version))) {
    const state = stateOf(stored);
    throw refused(state === 'draft' ? 'The experiment has not begun.' : 'The experiment was stopped already.');
  }
  return readExperiment(database, key);
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KEY_RULE = 'must have 1 to 100 letters, digits, dots, hyphens or underscores, a letter or digit first';

const OWN_PREFIX = 'digest.';
const NO_OWN = `begins with "${OWN_PREFIX}" and is none of what every digest records by itself: ${Object.keys(AUTOMATIC_METRICS).join(', ')}`;

/** Checks what the schema does not. @throws InvalidExperimentError with all problems and pointers such as `/variants/1/name` */
function checkDefinition({ key, variants, metrics, guardrails, salt }: ExperimentDefinition): void {
  const weights = variants.reduce((total, { weight }) => total + weight, 0);
  const problems: PointedProblem[] = [];
  const check = (...found: Parameters<typeof firstProblem>[0]) => {
    const problem = firstProblem(found);
    if (problem !== null) problems.push(problem);
  };
  check(['/key', !KEY.test(key) && KEY_RULE]);
  for (const [place, { name }] of variants.entries()) {
    const isNew = variants.findIndex((each) => each.name === name) === place;
    const at = `/variants/${place}/name`;
    check([at, !KEY.test(name) && KEY_RULE], [at, !isNew && 'is a duplicate name']);
  }
  check(['/variants', Math.abs(weights - 1) > 1e-9 && `have weights that sum to ${weights}, not to 1`]);
  const all = metrics.length + guardrails.length;
  check(['/metrics', all > MAX_METRICS && `must be at most ${MAX_METRICS}, with guardrails`]);
  const keys = new Set<string>();
  for (const [list, own] of Object.entries({ metrics, guardrails })) {
    for (const [place, { key, type }] of own.entries()) {
      const at = `/${list}/${place}`;
      check(
        [`${at}/key`, !KEY.test(key) && KEY_RULE],
        [`${at}/key`, key.startsWith(OWN_PREFIX) && !isAutomatic(key) && NO_OWN],
        [`${at}/type`, isAutomatic(key) && type !== 'ratio' && 'must be "ratio", as every digest records it by itself'],
        [`${at}/key`, keys.has(key) && 'is a duplicate key'],
      );
      keys.add(key);
    }
  }
  check(['/salt', !/^\P{C}{0,100}$/u.test(salt) && 'must have at most 100 visible characters']);
  const [first, ...more] = problems;
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}
