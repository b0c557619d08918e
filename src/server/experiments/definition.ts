import {
  canonicalJson,
  type Guardrail,
  type LayerShare,
  MAX_METRICS,
  MAX_VARIANTS,
  METRIC_TYPES,
  type MetricDefinition,
  type Variant,
} from '../../contract/index.ts';
import {
  beginVersion,
  type Database,
  endVersion,
  insertExperiment,
  insertVersion,
  readRunning,
  replaceDefinition,
  type StoredExperiment,
} from '../../store/index.ts';
import {
  ExperimentExistsError,
  ExperimentRunningError,
  ExperimentStateError,
  InvalidExperimentError,
  LayerTakenError,
  type PointedProblem,
} from '../errors.ts';
import { PLACES } from './assignment.ts';
import {
  AUTOMATIC_METRICS,
  type DefinitionChanges,
  definitionOf,
  type Experiment,
  type ExperimentDefinition,
  isAutomatic,
  knownVersion,
  type NewExperiment,
  readExperiment,
  stateOf,
} from './experiment.ts';

/** @throws InvalidExperimentError, ExperimentExistsError */
export async function defineExperiment(database: Database, experiment: NewExperiment): Promise<Experiment> {
  const { key, hypothesis, variants, metrics, guardrails = [], traffic = 1, layer = null, salt = key } = experiment;
  const definition = { key, hypothesis, variants, metrics, guardrails, traffic, layer, salt };
  checkDefinition(definition);
  const isNew = await insertExperiment(database, { key, definition: JSON.stringify(definition) });
  if (!isNew) throw new ExperimentExistsError();
  return readExperiment(database, key);
}

const FIXED = ['variants', 'metrics', 'guardrails', 'traffic', 'layer', 'salt'] as const;

/**
 * Changes all fields of a draft, or only the hypothesis after the start. With `newVersion`, any change starts a new version: its subjects
 * are assigned afresh (with a new salt by default), and the old version keeps its data.
 *
 * @param options.version must be the newest; any by default
 * @throws ExperimentRunningError at the first field that cannot change
 * @throws LayerTakenError if the new version would overlap another experiment
 * @throws ExperimentStateError after a concurrent change, or if the version is not the newest
 * @throws ExperimentNotFoundError, InvalidExperimentError
 */
export async function changeExperiment(
  database: Database,
  key: string,
  changes: DefinitionChanges,
  {
    newVersion = false,
    version,
  }: { readonly newVersion?: boolean | undefined; readonly version?: number | undefined } = {},
): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (version !== undefined && version !== stored.version) {
    throw new ExperimentStateError(state, `Version ${version} is not the newest: that is ${stored.version}.`);
  }
  const before = definitionOf(stored);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed: ExperimentDefinition = { ...before, ...given, key };
  if (newVersion && state !== 'draft') {
    return renew(database, stored, { ...changed, salt: changes.salt ?? `${key}:${stored.version + 1}` });
  }
  if (state !== 'draft') {
    const field = FIXED.find((each) => canonicalJson(changed[each]) !== canonicalJson(before[each]));
    if (field !== undefined) throw new ExperimentRunningError(field, state);
  }
  checkDefinition(changed);
  if (!(await replaceDefinition(database, stored, JSON.stringify(changed)))) throw changedMeanwhile(state);
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
    throw changedMeanwhile(stateOf(newest));
  }
  return readExperiment(database, key);
}

function changedMeanwhile(state: Experiment['state']): ExperimentStateError {
  return new ExperimentStateError(state, 'The experiment was changed by another request at the same time.');
}

/**
 * @throws ExperimentNotFoundError
 * @throws ExperimentStateError if it is not a draft
 * @throws LayerTakenError if another experiment runs in its part of the layer
 */
export async function startExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  const state = stateOf(stored);
  if (state === 'running') throw new ExperimentStateError(state, 'The experiment is running already.');
  if (state === 'stopped') {
    throw new ExperimentStateError(state, 'The experiment was stopped: it runs again in a new version only.');
  }
  const definition = definitionOf(stored);
  await checkLayer(database, definition);
  if (!(await beginVersion(database, stored, definition.layer))) {
    await checkLayer(database, definition);
    throw changedMeanwhile(state);
  }
  return readExperiment(database, key);
}

/**
 * Earlier outcomes still count if they arrive later.
 *
 * @throws ExperimentNotFoundError
 * @throws ExperimentStateError if it is not running
 */
export async function stopExperiment(database: Database, key: string): Promise<Experiment> {
  const stored = await knownVersion(database, key);
  if (!(await endVersion(database, key, stored.version))) {
    const state = stateOf(stored);
    const why = state === 'draft' ? 'The experiment has not begun.' : 'The experiment was stopped already.';
    throw new ExperimentStateError(state, why);
  }
  return readExperiment(database, key);
}

/** @throws LayerTakenError if another running experiment overlaps in the layer */
export async function checkLayer(
  database: Database,
  { key, layer }: Pick<ExperimentDefinition, 'key' | 'layer'>,
): Promise<void> {
  if (layer === null) return;
  for (const running of (await readRunning(database)).map(definitionOf)) {
    const { layer: other } = running;
    if (running.key === key || other?.key !== layer.key) continue;
    if (other.from < layer.to && layer.from < other.to) throw new LayerTakenError(running.key);
  }
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KEY_RULE = 'must have 1 to 100 letters, digits, dots, hyphens or underscores, a letter or digit first';

const OPTIONS = ['selection', 'summary', 'engine'];

const OWN_PREFIX = 'digest.';

/** Checks rules beyond the schema. @throws InvalidExperimentError with all problems and pointers such as `/variants/1/weight` */
function checkDefinition(definition: ExperimentDefinition): void {
  const { key, variants, metrics, guardrails, traffic, layer, salt } = definition;
  const [first, ...more] = [
    ...(KEY.test(key) ? [] : [{ pointer: '/key', detail: KEY_RULE }]),
    ...problemsOfVariants(variants),
    ...problemsOfMetrics(metrics, guardrails),
    ...(isShare(traffic) && traffic > 0
      ? []
      : [{ pointer: '/traffic', detail: 'must be a number over 0 and up to 1' }]),
    ...(layer === null ? [] : problemsOfLayer(layer)),
    ...(/^\P{C}{0,100}$/u.test(salt) ? [] : [{ pointer: '/salt', detail: 'must have at most 100 visible characters' }]),
  ];
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}

function* problemsOfVariants(variants: readonly Variant[]): Generator<PointedProblem> {
  if (variants.length < 2 || variants.length > MAX_VARIANTS) {
    yield { pointer: '/variants', detail: `must be 2 to ${MAX_VARIANTS}; there are ${variants.length}` };
  }
  const names = new Set<string>();
  for (const [place, { name, weight, options }] of variants.entries()) {
    const pointer = `/variants/${place}`;
    if (!KEY.test(name)) yield { pointer: `${pointer}/name`, detail: KEY_RULE };
    else if (names.has(name)) yield { pointer: `${pointer}/name`, detail: 'is a duplicate name' };
    names.add(name);
    if (!(weight >= 1 / PLACES && weight < 1)) {
      yield { pointer: `${pointer}/weight`, detail: `must be from ${1 / PLACES} to below 1` };
    }
    for (const option of Object.keys(options).filter((each) => !OPTIONS.includes(each))) {
      yield { pointer: `${pointer}/options/${option}`, detail: 'is not an option that a variant can set' };
    }
  }
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  if (!(Math.abs(sum - 1) <= 1e-9)) yield { pointer: '/variants', detail: `have weights that sum to ${sum}, not to 1` };
}

function* problemsOfMetrics(
  metrics: readonly MetricDefinition[],
  guardrails: readonly Guardrail[],
): Generator<PointedProblem> {
  if (metrics.length === 0) yield { pointer: '/metrics', detail: 'must hold at least one metric' };
  if (metrics.length + guardrails.length > MAX_METRICS) {
    yield { pointer: '/metrics', detail: `must be at most ${MAX_METRICS}, with guardrails` };
  }
  const keys = new Set<string>();
  const all = [
    ...metrics.map((metric, place) => ({ ...metric, pointer: `/metrics/${place}` })),
    ...guardrails.map((metric, place) => ({ ...metric, pointer: `/guardrails/${place}` })),
  ];
  for (const { pointer, key, type, direction, minimumEffect } of all) {
    if (!KEY.test(key)) yield { pointer: `${pointer}/key`, detail: KEY_RULE };
    else if (key.startsWith(OWN_PREFIX) && !isAutomatic(key)) {
      yield {
        pointer: `${pointer}/key`,
        detail: `begins with "${OWN_PREFIX}" and is none of what every digest records by itself: ${AUTOMATIC_METRICS.join(', ')}`,
      };
    } else if (isAutomatic(key) && type !== 'ratio') {
      yield { pointer: `${pointer}/type`, detail: 'must be "ratio", as every digest records it by itself' };
    } else if (keys.has(key)) yield { pointer: `${pointer}/key`, detail: 'is a duplicate key' };
    keys.add(key);
    if (!METRIC_TYPES.includes(type)) {
      yield { pointer: `${pointer}/type`, detail: `must be one of ${METRIC_TYPES.join(', ')}` };
    }
    if (direction !== 'increase' && direction !== 'decrease') {
      yield { pointer: `${pointer}/direction`, detail: 'must be "increase" or "decrease"' };
    }
    if (minimumEffect !== null && !(Number.isFinite(minimumEffect) && minimumEffect > 0)) {
      yield { pointer: `${pointer}/minimumEffect`, detail: 'must be a number over 0: 0.02 is two percent' };
    }
  }
  for (const [place, { margin }] of guardrails.entries()) {
    if (!(Number.isFinite(margin) && margin >= 0)) {
      yield { pointer: `/guardrails/${place}/margin`, detail: 'must be a number from 0: 0.01 is one percent' };
    }
  }
}

function* problemsOfLayer({ key, from, to }: LayerShare): Generator<PointedProblem> {
  if (!KEY.test(key)) yield { pointer: '/layer/key', detail: KEY_RULE };
  if (!isShare(from)) yield { pointer: '/layer/from', detail: 'must be a number from 0 to 1' };
  if (!isShare(to)) yield { pointer: '/layer/to', detail: 'must be a number from 0 to 1' };
  else if (!(to > from)) yield { pointer: '/layer/to', detail: 'must be over "from"' };
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}
