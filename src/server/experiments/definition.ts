import {
  canonicalJson,
  type Experiment,
  type ExperimentChanges,
  type Guardrail,
  MAX_METRICS,
  type MetricDefinition,
} from '../../contract/index.ts';
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

/** Checks what the schema does not. @throws InvalidExperimentError with all problems and pointers such as `/variants/1/name` */
function checkDefinition({ key, variants, metrics, guardrails, salt }: ExperimentDefinition): void {
  const weights = variants.reduce((total, { weight }) => total + weight, 0);
  const problems: PointedProblem[] = [];
  const check = (isFine: boolean, pointer: string, detail: string) => {
    if (!isFine) problems.push({ pointer, detail });
  };
  check(KEY.test(key), '/key', KEY_RULE);
  for (const [place, { name }] of variants.entries()) {
    const isNew = variants.findIndex((each) => each.name === name) === place;
    check(KEY.test(name) && isNew, `/variants/${place}/name`, KEY.test(name) ? 'is a duplicate name' : KEY_RULE);
  }
  check(Math.abs(weights - 1) <= 1e-9, '/variants', `have weights that sum to ${weights}, not to 1`);
  const all = metrics.length + guardrails.length;
  check(all <= MAX_METRICS, '/metrics', `must be at most ${MAX_METRICS}, with guardrails`);
  problems.push(...problemsOfMetrics(metrics, guardrails));
  check(/^\P{C}{0,100}$/u.test(salt), '/salt', 'must have at most 100 visible characters');
  const [first, ...more] = problems;
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}

function* problemsOfMetrics(
  metrics: readonly MetricDefinition[],
  guardrails: readonly Guardrail[],
): Generator<PointedProblem> {
  const keys = new Set<string>();
  const all = [
    ...metrics.map((metric, place) => ({ ...metric, pointer: `/metrics/${place}` })),
    ...guardrails.map((metric, place) => ({ ...metric, pointer: `/guardrails/${place}` })),
  ];
  for (const { pointer, key, type } of all) {
    if (!KEY.test(key)) yield { pointer: `${pointer}/key`, detail: KEY_RULE };
    else if (key.startsWith(OWN_PREFIX) && !isAutomatic(key)) {
      const known = Object.keys(AUTOMATIC_METRICS).join(', ');
      const detail = `begins with "${OWN_PREFIX}" and is none of what every digest records by itself: ${known}`;
      yield { pointer: `${pointer}/key`, detail };
    } else if (isAutomatic(key) && type !== 'ratio') {
      yield { pointer: `${pointer}/type`, detail: 'must be "ratio", as every digest records it by itself' };
    } else if (keys.has(key)) yield { pointer: `${pointer}/key`, detail: 'is a duplicate key' };
    keys.add(key);
  }
}
