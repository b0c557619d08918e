import type { BatchItem } from 'drizzle-orm/batch';
import type { Assignment, DigestRequest, Experiment, VariantOptions } from '../../contract/index.ts';
import { type ExperimentOfRequest, UnusableOptionError } from '../../digest/index.ts';
import type { Database } from '../../store/index.ts';
import { ExperimentNotFoundError, InvalidExperimentError, pointedProblem } from '../errors.ts';
import { assignSubject, exposureStatements } from './assignment.ts';
import { readExperiment } from './experiment.ts';

interface AppliedVariant {
  readonly key: string;
  readonly version: number;
  readonly variant: string | null;
  /** Excludes the subject from the analysis: the request sets an option of the variants, or cannot be served with all of them. */
  readonly overridden: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Objects that are one value; others are merged by field. An entry of `stages` is whole, since a temperature suits one model only. */
const LEAVES = /^\/(?:selection\/size|selection\/coverage\/threshold|engine\/stages\/[^/]+)$/;

const PRESET = '/selection/preset';

/**
 * Applies the options of a subject's variant below those of the request. A request overrides if it sets any option of any variant, even to
 * the same value, or cannot be served with every variant. This is independent of the subject's variant, so excluding such subjects does not
 * bias the comparison.
 *
 * @param planned plans the request with some options; null if they cannot be served
 * @returns the plan of the request with the variant's options; null if the subject does not take part, or a variant cannot be served
 */
export function applyVariant<Plan>(
  order: VariantOptions,
  { variants }: Pick<Experiment, 'variants'>,
  { key, version, variant }: Assignment,
  planned: (options: VariantOptions) => Plan | null,
): { readonly experiment: AppliedVariant; readonly plan: Plan | null } {
  const part = { key, version, variant };
  const own = variants.findIndex(({ name }) => name === variant);
  if (own < 0) return { experiment: { ...part, overridden: false }, plan: null };
  const plans = variants.map(({ options }) =>
    planned({ ...order, ...merge(optionsOf(order), optionsOf(options), '') }),
  );
  if (plans.includes(null)) return { experiment: { ...part, overridden: true }, plan: null };
  const varied = [...new Set(variants.flatMap(({ options }) => leavesOf(optionsOf(options), '')))];
  const overridden = leavesOf(optionsOf(order), '').some((leaf) => varied.some((other) => isOneValue(leaf, other)));
  return { experiment: { ...part, overridden }, plan: plans[own] };
}

function isOneValue(one: string, other: string): boolean {
  const isSelection = one.startsWith('/selection/') && other.startsWith('/selection/');
  return one === other || (isSelection && (one === PRESET || other === PRESET));
}

function optionsOf({ selection, summary, engine }: VariantOptions): Fields {
  return { selection, summary, engine };
}

/** Pointers to all values; undefined is none, null is one. */
function leavesOf(fields: Fields, path: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const pointer = `${path}/${name}`;
    if (value === undefined) return [];
    return isBranch(value, pointer) ? leavesOf(value, pointer) : [pointer];
  });
}

function merge(above: Fields, below: Fields, path: string): Fields {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(below), ...Object.keys(above)])) {
    const pointer = `${path}/${name}`;
    const [first, second] = [above[name], below[name]];
    if (isBranch(first, pointer) && isBranch(second, pointer)) merged[name] = merge(first, second, pointer);
    else if (first !== undefined || second !== undefined) merged[name] = first === undefined ? second : first;
  }
  return merged;
}

function isBranch(value: unknown, pointer: string): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !LEAVES.test(pointer);
}

/**
 * Plans an order, with the options of its subject's variant in an experiment.
 *
 * @param plan throws TesseraError if the options cannot be served
 * @param checkVariants throws InvalidExperimentError if a variant can never be served
 * @returns the plan (without the variant's options if any variant cannot be served), and statements that record the exposure, for the
 * commit of the digest
 * @throws UnusableOptionError if the experiment is missing or can never be served here, which must not exclude the subject
 * @throws InvalidExperimentError for an invalid subject id
 */
export async function takePart<Plan extends object>(
  asked: DigestRequest,
  database: Database,
  plan: (options: VariantOptions) => Plan,
  checkVariants: (variants: Experiment['variants']) => void,
): Promise<{
  readonly plan: Plan;
  readonly experiment: ExperimentOfRequest | undefined;
  readonly exposure: readonly BatchItem<'sqlite'>[];
}> {
  const { experiment: named, ...order } = asked;
  if (named === undefined) return { plan: plan(order), experiment: undefined, exposure: [] };
  const { key, subject } = named;
  const experiment = await readExperiment(database, key).catch(unusable(ExperimentNotFoundError, ''));
  const assignment = await assignSubject(database, experiment, subject, '/experiment/subject');
  const applied = applyVariant(order, experiment, assignment, (options) => {
    try {
      return plan(options);
    } catch (error) {
      pointedProblem(error);
      refuseBroken(experiment, checkVariants);
      return null;
    }
  });
  return {
    plan: applied.plan ?? plan(order),
    experiment: { ...applied.experiment, subject },
    exposure: exposureStatements(database, experiment, subject, applied.experiment),
  };
}

function refuseBroken({ variants }: Experiment, checkVariants: (variants: Experiment['variants']) => void): void {
  try {
    checkVariants(variants);
  } catch (error) {
    unusable(InvalidExperimentError, 'A variant of this experiment cannot be served here: ')(error);
  }
}

/** Throws an error of a kind as one of the experiment that the request names, and any other as it is. */
function unusable(kind: typeof ExperimentNotFoundError | typeof InvalidExperimentError, prefix: string) {
  return (error: unknown): never => {
    if (!(error instanceof kind)) throw error;
    throw new UnusableOptionError('/experiment/key', prefix + error.message);
  };
}
