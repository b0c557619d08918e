import type { BatchItem } from 'drizzle-orm/batch';
import type { Assignment, DigestRequest, Variant, VariantOptions } from '../../contract/index.ts';
import { type ExperimentOfRequest, UnusableOptionError } from '../../digest/index.ts';
import type { Database } from '../../store/index.ts';
import { assignSubject } from './assign-subject.ts';
import type { Experiment } from './experiment.ts';
import { ExperimentNotFoundError } from './experiment-not-found-error.ts';
import { InvalidExperimentError, pointedProblem } from './invalid-experiment-error.ts';
import { readExperiment } from './read-experiment.ts';
import { exposureStatements } from './record-exposure.ts';

/** What a digest says of the experiment that it is part of. */
interface AppliedVariant {
  readonly key: string;
  readonly version: number;
  /** Null where the subject takes no part. */
  readonly variant: string | null;
  /** Whether the request set what variants set, or cannot be served with all of them; such subjects are outside the analysis. */
  readonly overridden: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Objects that are one value. Beside them only plain objects of options are looked into: the entries of `stages` are whole, since a
 * prompt of one model and the temperature of another would be neither's.
 */
const LEAVES = /^\/(?:selection\/size|selection\/coverage\/threshold|engine\/stages\/[^/]+)$/;

/** Stands for everything else that a selection is made by. */
const PRESET = '/selection/preset';

/**
 * Puts the options of a subject's variant below what the request sets itself.
 *
 * A request overrides where it sets anything that any variant sets, be it another than its own, and be it to the same value, and
 * where it cannot be served with the options of every variant. Whether it does so thus does not depend on the variant, and leaving
 * such subjects out makes the variants no different from each other.
 *
 * @param planned how the request is served with some options; null where it cannot be
 * @returns the request with the variant's options and its plan; the request as it was, without a plan, where the subject takes no
 *   part or not every variant can be served
 */
export function applyVariant<Order extends VariantOptions, Plan>(
  order: Order,
  { variants }: Pick<Experiment, 'variants'>,
  { key, version, variant }: Assignment,
  planned: (options: VariantOptions) => Plan | null,
): { readonly order: Order; readonly experiment: AppliedVariant; readonly plan: Plan | null } {
  const own = variants.find(({ name }) => name === variant);
  if (own === undefined) return { order, experiment: { key, version, variant: null, overridden: false }, plan: null };
  const part = { key, version, variant: own.name };
  const under = ({ options }: Variant): Order => ({ ...order, ...merge(optionsOf(order), optionsOf(options), '') });
  let plan: Plan | null = null;
  for (const each of variants) {
    const served = planned(under(each));
    if (served === null) return { order, experiment: { ...part, overridden: true }, plan: null };
    if (each === own) plan = served;
  }
  const varied = [...new Set(variants.flatMap(({ options }) => leavesOf(optionsOf(options), '')))];
  const overridden = leavesOf(optionsOf(order), '').some((leaf) => varied.some((other) => isOneValue(leaf, other)));
  return { order: under(own), experiment: { ...part, overridden }, plan };
}

/** Whether what is set at one pointer stands for what is set at the other. */
function isOneValue(one: string, other: string): boolean {
  const isSelection = one.startsWith('/selection/') && other.startsWith('/selection/');
  return one === other || (isSelection && (one === PRESET || other === PRESET));
}

/** What a variant may set. */
function optionsOf({ selection, summary, engine }: VariantOptions): Fields {
  return { selection, summary, engine };
}

/** Pointers to everything that is set; null sets, undefined does not. */
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

/** A planned request, and the experiment that it is part of. */
interface TakenPart<Plan> {
  /** With the options of the subject's variant below those of the request, if it can be served with every variant's. */
  readonly plan: Plan;
  readonly experiment: ExperimentOfRequest | undefined;
  /** Note that the subject sees its variant; to be written with the digest. */
  readonly exposure: readonly BatchItem<'sqlite'>[];
}

/**
 * Gives an order the options of its subject's variant, where it names an experiment, and plans it.
 *
 * @param plan how the order is served with some options; throws TesseraError where it cannot be
 * @param checkVariants throws InvalidExperimentError where a variant cannot be served whatever the order says
 * @throws UnusableOptionError where there is no such experiment, and where a variant of it cannot be served here at all: that says
 *   nothing of the order, whose subject must not be left out for it
 * @throws InvalidExperimentError for a subject that cannot be kept
 */
export async function takePart<Plan extends object>(
  asked: DigestRequest,
  database: Database,
  plan: (options: VariantOptions) => Plan,
  checkVariants: (variants: Experiment['variants']) => void,
): Promise<TakenPart<Plan>> {
  const { experiment: named, ...order } = asked;
  if (named === undefined) return { plan: plan(order), experiment: undefined, exposure: [] };
  const { key, subject } = named;
  const experiment = await namedExperiment(database, key);
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
  const { variant, overridden } = applied.experiment;
  return {
    plan: applied.plan ?? plan(order),
    experiment: { ...applied.experiment, subject },
    exposure: exposureStatements(database, experiment, { subject, variant, overridden }),
  };
}

async function namedExperiment(database: Database, key: string): Promise<Experiment> {
  try {
    return await readExperiment(database, key);
  } catch (error) {
    if (!(error instanceof ExperimentNotFoundError)) throw error;
    throw new UnusableOptionError('/experiment/key', error.message);
  }
}

function refuseBroken({ variants }: Experiment, checkVariants: (variants: Experiment['variants']) => void): void {
  try {
    checkVariants(variants);
  } catch (error) {
    if (!(error instanceof InvalidExperimentError)) throw error;
    throw new UnusableOptionError(
      '/experiment/key',
      `A variant of this experiment cannot be served here: ${error.message}`,
    );
  }
}
