import type { BatchItem } from 'drizzle-orm/batch';
import type { DigestOrder, ExperimentOrder } from '../../contract/digest-order.ts';
import { UnusableOptionError } from '../../digest/unusable-option-error.ts';
import type { Database } from '../../store/database.ts';
import { applyVariant } from './apply-variant.ts';
import { assignSubject } from './assign-subject.ts';
import type { Experiment, VariantOptions } from '../../contract/experiment.ts';
import { ExperimentNotFoundError } from './experiment-not-found-error.ts';
import { InvalidExperimentError } from './invalid-experiment-error.ts';
import { readExperiment } from './read-experiment.ts';
import { exposureStatements } from './record-exposure.ts';

/** An order that is part of an experiment, or of none. */
export interface TakenOrder {
  /** With the options of the subject's variant below its own, or as it was where it cannot be served with every variant's. */
  readonly order: DigestOrder;
  /** Note that the subject sees its variant; to be written with the digest. */
  readonly exposure: readonly BatchItem<'sqlite'>[];
}

/**
 * Gives an order the options of its subject's variant, where it names an experiment.
 *
 * @param isServed whether the order can be served with these options
 * @param checkVariants throws InvalidExperimentError where a variant cannot be served whatever the order says
 * @throws UnusableOptionError where there is no such experiment, and where a variant of it cannot be served here at all: that says
 *   nothing of the order, whose subject must not be left out for it
 * @throws InvalidExperimentError for a subject that cannot be kept
 */
export async function takePart(
  asked: ExperimentOrder,
  database: Database,
  isServed: (options: VariantOptions) => boolean,
  checkVariants: (variants: Experiment['variants']) => void,
): Promise<TakenOrder> {
  const { experiment: named, ...order } = asked;
  if (named === undefined) return { order, exposure: [] };
  const { key, subject } = named;
  const experiment = await namedExperiment(database, key);
  const assignment = await assignSubject(database, experiment, subject, '/experiment/subject');
  const applied = applyVariant(order, experiment, assignment, (options) => {
    if (isServed(options)) return true;
    refuseBroken(experiment, checkVariants);
    return false;
  });
  const { variant, overridden } = applied.experiment;
  return {
    order: { ...applied.order, experiment: { ...applied.experiment, subject } },
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
