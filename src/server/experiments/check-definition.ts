import {
  type Guardrail,
  type LayerShare,
  MAX_METRICS,
  MAX_VARIANTS,
  METRIC_TYPES,
  type MetricDefinition,
  type Variant,
} from '../../contract/index.ts';
import { AUTOMATIC_METRICS, type ExperimentDefinition, isAutomatic } from './experiment.ts';
import { PLACES } from './hash-place.ts';
import { InvalidExperimentError, type PointedProblem } from './invalid-experiment-error.ts';

/** Keys come into addresses and tables. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const KEY_RULE = 'must have 1 to 100 letters, digits, dots, hyphens or underscores, a letter or digit first';

const OPTIONS = ['selection', 'summary', 'engine'];

/** What the service records by itself is named so. */
const OWN_PREFIX = 'digest.';

/**
 * Checks everything that no type says.
 *
 * @throws InvalidExperimentError with all problems, each with a pointer such as `/variants/1/weight`
 */
export function checkDefinition(definition: ExperimentDefinition): void {
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
    if (minimumEffect !== null && !isPositive(minimumEffect)) {
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

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}
