import type { Assignment, Experiment, ExperimentDefinition } from '../../contract/experiment.ts';
import { hashPlace } from './hash-place.ts';

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
