import type { Assignment } from '../../contract/index.ts';
import { type Database, readExposures } from '../../store/index.ts';
import type { Experiment, ExperimentDefinition } from './experiment.ts';
import { hashPlace } from './hash-place.ts';
import { InvalidExperimentError } from './invalid-experiment-error.ts';
import { problemOfId } from './problem-of-id.ts';

/**
 * What becomes of a subject: the variant that it saw in this version, and by hash where it saw none. Writes nothing.
 *
 * @param pointer to the subject in the request
 * @throws InvalidExperimentError for a subject that cannot be kept
 */
export async function assignSubject(
  database: Database,
  experiment: Experiment,
  subject: string,
  pointer = '/subject',
): Promise<Assignment> {
  const detail = problemOfId(subject);
  if (detail !== null) throw new InvalidExperimentError([{ pointer, detail }]);
  const assigned = assign(experiment, subject);
  if (experiment.state !== 'running') return assigned;
  const { key, version, variants } = experiment;
  const seen = (await readExposures(database, key, [subject])).find((exposure) => exposure.version === version);
  return seen === undefined ? assigned : { key, version, variant: variants[seen.variant].name, reason: 'assigned' };
}

/**
 * What becomes of a subject, by hash alone. Layer, traffic and variant are three hashes of their own: another share of the traffic moves
 * nobody from one variant to another, and subjects that a layer keeps apart are not all of one variant.
 */
export function assign(experiment: Experiment, subject: string): Assignment {
  const { key, version, state, traffic, layer, salt } = experiment;
  const out = (reason: Assignment['reason']): Assignment => ({ key, version, variant: null, reason });
  if (state !== 'running') return out(state);
  if (layer !== null) {
    const place = hashPlace(`${layer.key}:layer`, subject);
    if (place < layer.from || place >= layer.to) return out('layer');
  }
  if (hashPlace(`${salt}:traffic`, subject) >= traffic) return out('traffic');
  return { key, version, variant: variantOf(experiment, subject), reason: 'assigned' };
}

/** The variant whose bucket holds the subject's place: buckets lie one after another, as wide as the weights. */
function variantOf({ variants, salt }: ExperimentDefinition, subject: string): string {
  const place = hashPlace(salt, subject);
  let end = 0;
  for (const { name, weight } of variants) {
    end += weight;
    if (place < end) return name;
  }
  return variants[variants.length - 1].name; // weights sum to 1 but for rounding
}
